//! What trust in the project would let in, before somebody gives it.

use std::path::PathBuf;

use recto_core::config::{Config, LayerReport, LayerSource, LayerStanding};
use recto_core::session::{NewText, ReadBy, newly_read};
use recto_protocol::TrustLevel;

use crate::engine::{Captured, capture, capture_assuming};
use crate::env::HostFacts;
use crate::error::CliError;
use crate::place::Place;
use crate::view::names::PathNames;

/// What would change if the project were trusted.
#[derive(Debug)]
pub(crate) struct TrustPreview {
    /// What is decided now.
    pub(crate) level: Option<TrustLevel>,
    /// What the model would newly read.
    pub(crate) texts: Vec<NewText>,
    /// Files of settings that would newly count.
    pub(crate) settings: Vec<PathBuf>,
    pub(crate) names: PathNames,
}

impl TrustPreview {
    /// Captures the surroundings twice, as they are and as if the project were trusted.
    pub(crate) async fn of(place: &Place, host_facts: HostFacts) -> Result<Self, CliError> {
        let now = capture(place, host_facts.clone()).await?;
        let then = capture_assuming(Some(TrustLevel::Trusted), place, host_facts).await?;
        Ok(Self {
            level: now.config.trust.level,
            texts: newly_read(read_by(&now), read_by(&then), &*then.file_system).await,
            settings: used(&then.config)
                .filter(|it| !used(&now.config).any(|known| known == *it))
                .collect(),
            names: PathNames::of(&then),
        })
    }

    /// Whether somebody should look at a text before the project is trusted.
    pub(crate) fn is_odd(&self) -> bool {
        self.texts.iter().any(|text| {
            text.leaves_root.is_some() || !text.hidden.is_empty() || !text.markers.is_empty()
        })
    }
}

fn read_by(captured: &Captured) -> ReadBy<'_> {
    ReadBy { step: &captured.step, base_instructions: &captured.base_instructions }
}

/// The project's files of settings that count.
fn used(config: &Config) -> impl Iterator<Item = PathBuf> {
    config.layers.iter().filter_map(|LayerReport { source, standing }| match source {
        LayerSource::Project { path } if *standing == LayerStanding::Used => Some(path.clone()),
        _ => None,
    })
}
