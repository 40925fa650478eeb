//! Recorded sessions for tests: files of the reference in a home, and small ones made by hand.

#![expect(clippy::disallowed_methods, reason = "lays out files for a test")]

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use super::command::Recto;

/// A session.
pub(crate) const FIRST: &str = "11111111-2222-7333-8444-555555555501";

/// Another one; the ids differ in their last letter.
pub(crate) const SECOND: &str = "11111111-2222-7333-8444-555555555502";

/// 2026-11-30 23:57:00 UTC, in seconds since 1970.
const BEGIN: u64 = 1_796_083_020;

/// Where the reference's files are kept.
fn recorded(name: &str) -> PathBuf {
    let crate_root = Path::new(env!("CARGO_MANIFEST_DIR"));
    crate_root.join("../protocol/tests/fixtures/rollouts/0.171.0").join(name)
}

/// A file of the reference, with `/t/repo` at the tree's own `repo`.
pub(crate) fn of_reference(recto: &Recto, name: &str) -> String {
    let text = fs::read_to_string(recorded(name)).expect("the fixture is there");
    text.replace("/t/repo", &recto.tree().path("repo").to_string_lossy())
}

/// Writes a file of the tree, with its directories.
pub(crate) fn write(recto: &Recto, path: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
    let path = recto.tree().path(path);
    fs::create_dir_all(path.parent().expect("it is in the tree")).expect("the tree is ours");
    fs::write(&path, bytes).expect("the tree is ours");
    path
}

/// The path of a session's file below a home.
pub(crate) fn session_path(home: &str, id: &str) -> String {
    format!("{home}/sessions/2026/11/30/rollout-2026-11-30T23-57-44-{id}.jsonl")
}

/// Puts a session into Codex's home.
pub(crate) fn record(recto: &Recto, id: &str, lines: impl AsRef<[u8]>) -> PathBuf {
    write(recto, &session_path("home", id), lines)
}

/// Says when a file was written last, in seconds after 2026-11-30 23:57:00 UTC.
pub(crate) fn written_at(path: &Path, seconds: u64) {
    written_after(path, Duration::from_secs(seconds));
}

/// [`written_at`], finer.
pub(crate) fn written_after(path: &Path, after: Duration) {
    let time: SystemTime = UNIX_EPOCH + Duration::from_secs(BEGIN) + after;
    let file = File::options().append(true).open(path).expect("it was just written");
    file.set_modified(time).expect("it is ours");
}

/// Whether something stands at a path of the tree.
pub(crate) fn stands(recto: &Recto, path: &str) -> bool {
    fs::symlink_metadata(recto.tree().path(path)).is_ok()
}

/// What stands at a path of the tree.
pub(crate) fn content(recto: &Recto, path: &str) -> String {
    fs::read_to_string(recto.tree().path(path)).expect("it is there")
}

/// A line of a record, a second after the one before.
pub(crate) fn line(second: usize, name: &str, payload: &str) -> String {
    format!(
        r#"{{"timestamp":"2026-11-30T23:57:{second:02}.000Z","type":"{name}","payload":{payload}}}"#
    ) + "\n"
}

/// The first line of a session.
pub(crate) fn meta(id: &str, cwd: &str) -> String {
    let payload = format!(
        r#"{{"id":"{id}","timestamp":"2026-11-30T23:57:00Z","cwd":"{cwd}","originator":"test"}}"#
    );
    line(0, "session_meta", &payload)
}

/// A message.
pub(crate) fn message(second: usize, role: &str, text: &str) -> String {
    let part = if role == "assistant" { "output_text" } else { "input_text" };
    let text = serde_json::to_string(text).expect("it is a text");
    let payload = format!(
        r#"{{"type":"message","role":"{role}","content":[{{"type":"{part}","text":{text}}}]}}"#
    );
    line(second, "response_item", &payload)
}
