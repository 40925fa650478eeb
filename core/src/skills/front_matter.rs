//! The head of a `SKILL.md`: YAML between two lines of three dashes.

use std::borrow::Cow;

use serde::Deserialize;
use serde::de::{DeserializeOwned, IgnoredAny};

/// Characters that a name may have.
const MAX_NAME_CHARACTERS: usize = 64;

/// What a skill says about itself; runs of white space are single spaces.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct FrontMatter {
    /// Its name; none where the directory's name serves.
    pub(super) name: Option<String>,
    /// What it is for.
    pub(super) description: String,
}

/// Why a head does not describe a skill.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FrontMatterError {
    /// It is not text.
    #[error("it is not valid UTF-8")]
    NotUtf8,
    /// A byte order mark stands before the dashes.
    #[error("it starts with a byte order mark; save it without one")]
    ByteOrderMark,
    /// The first line is another.
    #[error("it does not start with a line `---`")]
    Missing,
    /// The second line of dashes is missing, or too far away.
    #[error("no line `---` ends its front matter within the first {limit} bytes")]
    Unclosed {
        /// Bytes that were read.
        limit: u64,
    },
    /// What stands between them is no YAML with fields.
    #[error("its front matter is not valid YAML: {message}")]
    Yaml {
        /// The parser's words.
        message: String,
    },
    /// Nothing tells when to use it.
    #[error("its front matter has no `description`")]
    NoDescription,
    /// Its name is a text of its own.
    #[error("its name has {length} characters, {MAX_NAME_CHARACTERS} are allowed")]
    LongName {
        /// Characters of the name.
        length: usize,
    },
}

/// The fields that count; YAML may have more.
#[derive(Debug, Deserialize)]
struct Fields {
    #[serde(default)]
    name: Option<String>,
    #[serde(default)]
    description: Option<String>,
}

/// Reads the head of a file of which no more than `limit` bytes are at hand.
pub(super) fn front_matter(bytes: &[u8], limit: u64) -> Result<FrontMatter, FrontMatterError> {
    let yaml = between_dashes(text(bytes, limit)?, limit)?;
    let Fields { name, description } = fields(&yaml)?;
    let description = description.as_deref().map(single_spaced).unwrap_or_default();
    if description.is_empty() {
        return Err(FrontMatterError::NoDescription);
    }
    let name = name.as_deref().map(single_spaced).filter(|name| !name.is_empty());
    let length = name.as_ref().map_or(0, |name| name.chars().count());
    if length > MAX_NAME_CHARACTERS {
        return Err(FrontMatterError::LongName { length });
    }
    Ok(FrontMatter { name, description })
}

/// The bytes as text; a last character that the limit split is left away.
fn text(bytes: &[u8], limit: u64) -> Result<&str, FrontMatterError> {
    std::str::from_utf8(bytes).or_else(|error| {
        let is_cut = bytes.len() as u64 >= limit && error.error_len().is_none();
        let whole = is_cut.then(|| std::str::from_utf8(&bytes[..error.valid_up_to()]).ok());
        whole.flatten().ok_or(FrontMatterError::NotUtf8)
    })
}

fn between_dashes(text: &str, limit: u64) -> Result<String, FrontMatterError> {
    if text.starts_with('\u{feff}') {
        return Err(FrontMatterError::ByteOrderMark);
    }
    let mut lines = text.lines();
    if lines.next().is_none_or(|first| first.trim() != "---") {
        return Err(FrontMatterError::Missing);
    }
    let mut yaml = String::new();
    for line in lines {
        if line.trim() == "---" {
            return Ok(yaml);
        }
        yaml.push_str(line);
        yaml.push('\n');
    }
    Err(FrontMatterError::Unclosed { limit })
}

/// The fields of the YAML; of YAML that only lacks quotes around a value, too, as the reference takes it.
fn fields(yaml: &str) -> Result<Fields, FrontMatterError> {
    let error = match read::<Fields>(yaml) {
        Ok(fields) => return Ok(fields),
        Err(error) => error,
    };
    let quoted: String =
        yaml.lines().map(quoted_where_needed).fold(String::new(), |all, line| all + &line + "\n");
    read(&quoted).map_err(|_| {
        let message = error.without_snippet().to_string();
        FrontMatterError::Yaml { message: message.lines().next().unwrap_or_default().to_owned() }
    })
}

/// Reads YAML; aliases may not make it more than a little longer.
fn read<T: DeserializeOwned>(yaml: &str) -> Result<T, serde_saphyr::Error> {
    let alias_limits = serde_saphyr::alias_limits! { max_total_replayed_events: 10_000 };
    serde_saphyr::from_str_with_options(yaml, serde_saphyr::options! { alias_limits: alias_limits })
}

/// A line `key: value` at the margin, its value in quotes where it has none and would not be read as text.
fn quoted_where_needed(line: &str) -> Cow<'_, str> {
    let Some((key, value)) = line.split_once(": ") else { return Cow::Borrowed(line) };
    let is_key = !key.is_empty() && key.chars().all(|it| it.is_alphanumeric() || "-_".contains(it));
    let value = value.split(" #").next().unwrap_or(value).trim();
    let is_plain = !value.is_empty() && !value.starts_with(['"', '\'', '|', '>', '*', '&', '!']);
    let is_read = !value.contains(": ") && read::<IgnoredAny>(value).is_ok();
    if !is_key || !is_plain || is_read {
        return Cow::Borrowed(line);
    }
    Cow::Owned(format!("{key}: '{}'", value.replace('\'', "''")))
}

fn single_spaced(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
