//! Columns, wrapped lines and numbers, by display width.

use std::borrow::Cow;

use unicode_width::UnicodeWidthStr;

/// The columns that our output is made for.
pub(crate) const WIDTH: usize = 80;

/// The columns that a text takes; styles count as none.
pub(crate) fn width(text: &str) -> usize {
    anstream::adapter::strip_str(text).to_string().width()
}

/// A text with spaces behind it.
pub(crate) fn left(text: &str, columns: usize) -> String {
    format!("{text}{}", " ".repeat(columns.saturating_sub(width(text))))
}

/// A text with spaces before it.
pub(crate) fn right(text: &str, columns: usize) -> String {
    format!("{}{text}", " ".repeat(columns.saturating_sub(width(text))))
}

/// Breaks a text at spaces into lines of at most that many columns; a longer word stands alone.
pub(crate) fn wrap(text: &str, columns: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split(' ') {
        match lines.last_mut() {
            Some(line) if width(line) + 1 + width(word) <= columns => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

/// `32,768`
pub(crate) fn grouped(number: impl TryInto<u64>) -> String {
    let digits = number.try_into().unwrap_or(u64::MAX).to_string();
    let mut out = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at) % 3 == 0 {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// `1 file`, `2 files`
pub(crate) fn counted(number: u64, noun: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{} {noun}{plural}", grouped(number))
}

/// `≈1,024`
pub(crate) fn approximately(tokens: usize) -> String {
    format!("≈{}", grouped(tokens as u64))
}

/// Whether a terminal obeys a character instead of showing it: controls, and marks that turn the direction of text.
pub(crate) fn steers(character: char) -> bool {
    character.is_control() || matches!(character, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Makes control characters visible, so that a file cannot steer a terminal; tabs and line ends stay.
pub(crate) fn readable(text: &str) -> Cow<'_, str> {
    let is_plain = |character: char| !steers(character) || matches!(character, '\n' | '\t');
    if text.chars().all(is_plain) {
        return Cow::Borrowed(text);
    }
    text.chars()
        .map(|character| match character {
            _ if is_plain(character) => character,
            '\u{7f}' => '\u{2421}',
            '\0'..='\u{1f}' => char::from_u32(0x2400 + u32::from(character)).unwrap_or('\u{fffd}'),
            _ => '\u{fffd}',
        })
        .collect::<String>()
        .into()
}

/// [`readable`] on one line.
pub(crate) fn one_line(text: &str) -> String {
    readable(text).replace('\n', "\u{240a}").replace('\t', " ")
}

/// The start of a line, with `…` where it was longer; what it costs does not follow the text's length.
pub(crate) fn shortened(text: &str, columns: usize) -> String {
    // Characters may have no width, and more of them than this say nothing to anybody.
    let end = text.char_indices().nth(columns * 16).map_or(text.len(), |(end, _)| end);
    let is_cut = end < text.len();
    let text = one_line(&text[..end]);
    if !is_cut && text.width() <= columns {
        return text;
    }
    let mut out = String::new();
    for character in text.chars() {
        if out.width() + character.to_string().width() + 1 > columns {
            break;
        }
        out.push(character);
    }
    out + "…"
}
