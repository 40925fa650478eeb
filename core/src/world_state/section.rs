//! One part of the world's state: what is remembered of it, and what the model is told when it changes.

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::facts::Facts;
use crate::context::RenderedFragment;

/// What the model was told of a section before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Previous<S> {
    /// Nothing.
    Absent,
    /// Something, but not exactly what: the record does not decode, or there is only the text.
    Unknown,
    /// This.
    Known(S),
}

/// One part of the world's state.
pub trait WorldStateSection: Sized {
    /// The section's name in rollouts; never changed once it was released.
    const ID: &'static str;
    /// What is remembered; its JSON stands in rollouts.
    type Snapshot: Serialize + DeserializeOwned;

    /// The section as the facts have it; none where it is not told at all.
    fn from_facts(facts: &Facts) -> Option<Self>;

    /// What is to be remembered once the model was told.
    fn snapshot(&self) -> Self::Snapshot;

    /// What the model must be told now; nothing where it knows.
    fn render_diff(&self, previous: Previous<&Self::Snapshot>) -> Vec<RenderedFragment>;
}

/// A section of any type.
pub(super) trait AnySection {
    fn id(&self) -> &'static str;
    fn snapshot_json(&self) -> Value;
    fn render_diff_from_json(&self, previous: Previous<&Value>) -> Vec<RenderedFragment>;
}

impl<S: WorldStateSection> AnySection for S {
    fn id(&self) -> &'static str {
        S::ID
    }

    fn snapshot_json(&self) -> Value {
        serde_json::to_value(self.snapshot())
            .unwrap_or_else(|_| unreachable!("a snapshot is plain data"))
    }

    fn render_diff_from_json(&self, previous: Previous<&Value>) -> Vec<RenderedFragment> {
        match previous {
            Previous::Absent => self.render_diff(Previous::Absent),
            Previous::Unknown => self.render_diff(Previous::Unknown),
            Previous::Known(told) => {
                let known = serde_json::from_value::<S::Snapshot>(told.clone()).ok();
                self.render_diff(known.as_ref().map_or(Previous::Unknown, Previous::Known))
            }
        }
    }
}

/// Declares the modules of the sections and the list of them, in the order in which changes are told.
macro_rules! sections {
    ($($module:ident :: $name:ident),* $(,)?) => {
        $(pub mod $module;)*
        $(pub use $module::$name;)*

        /// The names of all sections, in the order in which changes are told.
        pub const SECTION_IDS: &[&str] = &[$(<$name as WorldStateSection>::ID),*];

        /// Every section that the facts have.
        fn sections_from(facts: &Facts) -> Vec<Box<dyn section::AnySection>> {
            let mut sections: Vec<Box<dyn section::AnySection>> = Vec::new();
            $(if let Some(section) = $name::from_facts(facts) { sections.push(Box::new(section)); })*
            sections
        }
    };
}

pub(super) use sections;
