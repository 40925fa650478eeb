//! The number that a line of a numbered rollout carries.

use std::sync::LazyLock;

use memchr::memmem;
use recto_protocol::rollout::Ordinal;
use serde::Deserialize;
use serde_json::value::RawValue;

use super::records::{Piece, pieces};

/// How lines start where the time stands first, as this program and Codex write them.
const TIME_FIRST: &str = "{\"timestamp\":\"";

/// The ordinal's key; a quote inside a string is escaped, so these bytes are a key wherever they stand.
const KEY: &[u8] = b"\"ordinal\"";

/// Finds it; made once, for every line of a file is looked through.
static KEYS: LazyLock<memmem::Finder<'static>> = LazyLock::new(|| memmem::Finder::new(KEY));

/// The greatest ordinal of the records in a line, whether or not the line is in good order.
///
/// A record that breaks off counts too where its ordinal stands behind the time, so that no number is given twice.
pub(super) fn greatest_ordinal(line: &[u8]) -> Option<u64> {
    let mut keys = KEYS.find_iter(line);
    keys.next()?;
    let front = front_ordinal(line);
    if front.is_some() && keys.next().is_none() {
        return front;
    }
    let of_piece = |piece: &Piece| match piece {
        Piece::Record(range) => member_ordinal(&line[range.clone()]),
        Piece::Broken(range) => front_ordinal(&line[range.clone()]),
        Piece::Nuls(_) | Piece::Mark(_) => None,
    };
    pieces(line).iter().filter_map(of_piece).max()
}

/// The line with an ordinal behind its time; one that it has is kept where it is not below `next`.
///
/// Returns the line and the ordinal that it carries now.
pub(super) fn with_ordinal(line: &str, next: u64) -> (String, u64) {
    if let Some(own) = own_ordinal(line) {
        return match number(own.get()).filter(|number| *number >= next) {
            Some(kept) => (line.to_owned(), kept),
            None => (replace(line, own.get(), next), next),
        };
    }
    let (head, rest) = match end_of_time(line) {
        Some(end) => (format!("{},\"ordinal\":{next}", &line[..end]), &line[end..]),
        None => (format!("{{\"ordinal\":{next}"), after_brace(line)),
    };
    let comma = if rest.trim_start().starts_with([',', '}']) { "" } else { "," };
    (format!("{head}{comma}{rest}"), next)
}

/// What stands in an object behind its brace.
fn after_brace(line: &str) -> &str {
    line.trim_start().trim_start_matches('{').trim_start()
}

/// The ordinal right behind the time of a line that starts with it.
fn front_ordinal(line: &[u8]) -> Option<u64> {
    let rest = line.strip_prefix(TIME_FIRST.as_bytes())?;
    let end = memchr::memchr(b'"', rest)?;
    let rest = rest[end + 1..].strip_prefix(b",")?.strip_prefix(KEY)?.strip_prefix(b":")?;
    let end = rest.iter().position(|byte| matches!(byte, b',' | b'}'))?;
    number(std::str::from_utf8(&rest[..end]).ok()?)
}

/// The ordinal of a whole record, wherever it stands.
fn member_ordinal(record: &[u8]) -> Option<u64> {
    let members: Members = serde_json::from_slice(record).ok()?;
    number(members.ordinal?.get())
}

fn own_ordinal(line: &str) -> Option<&RawValue> {
    memmem::find(line.as_bytes(), KEY)?;
    serde_json::from_str::<Members>(line).ok()?.ordinal
}

#[derive(Deserialize)]
struct Members<'a> {
    #[serde(borrow)]
    ordinal: Option<&'a RawValue>,
}

/// Puts a number in the place of a part of the line.
fn replace(line: &str, part: &str, number: u64) -> String {
    let start = part.as_ptr().addr() - line.as_ptr().addr();
    format!("{}{number}{}", &line[..start], &line[start + part.len()..])
}

/// Where the time of a line ends that starts with it.
fn end_of_time(line: &str) -> Option<usize> {
    let rest = line.strip_prefix(TIME_FIRST)?;
    Some(TIME_FIRST.len() + rest.find('"')? + 1)
}

/// The number that some JSON is, where it is a whole one.
fn number(json: &str) -> Option<u64> {
    Ordinal::parse(json.trim())?.number()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ordinals_are_found_wherever_they_stand() {
        for (line, expected) in [
            (r#"{"timestamp":"t","type":"a"}"#, None),
            (r#"{"timestamp":"t","ordinal":7,"type":"a"}"#, Some(7)),
            (r#"{"timestamp":"t","ordinal":7.0,"payload":{"ordinal":99}}"#, Some(7)),
            (r#"{"payload":{"ordinal":99},"ordinal":3}"#, Some(3)),
            (r#"{"payload":{"ordinal":99}}"#, None),
            (r#"{"timestamp":"t","ordinal":7,"payload":"torn"#, Some(7)),
            (r#"{"timestamp":"t","ordinal":7}{"timestamp":"t","ordinal":8}"#, Some(8)),
            (r#"{"timestamp":"t","ordinal":-1}"#, None),
        ] {
            assert_eq!(greatest_ordinal(line.as_bytes()), expected, "{line}");
        }
    }

    #[test]
    fn a_line_is_numbered_behind_its_time() {
        for (line, expected, ordinal) in [
            (r#"{"timestamp":"t","type":"a"}"#, r#"{"timestamp":"t","ordinal":5,"type":"a"}"#, 5),
            (r#"{"timestamp":"t"}"#, r#"{"timestamp":"t","ordinal":5}"#, 5),
            (r#"{"type":"a"}"#, r#"{"ordinal":5,"type":"a"}"#, 5),
            ("{}", r#"{"ordinal":5}"#, 5),
            (r#"{"ordinal": 25}"#, r#"{"ordinal": 25}"#, 25),
            (r#"{"ordinal": 2, "a":1}"#, r#"{"ordinal": 5, "a":1}"#, 5),
            (r#"{"ordinal":"x"}"#, r#"{"ordinal":5}"#, 5),
        ] {
            assert_eq!(with_ordinal(line, 5), (expected.to_owned(), ordinal), "{line}");
        }
    }
}
