//! Recorded sessions are found by name and by directory, and a bad file never hides the others.

#![expect(clippy::unwrap_used, reason = "what goes wrong in a helper of a test fails the test")]
#![expect(clippy::disallowed_methods, reason = "the homes are laid out on disk")]

use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use pretty_assertions::assert_eq;
use recto_core::rollout::{
    Catalog, LocateError, SessionSummary, SkipReason, Until, replay, title_of,
};
use recto_protocol::Item;
use serde_json::json;
use tempfile::TempDir;

use super::notation::{assistant, event, item, message, meta, meta_with, rollout, settings, user};

const A: &str = "00000000-0000-7000-8000-00000000000a";
const B: &str = "00000000-0000-7000-8000-00000000000b";
const C: &str = "11111111-0000-7000-8000-00000000000c";

struct Home(TempDir);

impl Home {
    fn new() -> Self {
        let home = Self(tempfile::tempdir().unwrap());
        fs::create_dir_all(home.day()).unwrap();
        home
    }

    fn day(&self) -> PathBuf {
        self.0.path().join("sessions/2025/01/02")
    }

    /// Puts a file beside the sessions, `age` seconds old.
    fn file(&self, name: &str, bytes: impl AsRef<[u8]>, age: u64) -> PathBuf {
        let path = self.day().join(name);
        let mut file = File::create(&path).unwrap();
        file.write_all(bytes.as_ref()).unwrap();
        let written = SystemTime::UNIX_EPOCH + Duration::from_secs(1_800_000_000 - age);
        file.set_modified(written).unwrap();
        path
    }

    fn session(&self, id: &str, lines: &[String], age: u64) -> PathBuf {
        self.file(&format!("rollout-2025-01-02T03-04-05-{id}.jsonl"), rollout(lines), age)
    }

    fn catalog(&self) -> Catalog {
        Catalog::of_homes([self.0.path()])
    }

    /// The titles in a list, the newest first.
    fn titles(&self) -> Vec<Option<String>> {
        self.catalog().list().sessions.into_iter().map(|it| it.summary.title).collect()
    }

    fn skipped(&self) -> Vec<(String, SkipReason)> {
        let list = self.catalog().list();
        let name = |path: &Path| path.file_name().unwrap().to_string_lossy().into_owned();
        list.skipped.into_iter().map(|it| (name(&it.path), it.reason)).collect()
    }
}

fn some(titles: &[&str]) -> Vec<Option<String>> {
    titles.iter().map(|title| Some((*title).to_owned())).collect()
}

/// The title of a session with these lines after its meta.
fn title(lines: &[String]) -> Option<String> {
    let home = Home::new();
    let lines: Vec<String> = [meta(A)].into_iter().chain(lines.iter().cloned()).collect();
    home.session(A, &lines, 0);
    let titles = home.titles();
    assert_eq!(titles.len(), 1, "it is listed");
    titles.into_iter().next().unwrap()
}

#[test]
fn sessions_are_listed_the_one_that_was_written_last_first() {
    let home = Home::new();
    home.session(A, &[meta(A), settings("/a", "x"), user("old"), settings("/b", "x")], 50);
    home.session(B, &[meta(B), user("new  one\nline"), assistant("a")], 10);
    let list = home.catalog().list();
    assert_eq!(list.skipped, []);
    let ids: Vec<_> = list.sessions.iter().map(|it| it.summary.id.as_deref()).collect();
    assert_eq!(ids, [Some(B), Some(A)]);
    assert_eq!(home.titles(), some(&["new one line", "old"]));
    let cwds: Vec<_> = list.sessions.iter().map(|it| it.summary.cwd.as_deref()).collect();
    assert_eq!(cwds, [Some("/t/repo"), Some("/b")]);
}

#[test]
fn a_session_is_found_by_id_by_a_unique_beginning_and_by_path() {
    let home = Home::new();
    let a = home.session(A, &[meta(A), user("a")], 0);
    home.session(B, &[meta(B), user("b")], 0);
    let c = home.session(C, &[meta(C), user("c")], 0);
    let catalog = home.catalog();
    assert_eq!(catalog.find(A).unwrap().path, a);
    assert_eq!(catalog.find("1111").unwrap().path, c);
    assert_eq!(catalog.find(&a).unwrap().id, A);
    assert_eq!(
        catalog.find("0000").unwrap_err().to_string(),
        format!("0000 is the beginning of 2 sessions: {B}, {A}")
    );
    assert!(matches!(catalog.find("9"), Err(LocateError::NotFound(_))));
    assert!(matches!(catalog.find(""), Err(LocateError::NotFound(_))));
    assert!(matches!(catalog.find("/no/such.jsonl"), Err(LocateError::Unreadable { .. })));
}

