//! Sessions as the reference records them, of any length.

#![expect(clippy::disallowed_methods, reason = "a bench makes its own files")]

use std::fs::{self, File};
use std::io::{BufWriter, Error, Result, Write};
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

const TIME: &str = "2026-12-01T00:00:38.390Z";

/// Text that looks like words and is the same in every run.
struct Words(u64);

/// Writes numbered lines.
struct Lines<W> {
    out: W,
    ordinal: u64,
}

/// The id of the session with a number.
pub(crate) fn id(number: u64) -> String {
    format!("01a22ee4-3929-7ea0-9cbd-{number:012x}")
}

/// Where the file of a session stands in a home.
pub(crate) fn path(home: &Path, number: u64) -> PathBuf {
    let name = format!("rollout-2026-11-30T23-57-18-{}.jsonl", id(number));
    home.join("sessions/2026/11/30").join(name)
}

/// Makes a session of so many turns of two messages; a turn has some 2.7 KB.
pub(crate) fn long_session(home: &Path, cwd: &Path, number: u64, turns: u64) -> Result<PathBuf> {
    let path = path(home, number);
    let mut words = Words(number);
    let mut lines = lines(&path)?;
    head(&mut lines, &mut words, cwd, number, 2_000)?;
    for turn in 0..turns {
        write_turn(&mut lines, &mut words, cwd, turn)?;
    }
    // On the disk before anybody is measured, so that the system does not write it meanwhile.
    lines.out.into_inner().map_err(Error::from)?.sync_all()?;
    Ok(path)
}

/// Makes many short sessions, in each of which a person speaks first 40 KB or so from the start.
pub(crate) fn many_sessions(home: &Path, cwd: &Path, count: u64) -> Result<()> {
    for number in 0..count {
        let mut words = Words(number);
        let mut lines = lines(&path(home, number))?;
        head(&mut lines, &mut words, cwd, number, 38_000)?;
        for turn in 0..3 {
            write_turn(&mut lines, &mut words, cwd, turn)?;
        }
        lines.out.flush()?;
    }
    Ok(())
}

/// Lets a session have so many bytes; the new ones are zeros that no disk holds.
pub(crate) fn stretch(path: &Path, bytes: u64) -> Result<()> {
    File::options().write(true).open(path)?.set_len(bytes)
}

fn lines(path: &Path) -> Result<Lines<BufWriter<File>>> {
    fs::create_dir_all(path.parent().unwrap_or(path))?;
    Ok(Lines { out: BufWriter::new(File::create(path)?), ordinal: 0 })
}

/// What stands before the first turn: who it is and what the model is told, most of it base instructions.
fn head<W: Write>(
    lines: &mut Lines<W>,
    words: &mut Words,
    cwd: &Path,
    number: u64,
    bytes: usize,
) -> Result<()> {
    let id = id(number);
    let instructions = words.text(bytes / 7 / 2);
    lines.write("session_meta", &json!({
        "session_id": id, "id": id, "timestamp": TIME, "cwd": cwd, "originator": "codex_exec",
        "cli_version": "0.171.0", "source": "exec", "model_provider": "local",
        "base_instructions": {"text": instructions, "provenance": {"type": "model", "model": "gpt-5.5"}},
        "history_mode": "paginated",
    }))?;
    let told = words.text(bytes / 7 / 2);
    let kinds = json!({"content_item_kinds": ["permissions.instructions"]});
    lines.write("response_item", &item("developer", "msg_context", &told, &kinds))?;
    lines.write("world_state", &json!({"full": true, "state": {"model": "gpt-5.5"}}))
}

fn write_turn<W: Write>(
    lines: &mut Lines<W>,
    words: &mut Words,
    cwd: &Path,
    turn: u64,
) -> Result<()> {
    let id = id(turn);
    lines.write("event_msg", &json!({"type": "task_started", "turn_id": id}))?;
    if turn.is_multiple_of(20) {
        lines.write("turn_context", &json!({
            "turn_id": id, "cwd": cwd, "model": "gpt-5.5", "comp_hash": "2911", "approval_policy": "never",
            "sandbox_policy": {"type": "read-only"}, "summary": "auto",
        }))?;
    }
    let user = json!({"turn_id": id, "content_item_kinds": ["user.text"]});
    lines.write("response_item", &item("user", &format!("msg_{id}"), &words.text(60), &user))?;
    let model = json!({"turn_id": id, "content_item_kinds": ["unknown"]});
    let answer = words.text(240);
    lines.write("response_item", &item("assistant", &format!("msg_{turn:08}"), &answer, &model))?;
    lines.write(
        "event_msg",
        &json!({"type": "task_complete", "turn_id": id, "last_agent_message": null}),
    )
}

fn item(role: &str, id: &str, text: &str, metadata: &Value) -> Value {
    let part = if role == "assistant" { "output_text" } else { "input_text" };
    json!({
        "type": "message", "id": id, "role": role, "part": part, "text": text,
        "internal_chat_message_metadata_passthrough": metadata,
    })
}

impl<W: Write> Lines<W> {
    fn write(&mut self, kind: &str, payload: &Value) -> Result<()> {
        let ordinal = self.ordinal;
        self.ordinal += 1;
        // The members of an item and of its part in the order in which every program writes them; `Value` sorts them.
        let payload = match payload["role"].as_str() {
            Some(role) => format!(
                r#"{{"type":"message","id":{},"role":"{role}","content":[{{"type":{},"text":{}}}],"internal_chat_message_metadata_passthrough":{}}}"#,
                payload["id"],
                payload["part"],
                payload["text"],
                payload["internal_chat_message_metadata_passthrough"]
            ),
            None => payload.to_string(),
        };
        writeln!(
            self.out,
            r#"{{"timestamp":"{TIME}","ordinal":{ordinal},"type":"{kind}","payload":{payload}}}"#
        )
    }
}

impl Words {
    /// A text of so many words, of seven bytes each with the space; some lines, some quotes.
    fn text(&mut self, words: usize) -> String {
        let mut text = String::with_capacity(words * 7);
        for word in 0..words {
            text.push_str(match word % 16 {
                0 if word > 0 => "\n",
                8 => "\"",
                _ => " ",
            });
            for _ in 0..6 {
                text.push(self.letter());
            }
        }
        text
    }

    fn letter(&mut self) -> char {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        char::from(b'a' + u8::try_from((self.0 >> 33) % 26).unwrap_or_default())
    }
}
