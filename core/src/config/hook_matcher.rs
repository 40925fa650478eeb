//! For which sources of an event a hook runs.

use regex::Regex;

/// The sources of an event for which a hook runs; only the start of a session has any.
#[derive(Debug, Clone, Default)]
pub struct HookMatcher(Sources);

#[derive(Debug, Clone, Default)]
enum Sources {
    #[default]
    All,
    Names(Vec<String>),
    Pattern(Regex),
}

/// Why a text is no matcher.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("it is no regular expression: {problem}")]
pub struct MatcherError {
    /// What is wrong with it, as a phrase.
    pub problem: String,
}

impl HookMatcher {
    /// Reads a matcher as the reference does.
    ///
    /// No text at all and `*` stand for every source. Letters, digits, `_` and `|` alone are whole names with bars between
    /// them: `startup|resume`. Everything else, be it a space, is a regular expression that is looked for anywhere in the
    /// name of the source.
    pub fn new(text: &str) -> Result<Self, MatcherError> {
        let is_of_names = |it: u8| it.is_ascii_alphanumeric() || matches!(it, b'_' | b'|');
        Ok(Self(match text {
            "" | "*" => Sources::All,
            names if names.bytes().all(is_of_names) => {
                Sources::Names(names.split('|').map(str::to_owned).collect())
            }
            pattern => Sources::Pattern(Regex::new(pattern).map_err(|error| fault(&error))?),
        }))
    }

    /// Whether a hook runs for this source.
    pub fn matches(&self, source: &str) -> bool {
        match &self.0 {
            Sources::All => true,
            Sources::Names(names) => names.iter().any(|name| name == source),
            Sources::Pattern(pattern) => pattern.is_match(source),
        }
    }
}

impl PartialEq for HookMatcher {
    fn eq(&self, other: &Self) -> bool {
        match (&self.0, &other.0) {
            (Sources::All, Sources::All) => true,
            (Sources::Names(names), Sources::Names(others)) => names == others,
            (Sources::Pattern(pattern), Sources::Pattern(other)) => {
                pattern.as_str() == other.as_str()
            }
            _ => false,
        }
    }
}

impl Eq for HookMatcher {}

/// The last line of the parser's drawing says what is wrong.
fn fault(error: &regex::Error) -> MatcherError {
    let problem = match error {
        regex::Error::Syntax(text) => {
            text.rsplit("error: ").next().unwrap_or_default().trim().to_owned()
        }
        regex::Error::CompiledTooBig(limit) => format!("it takes more than {limit} bytes"),
        _ => error.to_string(),
    };
    MatcherError { problem }
}
