//! The fragments that this engine speaks: one file each, and this list.
//!
//! A new fragment is a new file here and one line below; the table in docs/fragments.md, recognition and the tests
//! over all fragments follow from the list.

mod registry;
mod xml;

pub use recto_context_fragments::{ContextualUserFragment, Markers};
pub use registry::{Cap, ContextFragment, FragmentSpec, RenderedFragment};

registry::fragments! {
    developer_instructions::DeveloperInstructions,
    permissions_instructions::PermissionsInstructions,
    user_instructions::UserInstructions,
    turn_aborted::TurnAborted,
    model_switch::ModelSwitch,
    environment_context::EnvironmentContext,
}
