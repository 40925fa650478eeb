//! The fragments that this engine speaks: one file each, and this list.
//!
//! A new fragment is a new file here and one line below; the table in docs/fragments.md, recognition and the tests
//! over all fragments follow from the list.

mod file_limits;
mod markers_within;
mod recognize;
mod registry;
mod xml;

pub use markers_within::{MarkerWithin, markers_within};
pub use recognize::{is_context, is_context_text, recognize};
pub use recto_context_fragments::{ContextualUserFragment, Markers};
pub use registry::{Cap, ContextFragment, FragmentSpec, RenderedFragment};

registry::fragments! {
    developer_instructions::DeveloperInstructions,
    model_switch::ModelSwitch,
    available_skills::AvailableSkills,
    permissions_instructions::PermissionsInstructions,
    collaboration_mode::CollaborationModeInstructions,
    available_plugins::AvailablePlugins,
    personality_spec::PersonalitySpec,
    compatibility_warning::CompatibilityWarning,
    guardian_followup_reminder::GuardianFollowupReminder,
    hook_additional_context::HookAdditionalContext,
    user_instructions::UserInstructions,
    environment_context::EnvironmentContext,
    skill_instructions::SkillInstructions,
    plugin_capabilities::PluginCapabilities,
    user_shell_command::UserShellCommand,
    subagent_notification::SubagentNotification,
    hook_prompt::HookPrompt,
    turn_aborted::TurnAborted,
    compaction_summary::CompactionSummary,
}