#[test]
fn the_last_session_of_a_directory_is_the_one_whose_last_turn_worked_there() {
    let home = Home::new();
    home.session(A, &[meta(A), settings("/a", "x"), user("a"), settings("/b", "x")], 30);
    home.session(B, &[meta(B), settings("/a", "x"), user("b")], 40);
    home.session(C, &[meta(C), user("c")], 10);
    let mut skipped = Vec::new();
    let mut last = |cwd| home.catalog().last(cwd, &mut skipped).map(|file| file.id);
    assert_eq!(last(None).unwrap(), C);
    assert_eq!(last(Some("/b")).unwrap(), A);
    assert_eq!(last(Some("/a")).unwrap(), B);
    assert_eq!(last(Some("/t/repo")).unwrap(), C);
    assert_eq!(last(Some("/no")).unwrap_err().to_string(), "there is no session of /no");
}

#[test]
fn b76_a_bad_file_never_hides_the_others() {
    let home = Home::new();
    for (number, id) in [A, B, C].into_iter().enumerate() {
        home.session(id, &[meta(id), user(&number.to_string())], number as u64);
    }
    let name =
        |id: u32| format!("rollout-2025-01-02T03-04-05-22222222-0000-7000-8000-{id:012}.jsonl");
    let marked = format!("\u{feff}{}", rollout(&[meta("bom"), user("bom")]));
    home.file(&name(1), marked, 10);
    fs::create_dir(home.day().join(name(2))).unwrap();
    let mut broken = rollout(&[meta("broken")]).into_bytes();
    broken.extend(b"{\"timestamp\":\"\xFF\"}\n");
    broken.extend(rollout(&[user("utf8")]).into_bytes());
    home.file(&name(3), broken, 20);
    home.file(&name(4), "not json\n", 30);
    assert_eq!(home.titles(), some(&["0", "1", "2", "bom", "utf8"]));
    assert_eq!(home.skipped(), [(name(2), SkipReason::Directory), (name(4), SkipReason::NoMeta)]);
    let list = home.catalog().list();
    assert_eq!(list.sessions.last().unwrap().summary.faults.total(), 1);
}

#[test]
fn b77_odd_names_and_empty_files_are_no_sessions() {
    let home = Home::new();
    let good = home.session(A, &[meta(A), user("a")], 0);
    let stem = format!("rollout-2025-01-02T03-04-05-{A}");
    let copy = rollout(&[meta(A), user("copy")]);
    home.file(&format!("{stem} (1).jsonl"), "", 0);
    home.file(&format!("{stem} (2).jsonl"), &copy, 0);
    home.file(&format!("{stem}.jsonl.partial"), &copy, 0);
    home.file(&format!("{stem}.jsonl.tmp"), &copy, 0);
    home.file(&format!(".{stem}.jsonl.swp"), &copy, 0);
    home.session(B, &[], 0);
    assert_eq!(home.titles(), some(&["a"]));
    assert_eq!(home.catalog().find(A).unwrap().path, good);
    let reasons: Vec<SkipReason> = home.skipped().into_iter().map(|(_, reason)| reason).collect();
    assert_eq!(
        reasons,
        [
            SkipReason::OddName,
            SkipReason::OddName,
            SkipReason::OddName,
            SkipReason::Unfinished,
            SkipReason::OddName,
            SkipReason::Empty
        ]
    );
}

#[test]
fn the_newest_file_of_a_session_stands_for_it() {
    let home = Home::new();
    home.session(A, &[meta(A), user("first")], 0);
    let newer = format!("rollout-2025-01-02T04-00-00-{A}_{B}.jsonl");
    home.file(&newer, rollout(&[meta(A), user("second")]), 10);
    let archive = home.0.path().join("archived_sessions");
    fs::create_dir(&archive).unwrap();
    let archived = archive.join(format!("rollout-2025-01-03T00-00-00-{C}.jsonl"));
    fs::write(&archived, rollout(&[meta(C), user("archived")])).unwrap();
    let catalog = home.catalog();
    assert_eq!(catalog.find(A).unwrap().path, home.day().join(&newer));
    assert_eq!(catalog.files_of(A).len(), 2);
    assert!(catalog.find(C).unwrap().archived);
    assert!(matches!(home.skipped()[..], [(_, SkipReason::Superseded(_))]));
}

#[test]
fn b78_the_first_thing_that_a_person_said_may_come_late() {
    let mut lines = vec![meta(A)];
    lines.extend((0..400).map(|number| assistant(&format!("{number}"))));
    lines.push(user("hello"));
    assert_eq!(title(&lines).as_deref(), Some("hello"));
}

#[test]
fn b79_a_long_meta_and_a_long_message_are_read_whole() {
    let long_meta = meta_with(A, &json!({"base_instructions": {"text": "x".repeat(27 << 10)}}));
    for (first, length) in [(long_meta, 3), (meta(A), 20 << 10), (meta(A), 2 << 20)] {
        let home = Home::new();
        home.session(A, &[first, user(&"word ".repeat(length / 5 + 1)), assistant("a")], 0);
        let title = home.titles().remove(0).unwrap();
        assert!(title.starts_with("word") && title.len() <= 204, "{title}");
        assert_eq!(home.catalog().find(A).unwrap().id, A);
    }
}

