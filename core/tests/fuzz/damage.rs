//! Records as a killed program, a bad disk, an editor or somebody who means harm would leave them.

#![expect(clippy::disallowed_methods, reason = "reads the recorded fixtures")]

use std::fs;
use std::path::Path;

use crate::dice::Dice;

/// What stands in records and may stand where it does not belong.
const WORDS: [&[u8]; 16] = [
    b"\n",
    b"\r\n",
    b"{",
    b"}",
    b"[",
    b"\"",
    b"\\",
    b"\0\0\0",
    b"\xEF\xBB\xBF",
    b"\xFF\xFE",
    b"\\ud83d",
    b"1e400",
    b"null",
    b"{\"timestamp\":\"t\",\"type\":\"compacted\",\"payload\":{\"message\":\"m\"}}\n",
    b"{\"timestamp\":\"t\",\"type\":\"event_msg\",\"payload\":{\"type\":\"thread_rolled_back\",\"num_turns\":3}}\n",
    b"{\"timestamp\":\"t\",\"type\":\"world_state\",\"payload\":{\"full\":false,\"state\":{\"agents_md\":null}}}\n",
];

/// The recorded sessions that are damaged.
pub(crate) fn recorded() -> Vec<Vec<u8>> {
    let directory = "../protocol/tests/fixtures/rollouts/0.171.0";
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join(directory);
    let entries = fs::read_dir(directory).expect("the fixtures are there");
    let mut paths: Vec<_> = entries.map(|entry| entry.expect("it is listed").path()).collect();
    paths.sort();
    paths.iter().map(|path| fs::read(path).expect("a fixture can be read")).collect()
}

/// A session with some damage; the same for the same dice.
pub(crate) fn damaged(sessions: &[Vec<u8>], dice: &mut Dice) -> Vec<u8> {
    let mut bytes = dice.one_of(sessions).clone();
    for _ in 0..=dice.below(6) {
        damage(&mut bytes, sessions, dice);
    }
    bytes
}

fn damage(bytes: &mut Vec<u8>, sessions: &[Vec<u8>], dice: &mut Dice) {
    let at = dice.below(bytes.len());
    let length = 1 << dice.below(13);
    let end = (at + length).min(bytes.len());
    match dice.below(9) {
        0 => bytes.truncate(at),
        1 => drop(bytes.drain(at..end)),
        2 => flip(bytes, at, dice),
        3 => drop(bytes.splice(at..at, dice.one_of(&WORDS).iter().copied())),
        4 => {
            let part = bytes[at..end].repeat(1 + dice.below(20));
            drop(bytes.splice(at..at, part));
        }
        5 => {
            let other = dice.one_of(sessions);
            let from = dice.below(other.len());
            let part = other[from..(from + length).min(other.len())].to_vec();
            drop(bytes.splice(at..end, part));
        }
        6 => swap_lines(bytes, dice),
        7 => {
            let open = dice.one_of(&[&b"[["[..], b"{\"a\":", b"\"a\","]).repeat(length);
            drop(bytes.splice(at..at, open));
        }
        _ => swap_words(bytes, dice),
    }
}

fn flip(bytes: &mut [u8], at: usize, dice: &mut Dice) {
    if let Some(byte) = bytes.get_mut(at) {
        *byte ^= 1 << dice.below(8);
    }
}

fn swap_lines(bytes: &mut Vec<u8>, dice: &mut Dice) {
    let mut lines: Vec<Vec<u8>> =
        bytes.split_inclusive(|byte| *byte == b'\n').map(<[u8]>::to_vec).collect();
    let (one, other) = (dice.below(lines.len()), dice.below(lines.len()));
    if !lines.is_empty() {
        lines.swap(one, other);
    }
    *bytes = lines.concat();
}

/// Puts one name of a member or a type in the place of another.
fn swap_words(bytes: &mut Vec<u8>, dice: &mut Dice) {
    let names = ["payload", "type", "state", "full", "text", "call_id", "content", "ordinal"];
    let (one, other) = (dice.one_of(&names).as_bytes(), dice.one_of(&names).as_bytes());
    let places: Vec<usize> = memchr::memmem::find_iter(bytes, one).collect();
    if !places.is_empty() {
        let at = *dice.one_of(&places);
        drop(bytes.splice(at..at + one.len(), other.iter().copied()));
    }
}
