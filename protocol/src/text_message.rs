//! What there is to know about a message of texts without decoding it: who speaks, how much, and what goes out.

use memchr::memchr2;

use crate::Role;
use crate::issued_id::is_issued;
use crate::wire_text::WireText;

const TYPES: [&str; 2] = ["input_text", "output_text"];

/// A message of texts alone, found by one look over its JSON as programs write it.
///
/// Where there is one, the item decodes as a [`Message`](crate::Message) of this role with texts of these sizes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextMessage {
    /// Who speaks.
    pub role: Role,
    /// The sizes of its texts, in their order.
    pub texts: Vec<TextSize>,
}

/// How much a text says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TextSize {
    /// Its bytes, without the escapes of JSON.
    pub bytes: usize,
    /// Whether it is only white space.
    pub is_blank: bool,
}

impl TextMessage {
    /// Looks over an item, and gives what of it goes out as well; none where it is written in any other way, has a
    /// member or part of another sort or a character by its number, which may be half of one.
    ///
    /// The text is one valid JSON object, so that only its form has to be followed.
    pub(crate) fn of_json(json: &str) -> Option<(Self, WireText)> {
        let mut rest = Rest(json);
        rest.pass(r#"{"type":"message""#)?;
        let before_id = json.len() - rest.0.len();
        let mut wire = WireText::Same;
        if rest.pass(r#","id":""#).is_some() {
            let id = rest.string()?;
            if id.contains('\\') {
                return None;
            }
            if !is_issued("message", id) {
                let end = json.len() - rest.0.len();
                wire = WireText::Cut(before_id.try_into().ok()?..end.try_into().ok()?);
            }
        }
        rest.pass(r#","role":""#)?;
        let role = rest.string()?.parse().ok()?;
        rest.pass(r#","content":["#)?;
        let texts = rest.texts()?;
        if rest.pass(r#","phase":""#).is_some() {
            rest.string()?;
        }
        (rest.0 == "}").then_some((Self { role, texts }, wire))
    }
}

/// What is not looked at yet.
struct Rest<'a>(&'a str);

impl<'a> Rest<'a> {
    fn pass(&mut self, expected: &str) -> Option<()> {
        self.0 = self.0.strip_prefix(expected)?;
        Some(())
    }

    /// The rest of a string that is begun, as it is written.
    fn string(&mut self) -> Option<&'a str> {
        Some(self.counted_string()?.0)
    }

    /// The same, and how many escapes are in it.
    fn counted_string(&mut self) -> Option<(&'a str, usize)> {
        let bytes = self.0.as_bytes();
        let (mut at, mut escapes) = (0, 0);
        loop {
            at += memchr2(b'"', b'\\', bytes.get(at..)?)?;
            if bytes[at] == b'"' {
                let string = &self.0[..at];
                self.0 = &self.0[at + 1..];
                return Some((string, escapes));
            }
            if bytes.get(at + 1) == Some(&b'u') {
                return None;
            }
            escapes += 1;
            at += 2;
        }
    }

    /// The rest of an array that is begun.
    fn texts(&mut self) -> Option<Vec<TextSize>> {
        let mut texts = Vec::with_capacity(1);
        loop {
            self.pass(r#"{"type":""#)?;
            if !TYPES.contains(&self.string()?) {
                return None;
            }
            self.pass(r#","text":""#)?;
            let (text, escapes) = self.counted_string()?;
            self.pass("}")?;
            texts.push(TextSize { bytes: text.len() - escapes, is_blank: is_blank(text) });
            if self.pass("]").is_some() {
                return Some(texts);
            }
            self.pass(",")?;
        }
    }
}

/// Whether a string is only white space; each escape is a letter behind a backslash.
fn is_blank(text: &str) -> bool {
    let mut rest = text.trim_start();
    while let Some(behind) = rest.strip_prefix(r"\") {
        match behind.strip_prefix(['n', 'r', 't', 'f']) {
            Some(behind) => rest = behind.trim_start(),
            None => return false,
        }
    }
    rest.is_empty()
}