#[test]
fn b43_b46_b49_what_a_person_said_is_told_from_context() {
    let context = [
        user("<user_instructions>\nrule\n</user_instructions>"),
        user("# AGENTS.md instructions for /t/repo\n\n<INSTRUCTIONS>\nr\n</INSTRUCTIONS>"),
        user("<environment_context>\n...\n</environment_context>"),
        user("<skill>\nx\n</skill>"),
        user("<external_tool>x</external_tool>"),
    ];
    for (said, expected) in [
        ("hello", "hello"),
        ("add a test", "add a test"),
        ("<environment_context> what is it?", "<environment_context> what is it?"),
        ("see </environment_context> above", "see </environment_context> above"),
    ] {
        let mut lines = context.to_vec();
        lines.push(user(said));
        assert_eq!(title(&lines).as_deref(), Some(expected));
    }
}

#[test]
fn a_kind_beside_a_text_decides_before_its_markers() {
    let mut typed = message("user", "<skill>typed</skill>");
    typed["internal_chat_message_metadata_passthrough"] =
        json!({"content_item_kinds": ["user.text"]});
    assert_eq!(title(&[item(&typed)]).as_deref(), Some("<skill>typed</skill>"));
    let mut told = message("user", "plain");
    told["internal_chat_message_metadata_passthrough"] =
        json!({"content_item_kinds": ["agents_md.instructions"]});
    assert_eq!(title(&[item(&told), user("said")]).as_deref(), Some("said"));
}

#[test]
fn b93_a_session_without_words_is_listed_without_a_title() {
    let picture = json!({"type": "message", "role": "user", "content": [
        {"type": "input_text", "text": "<image name=[Image #1] path=\"/t/a.png\">"},
        {"type": "input_image", "image_url": "data:image/png;base64,AA=="},
        {"type": "input_text", "text": "</image>"},
    ]});
    assert_eq!(title(&[item(&picture)]), None);
    assert_eq!(title(&[user("<user_shell_command>\nls\n</user_shell_command>")]), None);
    assert_eq!(title(&[user("$greet them")]).as_deref(), Some("$greet them"));
    assert_eq!(title(&[event(&json!({"type": "task_started"}))]), None);
    let item = Item::from_json(&message("user", &"é".repeat(300)).to_string()).unwrap();
    assert_eq!(title_of(&item, 2).as_deref(), Some("éé…"));
}

#[test]
fn b80_the_first_meta_says_who_a_file_is() {
    let home = Home::new();
    let child = meta_with(A, &json!({"forked_from_id": B, "cwd": "/c"}));
    let parent = meta_with(B, &json!({"cwd": "/p"}));
    let path = home.session(A, &[child, parent, user("u")], 0);
    let summary = SessionSummary::of_file(&path).unwrap().unwrap();
    assert_eq!(summary.id.as_deref(), Some(A));
    assert_eq!(summary.cwd.as_deref(), Some("/c"));
    assert_eq!(summary.forked_from.as_deref(), Some(B));
}

#[test]
fn b84_a_file_of_the_first_versions_is_listed() {
    let home = Home::new();
    let old = format!(r#"{{"id":"{A}","timestamp":"2025-05-01T00:00:00Z","instructions":null}}"#);
    home.session(A, &[old, message("user", "hello").to_string()], 0);
    assert_eq!(home.titles(), some(&["hello"]));
}

#[test]
fn b87_a_long_line_in_the_middle_is_neither_held_nor_read_for_a_list() {
    let home = Home::new();
    let mut lines = vec![meta(A), settings("/a", "x"), user("first")];
    lines.push(assistant(&"x".repeat(20 << 20)));
    lines.extend([settings("/b", "x"), assistant("end")]);
    let path = home.session(A, &lines, 0);
    let summary = SessionSummary::of_file(&path).unwrap().unwrap();
    assert_eq!((summary.title.as_deref(), summary.cwd.as_deref()), (Some("first"), Some("/b")));
    assert!(summary.faults.is_empty());
}

#[test]
fn a_compressed_session_is_listed_and_rebuilt() {
    let home = Home::new();
    let bytes = rollout(&[meta(A), settings("/a", "x"), user("one"), settings("/b", "x")]);
    let two_frames: Vec<u8> = [&bytes.as_bytes()[..100], &bytes.as_bytes()[100..]]
        .iter()
        .flat_map(|part| {
            ruzstd::encoding::compress_to_vec(*part, ruzstd::encoding::CompressionLevel::Fastest)
        })
        .collect();
    let name = format!("rollout-2025-01-02T03-04-05-{A}.jsonl.zst");
    let path = home.file(&name, two_frames, 0);
    assert_eq!(home.titles(), some(&["one"]));
    let catalog = home.catalog();
    assert_eq!(catalog.last(Some("/b"), &mut Vec::new()).unwrap().path, path);
    let session = replay(&catalog.chain(&path).unwrap(), Until::End).unwrap();
    assert_eq!((session.items.len(), session.cwd()), (1, Some("/b")));
    home.file(&name, "no frame", 0);
    assert!(matches!(home.skipped()[..], [(_, SkipReason::Unreadable(_))]));
}

#[test]
fn a_home_without_sessions_is_empty() {
    let home = tempfile::tempdir().unwrap();
    assert_eq!(Catalog::of_homes([home.path()]), Catalog::default());
}
