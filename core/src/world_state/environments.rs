//! Where the agent works, and how a change of it is told.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::facts::{EnvironmentFacts, Facts};
use super::section::{Previous, WorldStateSection};
use crate::context::environment_context::{EnvironmentList, EnvironmentPlace, FileSystemContext, NetworkContext};
use crate::context::{EnvironmentContext, RenderedFragment};

/// The environments as they stand.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EnvironmentsState(EnvironmentFacts);

/// What is remembered of the environments.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct EnvironmentsSnapshot {
    #[serde(default)]
    environments: BTreeMap<String, PlaceSnapshot>,
    #[serde(default)]
    current_date: Option<String>,
    #[serde(default)]
    timezone: Option<String>,
    #[serde(default)]
    network: Option<String>,
    /// The line that was told.
    #[serde(default)]
    filesystem: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct PlaceSnapshot {
    cwd: String,
    status: String,
    shell: String,
}

impl WorldStateSection for EnvironmentsState {
    const ID: &'static str = "environments";
    type Snapshot = EnvironmentsSnapshot;

    fn from_facts(facts: &Facts) -> Option<Self> {
        facts.environment.clone().map(Self)
    }

    fn snapshot(&self) -> EnvironmentsSnapshot {
        let facts = &self.0;
        let place = |place: &EnvironmentPlace| PlaceSnapshot {
            cwd: place.cwd.clone(),
            status: "available".to_owned(),
            shell: place.shell.clone(),
        };
        EnvironmentsSnapshot {
            environments: facts.environments.iter().map(|(id, it)| (id.clone(), place(it))).collect(),
            current_date: facts.current_date.clone(),
            timezone: facts.timezone.clone(),
            network: facts.network.as_ref().map(NetworkContext::line),
            filesystem: facts.filesystem.as_ref().map(FileSystemContext::line),
        }
    }

    /// Directory and shell come together when either changed; the rest is told with every change.
    fn render_diff(&self, previous: Previous<&EnvironmentsSnapshot>) -> Vec<RenderedFragment> {
        let now = self.snapshot();
        let mut told = self.whole();
        if let Previous::Known(known) = previous {
            if *known == now {
                return Vec::new();
            }
            if known.environments == now.environments {
                told.environments = EnvironmentList::None;
            }
        }
        vec![RenderedFragment::of(&told)]
    }
}

impl EnvironmentsState {
    fn whole(&self) -> EnvironmentContext {
        let facts = &self.0;
        EnvironmentContext {
            environments: match facts.environments.as_slice() {
                [] => EnvironmentList::None,
                [(_, only)] => EnvironmentList::Single(only.clone()),
                several => EnvironmentList::Multiple(several.to_vec()),
            },
            current_date: facts.current_date.clone(),
            timezone: facts.timezone.clone(),
            network: facts.network.clone(),
            filesystem: facts.filesystem.clone(),
            subagents: None,
        }
    }
}
