//! Characters that a model reads and a person does not see.

use std::fmt;

/// Why a person does not see a character.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HiddenKind {
    /// A tag character (U+E0000 to U+E007F): a second, invisible ASCII.
    Tag,
    /// It has no width: spaces and joiners where no script joins, fillers, invisible operators.
    ZeroWidth,
    /// It turns the direction of writing, so that a line is read in another order than it is shown.
    Bidirectional,
    /// A variation selector that selects nothing; a row of them can hold any bytes.
    VariationSelector,
    /// A control character that is no white space; it can steer a terminal.
    Control,
}

impl fmt::Display for HiddenKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Tag => "tag character",
            Self::ZeroWidth => "zero-width character",
            Self::Bidirectional => "bidirectional control",
            Self::VariationSelector => "variation selector",
            Self::Control => "control character",
        })
    }
}

/// The hidden characters of one kind in a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HiddenText {
    /// What they are.
    pub kind: HiddenKind,
    /// The line of the first one, counted from 1.
    pub line: usize,
    /// How many there are.
    pub count: usize,
    /// What tag characters spell; empty for other kinds.
    pub spelled: String,
}

impl fmt::Display for HiddenText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { kind, line, count, spelled } = self;
        let (plural, pronoun) = if *count == 1 { ("", "it spells") } else { ("s", "they spell") };
        write!(f, "holds {count} {kind}{plural} from line {line} on, which people do not see")?;
        if spelled.is_empty() {
            return Ok(());
        }
        let head: String = spelled.chars().take(LONGEST_SPELLED).collect();
        let more = if head.len() < spelled.len() { "…" } else { "" };
        write!(f, "; {pronoun} \"{head}{more}\"")
    }
}

/// Characters of a hidden text that a sentence repeats.
const LONGEST_SPELLED: usize = 80;

/// Finds what a model reads in a text and a person does not see, one answer a kind, by the line of the first.
///
/// What writing needs is not hidden text: joiners between letters of scripts that join and in emoji, one variation
/// selector behind the character that it varies, the tags of a flag, a byte order mark at the start.
pub fn hidden_text(text: &str) -> Vec<HiddenText> {
    let mut found: Vec<HiddenText> = Vec::new();
    let mut line = 1;
    let mut before = None;
    let mut rest = text.strip_prefix('\u{feff}').unwrap_or(text).chars();
    while let Some(character) = rest.next() {
        if before == Some(BLACK_FLAG) && is_tag(character) {
            let tags = flag_tags(character, rest.as_str());
            if tags > 0 {
                before = rest.nth(tags - 1);
                continue;
            }
        }
        let next = rest.as_str().chars().next();
        if let Some(kind) = kind(character, before, next) {
            let at = found.iter().position(|it| it.kind == kind).unwrap_or_else(|| {
                found.push(HiddenText { kind, line, count: 0, spelled: String::new() });
                found.len() - 1
            });
            found[at].count += 1;
            found[at].spelled.extend(spelled(character));
        }
        line += usize::from(character == '\n');
        before = Some(character);
    }
    found
}

/// Begins the flags that tags spell.
const BLACK_FLAG: char = '\u{1f3f4}';

/// Ends the tags of a flag.
const CANCEL_TAG: char = '\u{e007f}';

/// Tags that a flag has at most, the last one not counted.
const LONGEST_FLAG: usize = 6;

fn is_tag(character: char) -> bool {
    matches!(character, '\u{e0000}'..='\u{e007f}')
}

/// How many characters of `rest` belong to the flag whose first tag was just read; 0 where it is no flag.
fn flag_tags(first: char, rest: &str) -> usize {
    let is_flag_tag =
        |it: char| matches!(it, '\u{e0030}'..='\u{e0039}' | '\u{e0061}'..='\u{e007a}');
    let more = rest.chars().take_while(|it| is_flag_tag(*it)).count();
    let is_flag =
        is_flag_tag(first) && more < LONGEST_FLAG && rest.chars().nth(more) == Some(CANCEL_TAG);
    if is_flag { more + 1 } else { 0 }
}

fn kind(character: char, before: Option<char>, next: Option<char>) -> Option<HiddenKind> {
    match character {
        '\u{e0000}'..='\u{e007f}' => Some(HiddenKind::Tag),
        '\u{200c}' | '\u{200d}' => {
            (!joins(before) || !joins(next)).then_some(HiddenKind::ZeroWidth)
        }
        '\u{ad}'
        | '\u{34f}'
        | '\u{115f}'
        | '\u{1160}'
        | '\u{17b4}'
        | '\u{17b5}'
        | '\u{180e}'
        | '\u{200b}'
        | '\u{2060}'..='\u{2065}'
        | '\u{3164}'
        | '\u{feff}'
        | '\u{ffa0}' => Some(HiddenKind::ZeroWidth),
        '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{206f}' => {
            Some(HiddenKind::Bidirectional)
        }
        '\u{fe00}'..='\u{fe0f}' | '\u{e0100}'..='\u{e01ef}' => {
            (!varies(before)).then_some(HiddenKind::VariationSelector)
        }
        '\t' | '\n' | '\r' | '\u{c}' => None,
        it if it.is_control() => Some(HiddenKind::Control),
        _ => None,
    }
}

/// Whether a joiner may stand beside it.
fn joins(neighbour: Option<char>) -> bool {
    neighbour.is_some_and(|it| {
        let is_joined = it.is_alphanumeric()
            || matches!(it, '\u{2190}'..='\u{2bff}' | '\u{fe0f}' | '\u{1f000}'..);
        // Vowel signs and the like are marks, which are not alphanumeric in every script.
        let is_mark = matches!(it, '\u{300}'..='\u{1fff}');
        !it.is_ascii() && (is_joined || is_mark) && !is_tag(it)
    })
}

/// Whether a variation selector can vary it.
fn varies(before: Option<char>) -> bool {
    before.is_some_and(|it| {
        let is_keycap = it.is_ascii_digit() || matches!(it, '#' | '*');
        let is_selector = matches!(it, '\u{fe00}'..='\u{fe0f}' | '\u{e0100}'..='\u{e01ef}');
        is_keycap || (!it.is_ascii() && !it.is_whitespace() && !is_selector)
    })
}

/// The ASCII character that a tag stands for.
fn spelled(character: char) -> Option<char> {
    let ascii = u32::from(character).checked_sub(0xe0000)?;
    char::from_u32(ascii).filter(|it| it.is_ascii_graphic() || *it == ' ')
}
