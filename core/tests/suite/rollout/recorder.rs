//! Sessions are recorded in files: whole lines, in order, by one writer, and none is lost.

#![expect(clippy::disallowed_methods, reason = "recorded files are looked at as they are on disk")]
#![expect(clippy::unwrap_used, reason = "what goes wrong in a helper of a test fails the test")]

use std::fs::{self, File, Permissions};
use std::io;
use std::os::unix::fs::{FileExt, PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use pretty_assertions::assert_eq;
use recto_core::rollout::{
    AppendError, FileRecorder, LockHolder, Mended, OpenError, RecorderSettings, Reopened,
    RolloutSink, SessionStart, SyncPolicy, bound_output,
};
use recto_core::testing::{DiskSpace, Fixture, FixtureDirectory, MemoryRollout};
use recto_protocol::{ContentItem, OutputPayload, ThreadId};

pub(super) const START: SessionStart =
    SessionStart { year: 2026, month: 12, day: 1, hour: 9, minute: 5, second: 7 };

const NAME: &str = "rollout-2026-12-01T09-05-07-01a22f0b-aa63-7a80-b201-203f2721a724.jsonl";

const META: &str = r#"{"timestamp":"t","type":"session_meta","payload":{"id":"01a22f0b-aa63-7a80-b201-203f2721a724"}}"#;

const PAGINATED: &str = r#"{"timestamp":"t","ordinal":0,"type":"session_meta","payload":{"id":"01a22f0b-aa63-7a80-b201-203f2721a724","history_mode":"paginated"}}"#;

pub(super) fn thread_id() -> ThreadId {
    "01a22f0b-aa63-7a80-b201-203f2721a724".parse().unwrap()
}

pub(super) fn line(text: &str) -> String {
    format!(r#"{{"timestamp":"t","type":"response_item","payload":{{"text":"{text}"}}}}"#)
}

fn numbered(ordinal: u64, text: &str) -> String {
    format!(
        r#"{{"timestamp":"t","ordinal":{ordinal},"type":"response_item","payload":{{"text":"{text}"}}}}"#
    )
}

fn settings(sync: SyncPolicy) -> RecorderSettings {
    RecorderSettings { sync, ..RecorderSettings::default() }
}

fn directory() -> FixtureDirectory {
    Fixture::parse("//- cwd: .").lay_out()
}

/// A file with that content, as another program left it.
fn file_with(directory: &FixtureDirectory, content: impl AsRef<[u8]>) -> PathBuf {
    let path = directory.path(NAME);
    fs::write(&path, content).unwrap();
    path
}

pub(super) fn lines(path: &Path) -> Vec<String> {
    let text = fs::read_to_string(path).unwrap();
    assert!(text.is_empty() || text.ends_with('\n'), "no line end: {text:?}");
    text.lines().map(str::to_owned).collect()
}

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o7777
}

async fn reopen(path: &Path) -> Reopened {
    FileRecorder::open(path, None, settings(SyncPolicy::None)).await.unwrap()
}

/// Opens, appends, closes; returns what was mended.
async fn resume(path: &Path, appended: &[String]) -> Option<Mended> {
    let reopened = reopen(path).await;
    reopened.recorder.append(appended.to_vec()).await.unwrap();
    reopened.recorder.close().await.unwrap();
    reopened.mended
}

#[tokio::test]
async fn a_new_session_has_a_file_named_after_its_start_and_id() {
    let directory = directory();
    let home = directory.codex_home();
    let recorder =
        FileRecorder::create(&home, START, thread_id(), RecorderSettings::default()).await.unwrap();
    let path = home.join("sessions/2026/12/01").join(NAME);
    assert_eq!(recorder.path(), path);

    recorder.append(vec![META.to_owned(), line("a")]).await.unwrap();
    recorder.append(vec![line("b")]).await.unwrap();
    assert_eq!(lines(&path), [META.to_owned(), line("a"), line("b")]);
}

#[tokio::test]
async fn b90_a_session_is_for_its_owner_alone_and_existing_modes_stay() {
    let directory = directory();
    let home = directory.codex_home();
    fs::create_dir(home.join("sessions")).unwrap();
    fs::set_permissions(home.join("sessions"), Permissions::from_mode(0o755)).unwrap();
    let recorder =
        FileRecorder::create(&home, START, thread_id(), RecorderSettings::default()).await.unwrap();
    let path = recorder.path().to_owned();
    let modes: Vec<u32> = path.ancestors().take(5).map(mode).collect();
    assert_eq!(modes, [0o600, 0o700, 0o700, 0o700, 0o755]);
    recorder.close().await.unwrap();

    fs::set_permissions(&path, Permissions::from_mode(0o644)).unwrap();
    resume(&path, &[line("a")]).await;
    assert_eq!(mode(&path), 0o644);
}

#[tokio::test]
async fn a_new_session_replaces_no_file_and_follows_no_link() {
    let directory = directory();
    let home = directory.codex_home();
    let day = home.join("sessions/2026/12/01");
    let elsewhere = directory.path("elsewhere");
    fs::create_dir_all(&day).unwrap();
    symlink(&elsewhere, day.join(NAME)).unwrap();
    let error = FileRecorder::create(&home, START, thread_id(), RecorderSettings::default())
        .await
        .unwrap_err();
    let OpenError::Io { source, .. } = error else { panic!("{error}") };
    assert_eq!(source.kind(), io::ErrorKind::AlreadyExists);
    assert_eq!(fs::symlink_metadata(elsewhere).unwrap_err().kind(), io::ErrorKind::NotFound);
    let locks: Vec<_> = fs::read_dir(home.join("thread-writer-locks")).unwrap().collect();
    assert_eq!(locks.len(), 1, "only the coordination lock stays: {locks:?}");
}

#[tokio::test]
async fn b147_a_session_that_is_not_there_is_an_error_and_makes_no_file() {
    let directory = directory();
    let path = directory.path(NAME);
    let error =
        FileRecorder::open(&path, None, RecorderSettings::default()).await.unwrap_err().to_string();
    assert_eq!(
        error,
        format!(
            "{}: it could not be opened: No such file or directory (os error 2)",
            path.display()
        )
    );
    assert!(fs::symlink_metadata(&path).is_err());
}

#[tokio::test]
async fn what_is_no_plain_file_cannot_be_continued() {
    let fixture = Fixture::parse("//- pipe |\n//- a.jsonl.zst = \"\\x28\\xB5\"\n//- cwd: .");
    let directory = fixture.lay_out();
    for (name, expected) in [
        ("pipe", "it could not be opened: it is not a regular file"),
        ("a.jsonl.zst", "is compressed; decompress it to continue it"),
    ] {
        let opened =
            FileRecorder::open(&directory.path(name), None, RecorderSettings::default()).await;
        let error = opened.unwrap_err().to_string();
        assert!(error.ends_with(expected), "{error}");
    }
    assert_eq!(fs::read(directory.path("a.jsonl.zst")).unwrap(), b"\x28\xB5");
}

#[tokio::test]
async fn b95_a_session_that_is_resumed_twice_goes_on_in_one_file() {
    let directory = directory();
    let home = directory.codex_home();
    let recorder =
        FileRecorder::create(&home, START, thread_id(), RecorderSettings::default()).await.unwrap();
    let path = recorder.path().to_owned();
    recorder.append(vec![META.to_owned()]).await.unwrap();
    recorder.close().await.unwrap();
    for text in ["first", "second"] {
        let settings = RecorderSettings::default();
        let reopened = FileRecorder::open(&path, Some(&home), settings).await.unwrap();
        assert_eq!(reopened.mended, None);
        reopened.recorder.append(vec![line(text)]).await.unwrap();
        reopened.recorder.close().await.unwrap();
    }
    assert_eq!(lines(&path), [META.to_owned(), line("first"), line("second")]);
    assert_eq!(fs::read_dir(path.parent().unwrap()).unwrap().count(), 1);
}

#[tokio::test]
async fn b71_a_torn_tail_is_cut_and_kept_aside() {
    let directory = directory();
    let torn = &line("torn 🙂")[..40];
    let path = file_with(&directory, format!("{META}\n{}\n{torn}", line("a")));
    let mended = resume(&path, &[line("b"), line("c")]).await;

    let at = (META.len() + line("a").len() + 2) as u64;
    let kept_in = directory.path(format!("{NAME}.torn-1"));
    assert_eq!(
        mended,
        Some(Mended {
            at,
            torn: torn.as_bytes().to_vec(),
            kept_in: Some(kept_in.clone()),
            nul_bytes: 0,
            closed: false,
        })
    );
    assert_eq!(fs::read_to_string(&kept_in).unwrap(), torn);
    assert_eq!(mode(&kept_in), 0o600);
    assert_eq!(resume(&path, &[line("d")]).await, None);
    assert_eq!(lines(&path), [META.to_owned(), line("a"), line("b"), line("c"), line("d")]);
}

#[tokio::test]
async fn b71_a_whole_last_line_is_closed_and_nul_bytes_are_cut() {
    let nuls = |count: usize| "\0".repeat(count);
    let whole = line("whole");
    for (tail, kept, nul_bytes, closed) in [
        (whole.clone(), vec![whole.clone()], 0, true),
        (format!("{whole}\r"), vec![whole.clone()], 0, true),
        (nuls(4096), vec![], 4096, false),
        (format!("{whole}{}", nuls(300_000)), vec![whole.clone()], 300_000, true),
    ] {
        let directory = directory();
        let path = file_with(&directory, format!("{META}\n{tail}"));
        let mended = resume(&path, &[line("b")]).await.unwrap();
        assert_eq!(
            (mended.torn, mended.kept_in, mended.nul_bytes, mended.closed),
            (Vec::new(), None, nul_bytes, closed)
        );
        assert_eq!(lines(&path), [vec![META.to_owned()], kept, vec![line("b")]].concat());
    }
}

#[tokio::test]
async fn a_tail_of_two_records_loses_only_what_is_torn() {
    let directory = directory();
    let tail = format!("{}{}{{\"torn", line("a"), line("b"));
    let path = file_with(&directory, format!("{META}\n{tail}"));
    let mended = resume(&path, &[line("c")]).await.unwrap();
    assert_eq!((mended.torn.as_slice(), mended.closed), (b"{\"torn".as_slice(), true));
    let glued = format!("{}{}", line("a"), line("b"));
    assert_eq!(lines(&path), [META.to_owned(), glued, line("c")]);
}

#[tokio::test]
async fn a_session_that_is_cut_at_any_byte_keeps_its_whole_lines() {
    let directory = directory();
    let whole = format!("{META}\n{}\n{}\n", line("é🙂"), line("b"));
    for cut in 0..=whole.len() {
        let path = file_with(&directory, &whole.as_bytes()[..cut]);
        let mended = resume(&path, &[line("new")]).await;

        let before = String::from_utf8_lossy(&whole.as_bytes()[..cut]).into_owned();
        let mut expected: Vec<String> = before.lines().map(str::to_owned).collect();
        let torn = expected.pop_if(|last| !last.ends_with("}}"));
        expected.push(line("new"));
        assert_eq!(lines(&path), expected, "cut at {cut}");
        let kept_in = mended.and_then(|mended| mended.kept_in);
        assert_eq!(kept_in.is_some(), torn.is_some(), "cut at {cut}");
        if let Some(kept_in) = kept_in {
            let start = before.rfind('\n').map_or(0, |end| end + 1);
            assert_eq!(fs::read(&kept_in).unwrap(), &whole.as_bytes()[start..cut]);
            fs::remove_file(kept_in).unwrap();
        }
    }
}

#[tokio::test]
async fn b73_no_ordinal_is_given_twice() {
    let count = |ordinal: &str, used: &str| {
        format!(
            r#"{{"timestamp":"t","ordinal":{ordinal},"type":"event_msg","payload":{{"type":"token_count","rate_limits":{{"primary":{{"used_percent":{used},"window_minutes":300}},"credits":{{"x":1}}}}}}}}"#
        )
    };
    for used in ["26", "26.0", "2.6e1", "1e400", "-0", r#""\ud83d""#] {
        for ordinal in ["2", "2.0", "2e0"] {
            let directory = directory();
            let old = format!("{PAGINATED}\n{}\n{}\n", numbered(1, "a"), count(ordinal, used));
            let path = file_with(&directory, &old);
            resume(&path, &[line("b"), line("c")]).await;
            let new = format!("{}\n{}\n", numbered(3, "b"), numbered(4, "c"));
            assert_eq!(fs::read_to_string(&path).unwrap(), format!("{old}{new}"));
        }
    }
}

#[tokio::test]
async fn b75_the_next_ordinal_is_above_all_others() {
    for (ordinals, next) in [(vec![1, 2, 2, 3], 4), (vec![1, 5, 3], 6)] {
        let directory = directory();
        let old: Vec<String> = ordinals.iter().map(|ordinal| numbered(*ordinal, "a")).collect();
        let path = file_with(&directory, format!("{PAGINATED}\n{}\n", old.join("\n")));
        resume(&path, &[line("b")]).await;
        assert_eq!(lines(&path).last(), Some(&numbered(next, "b")));
    }
}

#[tokio::test]
async fn ordinals_of_broken_and_glued_records_count() {
    let broken = r#"{"timestamp":"t","ordinal":7,"type":"a","payload":{"#;
    for (last, next) in [
        (format!("{broken}\n"), 8),
        (format!("{}{}\n", numbered(4, "a"), numbered(9, "b")), 10),
        (format!("{broken}{}\n", numbered(5, "b")), 8),
        (format!("{}\n", line("without")), 2),
        (r#"{"timestamp":"t","type":"a","payload":{"ordinal":50},"ordinal":3}"#.to_owned(), 4),
    ] {
        let directory = directory();
        let path = file_with(&directory, format!("{PAGINATED}\n{}\n{last}", numbered(1, "a")));
        resume(&path, &[line("b")]).await;
        assert_eq!(lines(&path).last(), Some(&numbered(next, "b")), "{last}");
    }
}

#[tokio::test]
async fn a_file_without_ordinals_stays_without() {
    let directory = directory();
    let path = file_with(&directory, format!("{META}\n{}\n", line("a")));
    resume(&path, &[line("b")]).await;
    assert_eq!(lines(&path), [META.to_owned(), line("a"), line("b")]);
}

#[tokio::test]
async fn the_first_line_of_a_new_file_decides_whether_lines_are_numbered() {
    let bare = PAGINATED.replace(r#","ordinal":0"#, "");
    let continued = PAGINATED.replace(r#""ordinal":0"#, r#""ordinal":25"#);
    for (first, expected) in [
        (META, vec![META.to_owned(), line("a")]),
        (bare.as_str(), vec![PAGINATED.to_owned(), numbered(1, "a")]),
        (continued.as_str(), vec![continued.clone(), numbered(26, "a")]),
    ] {
        let rollout = MemoryRollout::new();
        rollout.append(vec![first.to_owned(), line("a")]).await.unwrap();
        assert_eq!(rollout.lines(), expected);
    }
}

#[tokio::test]
async fn b70_a_write_that_fails_in_a_line_leaves_whole_lines_and_is_tried_again() {
    for accepted in [0, 1, 40, line("a").len(), line("a").len() + 41] {
        let directory = directory();
        let path = file_with(&directory, format!("{META}\n"));
        let disk = DiskSpace::new();
        let on_disk = disk.clone();
        let reopened =
            FileRecorder::open_through(&path, None, settings(SyncPolicy::None), move |file| {
                on_disk.around(file)
            })
            .await
            .unwrap();
        disk.fill_after(accepted);
        let error = reopened.recorder.append(vec![line("a"), line("b")]).await.unwrap_err();
        let pending = if accepted > line("a").len() { 1 } else { 2 };
        assert_eq!(
            error,
            AppendError::Failed {
                path: path.clone(),
                kind: io::ErrorKind::StorageFull,
                message: "no storage space".to_owned(),
                pending,
            }
        );
        let written = [META.to_owned(), line("a"), line("b")];
        assert_eq!(lines(&path), written[..3 - pending]);

        disk.free();
        reopened.recorder.append(vec![line("c")]).await.unwrap();
        assert_eq!(lines(&path), [META.to_owned(), line("a"), line("b"), line("c")]);
    }
}

#[tokio::test]
async fn b86_a_full_disk_is_told_each_time_and_everything_follows_in_order() {
    let rollout = MemoryRollout::new();
    rollout.append(vec![META.to_owned()]).await.unwrap();
    rollout.disk().fill_after(10);
    for (text, waiting) in [("1", 1), ("2", 2), ("3", 3)] {
        let error = rollout.append(vec![line(text)]).await.unwrap_err();
        let AppendError::Failed { pending, .. } = error else { panic!("{error}") };
        assert_eq!((pending, rollout.lines()), (waiting, vec![META.to_owned()]));
    }
    rollout.disk().free();
    rollout.append(Vec::new()).await.unwrap();
    rollout.append(vec![line("4")]).await.unwrap();
    let texts = ["1", "2", "3", "4"].map(line);
    assert_eq!(rollout.lines(), [&[META.to_owned()], texts.as_slice()].concat());
}

#[tokio::test]
async fn a_failed_numbered_line_uses_no_ordinal() {
    let rollout = MemoryRollout::new();
    rollout.append(vec![PAGINATED.to_owned()]).await.unwrap();
    rollout.disk().fill_after(10);
    rollout.append(vec![line("a")]).await.unwrap_err();
    rollout.disk().free();
    rollout.append(vec![line("b")]).await.unwrap();
    assert_eq!(rollout.lines(), [PAGINATED.to_owned(), numbered(1, "a"), numbered(2, "b")]);
}

#[tokio::test]
async fn what_cannot_be_cut_at_once_is_cut_before_the_next_line() {
    let rollout = MemoryRollout::new();
    rollout.append(vec![META.to_owned()]).await.unwrap();
    rollout.disk().fill_after(10);
    rollout.disk().break_down();
    rollout.append(vec![line("a")]).await.unwrap_err();
    assert_eq!(rollout.text(), format!("{META}\n{}", &line("a")[..10]));
    let error = rollout.append(vec![line("b")]).await.unwrap_err().to_string();
    assert_eq!(
        error,
        "memory could not be written: the disk is broken; \
         2 line(s) are kept and written with the next one"
    );
    rollout.disk().free();
    rollout.append(Vec::new()).await.unwrap();
    assert_eq!(rollout.lines(), [META.to_owned(), line("a"), line("b")]);
}

#[tokio::test]
async fn the_policy_says_when_the_disk_is_waited_for() {
    let syncs_under = async |policy| {
        let directory = directory();
        let path = file_with(&directory, format!("{META}\n"));
        let disk = DiskSpace::new();
        let on_disk = disk.clone();
        let recorder = FileRecorder::open_through(&path, None, settings(policy), move |file| {
            on_disk.around(file)
        })
        .await
        .unwrap()
        .recorder;
        let mut syncs = Vec::new();
        recorder.append(vec![line("a"), line("b")]).await.unwrap();
        syncs.push(disk.syncs());
        recorder.append(vec![line("c")]).await.unwrap();
        syncs.push(disk.syncs());
        recorder.end_turn().await.unwrap();
        syncs.push(disk.syncs());
        recorder.end_turn().await.unwrap();
        syncs.push(disk.syncs());
        syncs
    };
    assert_eq!(syncs_under(SyncPolicy::None).await, [0, 0, 0, 0]);
    assert_eq!(syncs_under(SyncPolicy::EachTurn).await, [0, 0, 1, 1]);
    assert_eq!(syncs_under(SyncPolicy::EachAppend).await, [1, 2, 2, 2]);
}

#[tokio::test]
async fn a_sync_that_fails_is_told_and_the_line_is_not_written_twice() {
    let rollout = MemoryRollout::new();
    rollout.append(vec![META.to_owned()]).await.unwrap();
    rollout.disk().break_down();
    let error = rollout.end_turn().await.unwrap_err();
    let message = "the disk is broken".to_owned();
    assert_eq!(error, AppendError::NotSynced { path: "memory".into(), message });
    rollout.disk().free();
    rollout.end_turn().await.unwrap();
    assert_eq!((rollout.disk().syncs(), rollout.lines()), (1, vec![META.to_owned()]));
}

#[tokio::test]
async fn a_line_over_the_limit_is_refused_with_its_whole_call() {
    let directory = directory();
    let path = file_with(&directory, format!("{META}\n"));
    let limit = RecorderSettings { max_line_bytes: 100, ..settings(SyncPolicy::None) };
    let recorder = FileRecorder::open(&path, None, limit).await.unwrap().recorder;
    let long = line(&"x".repeat(100));
    let error = recorder.append(vec![line("a"), long.clone()]).await.unwrap_err();
    assert_eq!(error, AppendError::TooLong { line: 1, bytes: long.len(), limit: 100 });
    let split = recorder.append(vec!["{\"a\":\n1}".to_owned()]).await.unwrap_err();
    assert_eq!(split, AppendError::NotOneLine { line: 0 });
    recorder.append(vec![line("b")]).await.unwrap();
    assert_eq!(lines(&path), [META.to_owned(), line("b")]);
}

#[test]
fn b101_an_oversized_output_is_cut_between_characters_and_says_so() {
    let text = |text: &str| OutputPayload::Text(text.to_owned());
    let part = |text: &str| ContentItem::InputText { text: text.to_owned() };
    let picture = ContentItem::InputImage { image_url: "x".repeat(100), detail: None };
    let parts = |parts: &[ContentItem]| OutputPayload::Content(parts.to_vec());
    for (output, expected) in [
        (text("short"), text("short")),
        (text("0123456789abcdef"), text("0123…2 tokens truncated…cdef")),
        (text("a🙂🙂🙂"), text("a…2 tokens truncated…🙂")),
        (parts(&[part("four"), part("more")]), parts(&[part("four"), part("more")])),
        (
            parts(&[part("0123456789"), picture.clone(), part("b")]),
            parts(&[part("01…2 tokens truncated…89"), picture, part("b")]),
        ),
    ] {
        assert_eq!(*bound_output(&output, 8), expected);
    }
}

#[tokio::test]
async fn b89_the_second_recorder_is_told_who_writes() {
    let directory = directory();
    let path = file_with(&directory, format!("{META}\n"));
    let first = reopen(&path).await.recorder;
    let error = FileRecorder::open(&path, None, RecorderSettings::default()).await.unwrap_err();
    let OpenError::Locked { path: locked, holder } = &error else { panic!("{error}") };
    assert_eq!(locked, &path);
    if cfg!(target_os = "linux") {
        let holder = holder.as_ref().unwrap();
        assert_eq!(holder.pid, std::process::id());
        assert_eq!(
            error.to_string(),
            format!(
                "{} is being recorded by process {} ({}); it can be read meanwhile",
                path.display(),
                holder.pid,
                holder.command.as_deref().unwrap()
            )
        );
    }
    first.append(vec![line("a")]).await.unwrap();
    first.close().await.unwrap();
    assert_eq!(resume(&path, &[line("b")]).await, None);
    assert_eq!(lines(&path), [META.to_owned(), line("a"), line("b")]);
}

#[tokio::test]
async fn the_lock_that_codex_takes_is_respected_and_taken() {
    let directory = directory();
    let home = directory.codex_home();
    let recorder =
        FileRecorder::create(&home, START, thread_id(), RecorderSettings::default()).await.unwrap();
    recorder.append(vec![META.to_owned()]).await.unwrap();
    let path = recorder.path().to_owned();
    let lock = home.join(format!("thread-writer-locks/{}.lock", thread_id()));
    assert!(File::open(&lock).unwrap().try_lock().is_err());
    recorder.close().await.unwrap();
    assert!(fs::symlink_metadata(&lock).is_err());

    let held = File::create(&lock).unwrap();
    held.lock().unwrap();
    let error =
        FileRecorder::open(&path, Some(&home), RecorderSettings::default()).await.unwrap_err();
    let OpenError::Locked { holder, .. } = error else { panic!("{error}") };
    assert_eq!(
        holder.map(|LockHolder { pid, .. }| pid),
        cfg!(target_os = "linux").then(std::process::id)
    );
    drop(held);
    FileRecorder::open(&path, Some(&home), RecorderSettings::default()).await.unwrap();
}

#[tokio::test]
async fn an_id_that_is_no_id_names_no_lock() {
    let directory = directory();
    let home = directory.codex_home();
    let meta = META.replace("01a22f0b-aa63-7a80-b201-203f2721a724", "../../outside");
    let path = file_with(&directory, format!("{meta}\n"));
    FileRecorder::open(&path, Some(&home), RecorderSettings::default()).await.unwrap();
    assert!(fs::symlink_metadata(directory.path("outside.lock")).is_err());
}

#[tokio::test]
async fn a_file_that_somebody_else_wrote_to_or_removed_is_not_written_to() {
    let directory = directory();
    let path = file_with(&directory, format!("{META}\n"));
    let recorder = reopen(&path).await.recorder;
    let len = fs::metadata(&path).unwrap().len();
    let other = File::options().append(true).open(&path).unwrap();
    other.write_at(b"{}\n", len).unwrap();
    let error = recorder.append(vec![line("a")]).await.unwrap_err();
    assert_eq!(
        error,
        AppendError::ChangedByOther { path: path.clone(), expected: len, found: len + 3 }
    );
    assert_eq!(lines(&path), [META, "{}"]);
    recorder.close().await.unwrap_err();

    let recorder = reopen(&path).await.recorder;
    fs::remove_file(&path).unwrap();
    let error = recorder.append(vec![line("a")]).await.unwrap_err();
    assert_eq!(error, AppendError::Removed { path });
}

#[tokio::test]
async fn b96_a_caller_that_goes_away_tears_no_line() {
    let directory = directory();
    let path = file_with(&directory, format!("{META}\n"));
    let recorder = reopen(&path).await.recorder;
    let texts: Vec<String> = (0..50).map(|number| line(&number.to_string())).collect();
    for text in &texts {
        let append = recorder.append(vec![text.clone()]);
        tokio::select! {
            biased;
            result = append => result.unwrap(),
            () = std::future::ready(()) => {}
        }
    }
    recorder.close().await.unwrap();
    assert_eq!(lines(&path), [vec![META.to_owned()], texts].concat());
    assert_eq!(recorder.append(vec![line("late")]).await, Err(AppendError::Closed));
}

#[tokio::test]
async fn b96_saves_at_once_stay_whole_and_in_order_each() {
    let directory = directory();
    let path = file_with(&directory, format!("{META}\n"));
    let recorder = Arc::new(reopen(&path).await.recorder);
    let mut saves = tokio::task::JoinSet::new();
    for task in 0..20 {
        let recorder = Arc::clone(&recorder);
        saves.spawn(async move {
            for number in 0..10 {
                let pair = ["a", "b"].map(|part| line(&format!("{task} {number} {part}")));
                recorder.append(pair.to_vec()).await.unwrap();
            }
        });
    }
    saves.join_all().await;
    let written = lines(&path);
    let mut seen = [0; 20];
    for pair in written[1..].chunks(2) {
        let task = (0..20).find(|task| pair[0].contains(&format!("\"{task} "))).unwrap();
        let expected = ["a", "b"].map(|part| line(&format!("{task} {} {part}", seen[task])));
        assert_eq!(pair, expected);
        seen[task] += 1;
    }
    assert_eq!(seen, [10; 20]);
}
