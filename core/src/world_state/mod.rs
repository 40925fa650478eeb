//! The state of the world as a model is told it: sections, their snapshots, and what changed between two of them.
//!
//! A new section is a new file here and one line in the list below. Everything in this module is a pure function of
//! [`Facts`].

mod facts;
mod merge_patch;
mod section;
mod snapshot;

pub use facts::{
    AgentsMdFacts, CollaborationModeFacts, EnvironmentFacts, Facts, ModelFacts, PermissionFacts,
    PersonalityFacts, SkillFacts,
};
pub use merge_patch::{apply_merge_patch, merge_patch_from};
pub use section::{Previous, WorldStateSection};
pub use snapshot::{WorldState, WorldStateSnapshot};

section::sections! {
    model::ModelState,
    agents_md::AgentsMdState,
    host_skills::HostSkillsState,
    permissions::PermissionsState,
    collaboration_mode::CollaborationModeState,
    plugins_instructions::PluginsState,
    personality::PersonalityState,
    environments::EnvironmentsState,
}
