//! Compressed sessions that break off: what can be read of them is read, and where it ends is told.

#![expect(clippy::disallowed_methods, reason = "files are laid out on disk")]
#![expect(clippy::unwrap_used, reason = "what goes wrong in a helper of a test fails the test")]

use std::fs;
use std::path::Path;

use pretty_assertions::assert_eq;
use recto_core::rollout::{
    ChangeKind, FaultCause, ReplayError, RolloutChain, SessionSummary, Until, repair, replay,
};
use ruzstd::encoding::{CompressionLevel, compress_to_vec};

use super::notation::{assistant, meta, rollout, user};

/// Two frames, so that one can be whole where the other is not.
fn compressed() -> (String, Vec<u8>) {
    let first = rollout(&[meta("A"), user("one"), assistant("a")]);
    let second = rollout(&[user(&"two ".repeat(500)), assistant("b")]);
    let frames = [&first, &second];
    let bytes = frames.map(|text| compress_to_vec(text.as_bytes(), CompressionLevel::Fastest));
    (first + &second, bytes.concat())
}

fn causes(path: &Path) -> Vec<FaultCause> {
    let session = replay(&RolloutChain::single(path), Until::End).unwrap();
    session.faults.first().iter().map(|fault| fault.cause.clone()).collect()
}

#[test]
fn wherever_a_compressed_session_breaks_off_its_beginning_is_read() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("session.jsonl.zst");
    let (_, bytes) = compressed();
    let mut most = 0;
    for length in 0..bytes.len() {
        fs::write(&path, &bytes[..length]).unwrap();
        match replay(&RolloutChain::single(&path), Until::End) {
            Ok(session) => {
                assert!(session.items.len() >= most, "{length}");
                most = session.items.len();
            }
            Err(ReplayError::Empty { .. }) => assert_eq!(most, 0, "{length}"),
            Err(ReplayError::Read { source, .. }) => {
                let words = "it is not compressed, though its name says so";
                assert_eq!((source.to_string().as_str(), most), (words, 0), "{length}");
            }
            Err(error) => panic!("{length}: {error}"),
        }
    }
    assert_eq!(most, 2, "the first frame is whole long before the end");
}

#[test]
fn where_it_breaks_off_is_told_and_a_repaired_copy_has_the_rest() {
    let directory = tempfile::tempdir().unwrap();
    let (path, copy) = (directory.path().join("a.jsonl.zst"), directory.path().join("b.jsonl"));
    let (text, bytes) = compressed();
    fs::write(&path, &bytes).unwrap();
    assert_eq!(causes(&path), []);

    fs::write(&path, &bytes[..bytes.len() - 20]).unwrap();
    assert_eq!(causes(&path), [FaultCause::CutOff]);
    let summary = SessionSummary::of_file(&path).unwrap().unwrap();
    assert_eq!(summary.title.as_deref(), Some("one"));
    let repaired = repair(&path, &copy).unwrap();
    let kinds: Vec<ChangeKind> = repaired.changes.iter().map(|change| change.kind).collect();
    assert_eq!(kinds, [ChangeKind::CutOff]);
    let copied = fs::read_to_string(&copy).unwrap();
    assert!(text.starts_with(&copied) && copied.lines().count() == 3, "{copied}");
}
