//! What is whole in a line, and what is not.

use std::ops::Range;

use memchr::memmem;
use recto_protocol::rollout::{LineForm, RolloutLine};
use serde::de::IgnoredAny;

/// How a record starts; looked for where a broken one stands before it. Inside of a string its quotes are escaped.
const RECORD_START: &[u8] = b"{\"timestamp\"";

/// Starts that are tried in one line, so that a hostile line cannot cost the square of its length.
const MOST_ATTEMPTS: usize = 32;

/// The UTF-8 mark that some editors put before a text.
pub(super) const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

/// A part of a line; white space between parts belongs to none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Piece {
    /// A complete JSON object.
    Record(Range<usize>),
    /// Nothing but NUL bytes.
    Nuls(Range<usize>),
    /// A byte order mark.
    Mark(Range<usize>),
    /// Anything else: a record that breaks off, or no record.
    Broken(Range<usize>),
}

/// The parts of a line, in order; a line in good order is one record.
///
/// Behind a broken part the next text that is a whole record with a time, a type and a payload counts as one, as it
/// does where a program died in the middle of a line and wrote on behind it.
pub(super) fn pieces(line: &[u8]) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut salvage = Salvage::default();
    let mut at = 0;
    while at < line.len() {
        let piece = match &line[at..] {
            [b' ' | b'\t' | b'\r' | b'\n', ..] => {
                at += 1;
                continue;
            }
            [0, ..] => Piece::Nuls(at..at + run_of_nuls(&line[at..])),
            rest if rest.starts_with(BYTE_ORDER_MARK) => {
                Piece::Mark(at..at + BYTE_ORDER_MARK.len())
            }
            rest => match object_len(rest) {
                Some(len) => Piece::Record(at..at + len),
                None => Piece::Broken(at..broken_end(line, at, &mut salvage)),
            },
        };
        at = piece.range().end;
        pieces.push(piece);
    }
    pieces
}

impl Piece {
    /// Where it stands in the line.
    pub(super) const fn range(&self) -> &Range<usize> {
        match self {
            Self::Record(range) | Self::Nuls(range) | Self::Mark(range) | Self::Broken(range) => {
                range
            }
        }
    }
}

fn run_of_nuls(bytes: &[u8]) -> usize {
    bytes.iter().position(|byte| *byte != 0).unwrap_or(bytes.len())
}

/// Bytes of the JSON object at the start, if there is a whole one.
fn object_len(bytes: &[u8]) -> Option<usize> {
    if bytes.first() != Some(&b'{') {
        return None;
    }
    let mut values = serde_json::Deserializer::from_slice(bytes).into_iter::<IgnoredAny>();
    values.next()?.ok()?;
    Some(values.byte_offset())
}

/// Where the broken part that starts at `start` ends: at the next whole record, or with the line.
fn broken_end(line: &[u8], start: usize, salvage: &mut Salvage) -> usize {
    let rest = &line[start..];
    match salvage.next_record(rest) {
        Some(at) => start + at,
        None => line.len() - rest.iter().rev().take_while(|byte| **byte == 0).count(),
    }
}

/// Looks for whole records behind what is none, on one line.
#[derive(Debug, Default)]
pub(super) struct Salvage {
    attempts: usize,
}

impl Salvage {
    /// Where behind the first byte the next whole record begins: what a failed write or a killed program left before
    /// it costs nothing but itself.
    pub(super) fn next_record(&mut self, bytes: &[u8]) -> Option<usize> {
        for found in memmem::find_iter(bytes.get(1..)?, RECORD_START) {
            if self.attempts == MOST_ATTEMPTS {
                return None;
            }
            self.attempts += 1;
            let at = found + 1;
            if starts_with_a_record(&bytes[at..]) {
                return Some(at);
            }
        }
        None
    }
}

fn starts_with_a_record(bytes: &[u8]) -> bool {
    // A record that is followed by a bracket stands inside of another, which is broken.
    RolloutLine::parse_prefix(bytes).is_ok_and(|(line, behind)| {
        line.form() == LineForm::Envelope
            && !matches!(behind.trim_ascii_start().first(), Some(b'}' | b']' | b','))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const RECORD: &str = r#"{"timestamp":"t","type":"a","payload":{}}"#;

    fn shape(line: &str) -> String {
        let part = |piece: &Piece| {
            let text = &line[piece.range().clone()];
            match piece {
                Piece::Record(_) => format!("record {text}"),
                Piece::Nuls(_) => format!("{} NULs", text.len()),
                Piece::Mark(_) => "mark".to_owned(),
                Piece::Broken(_) => format!("broken {text}"),
            }
        };
        pieces(line.as_bytes()).iter().map(part).collect::<Vec<_>>().join(" | ")
    }

    #[test]
    fn a_line_falls_into_what_is_whole_and_what_is_not() {
        assert_eq!(shape(" \r"), "");
        assert_eq!(shape(r#" {"a":1e400} "#), r#"record {"a":1e400}"#);
        assert_eq!(shape(r#"{"a":"\ud83d"}"#), r#"record {"a":"\ud83d"}"#);
        assert_eq!(shape("{}{}"), "record {} | record {}");
        assert_eq!(shape("\u{feff}{}\0\0"), "mark | record {} | 2 NULs");
        assert_eq!(shape("[1]"), "broken [1]");
        assert_eq!(shape("{\"a\":1\0\0"), "broken {\"a\":1 | 2 NULs");
        let torn = r#"{"timestamp":"2025-"#;
        assert_eq!(shape(&format!("{torn}{RECORD}")), format!("broken {torn} | record {RECORD}"));
    }

    #[test]
    fn an_object_inside_a_broken_record_is_no_record() {
        let torn = r#"{"timestamp":"t","payload":[{"timestamp":1},{"x":"#;
        assert_eq!(shape(torn), format!("broken {torn}"));
    }

    #[test]
    fn a_record_inside_of_a_broken_one_is_no_record_of_its_own() {
        let torn = format!(r#"{{"timestamp":"t","payload":[{RECORD},{RECORD}"#);
        let broken = torn.strip_suffix(RECORD).unwrap();
        assert_eq!(shape(&torn), format!("broken {broken} | record {RECORD}"));
        let torn = format!(r#"{{"timestamp":"t","payload":[{RECORD}],"x"#);
        assert_eq!(shape(&torn), format!("broken {torn}"));
    }

    #[test]
    fn deep_nesting_is_followed_without_recursion() {
        let deep = format!("{}{}{}", r#"{"a":"#.repeat(100_000), 1, "}".repeat(100_000));
        assert_eq!(pieces(deep.as_bytes()), [Piece::Record(0..deep.len())]);
    }
}
