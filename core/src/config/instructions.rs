//! Texts that stand at the start of every session, and which fragments are sent at all.

use std::path::PathBuf;

use super::location::Location;
use super::value::{Table, get_boolean, get_text};

/// Texts that stand at the start of every session, and which fragments are sent at all.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InstructionsConfig {
    /// Base instructions in place of the model's own.
    pub base_instructions: Option<ConfiguredInstructions>,
    /// A developer message at the start; none where it is the empty string.
    pub developer_instructions: Option<String>,
    /// The tone of answers, where one was chosen.
    pub personality: Option<Personality>,
    /// Whether the model is told what it may do.
    pub include_permissions_instructions: bool,
    /// Whether the model is told where it works.
    pub include_environment_context: bool,
    /// Whether that tells the date and the time zone.
    pub include_environment_context_time: bool,
}

/// Base instructions that somebody configured.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConfiguredInstructions {
    /// The text; trimmed where it comes from a file.
    pub text: String,
    /// Where it is set.
    pub location: Location,
    /// The file that it was read from; none for `instructions`.
    pub file: Option<PathBuf>,
}

/// The tone in which a model answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Personality {
    /// None in particular.
    None,
    /// Warm.
    Friendly,
    /// Matter-of-fact.
    Pragmatic,
}

impl Personality {
    /// The names in the configuration.
    pub const NAMES: &'static [&'static str] = &["none", "friendly", "pragmatic"];

    fn from_name(name: &str) -> Option<Self> {
        match name {
            "none" => Some(Self::None),
            "friendly" => Some(Self::Friendly),
            "pragmatic" => Some(Self::Pragmatic),
            _ => None,
        }
    }
}

/// Everything but the base instructions.
pub(super) fn instructions(settings: &Table) -> InstructionsConfig {
    let switch = |key| get_boolean(settings, &[key]).unwrap_or(true);
    InstructionsConfig {
        base_instructions: None,
        developer_instructions: get_text(settings, &["developer_instructions"])
            .filter(|text| !text.is_empty())
            .map(str::to_owned),
        personality: get_text(settings, &["personality"]).and_then(Personality::from_name),
        include_permissions_instructions: switch("include_permissions_instructions"),
        include_environment_context: switch("include_environment_context"),
        include_environment_context_time: switch("include_environment_context_time"),
    }
}
