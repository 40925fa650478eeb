//! The plugins of the host, told whole whenever their list changed.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::facts::Facts;
use super::section::{Previous, WorldStateSection};
use crate::context::{AvailablePlugins, RenderedFragment};

/// The plugins as they are told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PluginsState(AvailablePlugins);

/// What is remembered: `false` where no plugin is told, as in the reference, else the text that was.
///
/// The reference remembers `{"instructions": HASH, "catalog": ..}`, which says that something was told.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct PluginsSnapshot(Value);

impl PluginsSnapshot {
    fn is_none(&self) -> bool {
        self.0 == Value::Bool(false)
    }
}

impl WorldStateSection for PluginsState {
    const ID: &'static str = "plugins_instructions";
    type Snapshot = PluginsSnapshot;

    fn from_facts(facts: &Facts) -> Option<Self> {
        Some(Self(AvailablePlugins { plugins: facts.plugins.clone() }))
    }

    fn snapshot(&self) -> PluginsSnapshot {
        PluginsSnapshot(if self.0.plugins.is_empty() {
            false.into()
        } else {
            RenderedFragment::of(&self.0).text.into()
        })
    }

    fn render_diff(&self, previous: Previous<&PluginsSnapshot>) -> Vec<RenderedFragment> {
        let now = self.snapshot();
        let is_known = match previous {
            Previous::Known(known) => *known == now,
            // That there are none is news only to those who were told of some.
            Previous::Absent | Previous::Unknown => now.is_none(),
        };
        if is_known { Vec::new() } else { vec![RenderedFragment::of(&self.0)] }
    }
}
