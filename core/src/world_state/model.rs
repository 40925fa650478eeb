//! Which model the conversation is with.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::facts::{Facts, ModelFacts};
use super::section::{Previous, WorldStateSection};
use crate::context::{ModelSwitch, RenderedFragment};

/// The model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModelState(ModelFacts);

/// What is remembered: the name, `"gpt-5.5"`; records of models without top-level instructions have
/// `{"model":"gpt-5.5",…}`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Value", into = "Value")]
pub struct ModelSnapshot {
    slug: String,
}

/// A record that names no model.
#[derive(Debug, thiserror::Error)]
#[error("neither a name nor an object with a `model`")]
pub struct NoModelName;

impl TryFrom<Value> for ModelSnapshot {
    type Error = NoModelName;

    fn try_from(value: Value) -> Result<Self, NoModelName> {
        let slug = value.as_str().or_else(|| value.get("model")?.as_str());
        slug.map(|slug| Self { slug: slug.to_owned() }).ok_or(NoModelName)
    }
}

impl From<ModelSnapshot> for Value {
    fn from(snapshot: ModelSnapshot) -> Self {
        Self::String(snapshot.slug)
    }
}

impl WorldStateSection for ModelState {
    const ID: &'static str = "model";
    type Snapshot = ModelSnapshot;

    fn from_facts(facts: &Facts) -> Option<Self> {
        facts.model.clone().map(Self)
    }

    fn snapshot(&self) -> ModelSnapshot {
        ModelSnapshot { slug: self.0.slug.clone() }
    }

    /// Told only where it is sure that the model was another: a wrong notice would contradict the base instructions.
    fn render_diff(&self, previous: Previous<&ModelSnapshot>) -> Vec<RenderedFragment> {
        match previous {
            Previous::Known(known) if known.slug != self.0.slug => {
                let base_instructions = self.0.base_instructions.clone();
                vec![RenderedFragment::of(&ModelSwitch { base_instructions })]
            }
            _ => Vec::new(),
        }
    }
}
