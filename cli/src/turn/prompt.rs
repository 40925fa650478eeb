//! What the person says: the argument, standard input, or both.

use std::ffi::OsStr;
use std::io::{self, IsTerminal, Read};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use crate::inputs::InputError;
use crate::printer::Printer;

/// Characters that a prompt may have, as in the reference.
const LONGEST_PROMPT: usize = 1_048_576;

/// Bytes that are read of standard input: a character has four at most, a byte order mark three.
const MOST_BYTES: u64 = 4 * LONGEST_PROMPT as u64 + 4;

/// How long standard input may be silent before the person is told that it is waited for.
const PATIENCE: Duration = Duration::from_millis(500);

/// What standard input is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum InputRule {
    /// The prompt where there is no other; else it goes with it, unless it is a terminal.
    PromptOrBeside,
    /// The prompt where there is no other.
    Prompt,
}

/// What the person says; it may not be blank.
pub(crate) fn said(
    argument: Option<&OsStr>,
    rule: InputRule,
    printer: &mut Printer,
) -> Result<String, InputError> {
    let text = match argument.filter(|it| *it != "-") {
        None => decode(&read(printer)?, "standard input")?,
        Some(argument) => {
            let prompt = decode(argument.as_encoded_bytes(), "the prompt")?;
            let is_beside = rule == InputRule::PromptOrBeside && !io::stdin().is_terminal();
            let beside =
                if is_beside { decode(&read(printer)?, "standard input")? } else { String::new() };
            with_beside(prompt, &beside)
        }
    };
    if text.trim().is_empty() {
        return Err(InputError::NoPrompt);
    }
    match text.chars().count() {
        0..=LONGEST_PROMPT => Ok(text),
        _ => Err(InputError::TooLong { limit: LONGEST_PROMPT }),
    }
}

/// The prompt with what came on standard input, as the reference puts them together.
fn with_beside(prompt: String, beside: &str) -> String {
    if beside.trim().is_empty() {
        return prompt;
    }
    let end = if beside.ends_with('\n') { "" } else { "\n" };
    format!("{prompt}\n\n<stdin>\n{beside}{end}</stdin>")
}

/// Reads standard input to its end; somebody who does not know that it is open is told.
fn read(printer: &mut Printer) -> Result<Vec<u8>, InputError> {
    let (sender, receiver) = channel();
    let reader = thread::Builder::new().name("stdin".to_owned()).spawn(move || {
        let mut bytes = Vec::new();
        let read = io::stdin().lock().take(MOST_BYTES).read_to_end(&mut bytes);
        // The receiver waits for as long as the program runs.
        let _ = sender.send(read.map(|_| bytes));
    });
    reader.map_err(InputError::StandardInput)?;
    let read = match receiver.recv_timeout(PATIENCE) {
        Err(RecvTimeoutError::Timeout) => {
            printer.note("waits", "for the end of standard input");
            receiver.recv().map_err(|_| RecvTimeoutError::Disconnected)
        }
        read => read,
    };
    read.unwrap_or_else(|_| Err(io::Error::other("it was not read to its end")))
        .map_err(InputError::StandardInput)
}

/// Text in UTF-8, or in UTF-16 that begins with its mark; a mark is no part of the text.
fn decode(bytes: &[u8], place: &'static str) -> Result<String, InputError> {
    match bytes {
        [0xff, 0xfe, rest @ ..] => decode_utf16(rest, u16::from_le_bytes, place),
        [0xfe, 0xff, rest @ ..] => decode_utf16(rest, u16::from_be_bytes, place),
        _ => {
            let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
            let not_text = |error: std::str::Utf8Error| InputError::NotUtf8 {
                place,
                offset: error.valid_up_to(),
            };
            std::str::from_utf8(text).map(str::to_owned).map_err(not_text)
        }
    }
}

fn decode_utf16(
    bytes: &[u8],
    unit: fn([u8; 2]) -> u16,
    place: &'static str,
) -> Result<String, InputError> {
    let (pairs, _) = bytes.as_chunks::<2>();
    let units: Vec<u16> = pairs.iter().map(|pair| unit(*pair)).collect();
    String::from_utf16(&units).map_err(|_| InputError::NotUtf8 { place, offset: 0 })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_piped_in_stands_in_a_block_behind_the_prompt() {
        let with = |beside| with_beside("do it".to_owned(), beside);
        assert_eq!(with("data\n"), "do it\n\n<stdin>\ndata\n</stdin>");
        assert_eq!(with("data"), "do it\n\n<stdin>\ndata\n</stdin>");
        assert_eq!(with("\n data \n\n"), "do it\n\n<stdin>\n\n data \n\n</stdin>");
        assert_eq!(with(" \n"), "do it");
    }

    #[test]
    fn marks_of_an_encoding_are_no_text() {
        let decoded = |bytes: &[u8]| decode(bytes, "it").expect("it is text");
        assert_eq!(decoded(b"\xef\xbb\xbfhi"), "hi");
        assert_eq!(decoded(b"\xff\xfeh\0i\0"), "hi");
        assert_eq!(decoded(b"\xfe\xff\0h\0i"), "hi");
    }
}
