//! What is said of skills.

use super::value::{Table, get_boolean};

/// What is said of skills.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SkillsConfig {
    /// Whether the model is told which skills there are.
    pub include_instructions: bool,
}

/// Reads what is said of skills.
pub(super) fn skills(settings: &Table) -> SkillsConfig {
    let include_instructions = get_boolean(settings, &["skills", "include_instructions"]);
    SkillsConfig { include_instructions: include_instructions.unwrap_or(true) }
}
