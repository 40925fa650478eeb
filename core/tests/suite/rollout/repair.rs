//! A copy of a rollout holds every record that can be saved, and says what it left out.

#![expect(clippy::disallowed_methods, reason = "copies are looked at as they are on disk")]
#![expect(clippy::unwrap_used, reason = "what goes wrong in a helper of a test fails the test")]

use std::fs;
use std::os::unix::fs::PermissionsExt;

use pretty_assertions::assert_eq;
use proptest::prelude::*;
use recto_core::rollout::{
    Change, ChangeKind, FileRecorder, RecorderSettings, RepairError, Repaired, RolloutSink,
    SyncPolicy, repair, repair_lines,
};
use recto_core::testing::Fixture;

const RECORD: &str = r#"{"timestamp":"t","type":"a","payload":{}}"#;

/// The copy, and what changed as `LINE:BYTE+LEN WHAT`.
fn repaired(original: &[u8]) -> (String, Vec<String>, Repaired) {
    let mut copy = Vec::new();
    let repaired = repair_lines(original, &mut copy).unwrap();
    let tell = |Change { line, byte, len, kind }: &Change| format!("{line}:{byte}+{len} {kind}");
    let told = repaired.changes.iter().map(tell).collect();
    (String::from_utf8(copy).unwrap(), told, repaired)
}

#[test]
fn a_file_in_good_order_is_copied_byte_for_byte() {
    let original = format!("{RECORD}\n{{\"a\":1e400,\"b\":\"\\ud83d\"}}\n{{}}\n");
    let (copy, _, told) = repaired(original.as_bytes());
    assert_eq!((copy, told), (original, Repaired { records: 3, ..Repaired::default() }));
}

#[test]
fn what_is_no_record_is_left_out_and_told_with_its_place() {
    let torn = r#"{"timestamp":"2025-"#;
    let original = [
        b"\xEF\xBB\xBF{\"n\":1}\r\n\n".as_slice(),
        b"junk\n",
        b"\0\0{\"n\":2}{\"n\":3}\n",
        torn.as_bytes(),
        RECORD.as_bytes(),
        b"\n{\"n\":\"\xE9\"}\n",
        torn.as_bytes(),
        b"\0\0\0",
    ]
    .concat();
    let (copy, told, counts) = repaired(&original);
    assert_eq!(
        copy,
        format!("{{\"n\":1}}\n{{\"n\":2}}\n{{\"n\":3}}\n{RECORD}\n{{\"n\":\"\u{fffd}\"}}\n")
    );
    insta::assert_snapshot!(told.join("\n"), @r"
    1:0+3 dropped: a byte order mark
    3:13+4 dropped: it is no whole JSON object
    4:18+2 dropped: NUL bytes
    4:27+7 put on a line of its own: it stood behind another record
    5:35+19 dropped: it is no whole JSON object
    6:96+9 mended: bytes that are no UTF-8 were replaced by U+FFFD
    7:106+19 dropped: the file breaks off in the middle of a record
    7:125+3 dropped: NUL bytes
    ");
    assert_eq!((counts.records, counts.blank_lines, counts.respaced_lines), (5, 1, 1));
}

#[test]
fn a_whole_last_line_is_closed() {
    let (copy, told, _) = repaired(b"{}\n{\"a\":1}");
    assert_eq!(copy, "{}\n{\"a\":1}\n");
    assert_eq!(told, ["2:10+0 closed: the last line had no line end"]);
}

#[test]
fn the_copy_is_a_new_file_and_the_original_stays() {
    let tree = Fixture::parse("//- a.jsonl = \"{}\\n{\"\n//- there = \"x\"\n//- cwd: .").lay_out();
    let (from, to) = (tree.path("a.jsonl"), tree.path("copy.jsonl"));
    let told = repair(&from, &to).unwrap();
    let change = Change { line: 2, byte: 3, len: 1, kind: ChangeKind::TornTail };
    assert_eq!(told, Repaired { records: 1, changes: vec![change], ..Repaired::default() });
    assert_eq!(fs::read(&to).unwrap(), b"{}\n");
    assert_eq!(fs::metadata(&to).unwrap().permissions().mode() & 0o777, 0o600);

    for to in [&from, &tree.path("there"), &to] {
        let before = fs::read(to).unwrap();
        let error = repair(&from, to).unwrap_err();
        assert!(matches!(error, RepairError::Write { .. }), "{error}");
        assert_eq!(fs::read(to).unwrap(), before);
    }
    let error = repair(&tree.path("absent"), &tree.path("copy-2.jsonl")).unwrap_err();
    assert!(matches!(error, RepairError::Read { .. }), "{error}");
    assert!(fs::symlink_metadata(tree.path("copy-2.jsonl")).is_err());
    assert_eq!(fs::read(&from).unwrap(), b"{}\n{");
}

#[test]
fn a_hostile_line_costs_no_more_than_its_length_allows() {
    let line = r#"{"timestamp":"#.repeat(200_000);
    let (copy, told, _) = repaired(line.as_bytes());
    assert_eq!((copy.as_str(), told.len()), ("", 1));
}

/// Bytes that look like parts of a rollout.
fn rollout_like() -> impl Strategy<Value = Vec<u8>> {
    let part = prop_oneof![
        Just(RECORD.as_bytes().to_vec()),
        Just(br#"{"timestamp":"t"#.to_vec()),
        Just(b"\n".to_vec()),
        Just(b"\0\0".to_vec()),
        Just(b"\xEF\xBB\xBF".to_vec()),
        Just(b"{\"a\":\"\\ud83d\"}".to_vec()),
        prop::collection::vec(any::<u8>(), 0..6),
    ];
    prop::collection::vec(part, 0..12).prop_map(|parts| parts.concat())
}

proptest! {
    #[test]
    fn a_copy_is_whole_and_needs_no_repair(original in rollout_like()) {
        let (copy, _, told) = repaired(&original);
        for line in copy.lines() {
            prop_assert!(line.starts_with('{') && line.ends_with('}'), "{line}");
        }
        let (again, _, nothing) = repaired(copy.as_bytes());
        prop_assert_eq!(&again, &copy);
        prop_assert_eq!(nothing, Repaired { records: told.records, ..Repaired::default() });
    }

    #[test]
    fn a_recorder_goes_on_behind_anything_and_keeps_its_lines(original in rollout_like()) {
        let tree = Fixture::parse("//- cwd: .").lay_out();
        let path = tree.path("rollout.jsonl");
        fs::write(&path, &original).unwrap();
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        runtime.block_on(async {
            let settings =
                RecorderSettings { sync: SyncPolicy::None, ..RecorderSettings::default() };
            let recorder = FileRecorder::open(&path, None, settings).await.unwrap().recorder;
            recorder.append(vec![RECORD.to_owned()]).await.unwrap();
            recorder.close().await.unwrap();
        });
        let after = fs::read(&path).unwrap();
        let lines = original.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
        prop_assert!(after.starts_with(&original[..lines]));
        let new = format!("{RECORD}\n");
        prop_assert!(after.ends_with(new.as_bytes()));
        let (_, _, before) = repaired(&original);
        let (_, _, now) = repaired(&after);
        prop_assert_eq!(now.records, before.records + 1);
    }
}
