//! What trust in the project would let in, before somebody gives it.

use std::path::PathBuf;

use recto_core::config::{Config, LayerReport, LayerSource, LayerStanding};
use recto_core::session::{ReadBy, newly_read};
use recto_protocol::TrustLevel;

use crate::engine::{Captured, capture, capture_assuming};
use crate::env::HostFacts;
use crate::error::CliError;
use crate::place::Place;
use crate::view::names::PathNames;
use crate::view::trust_preview::TrustPreview;

/// Captures the surroundings twice, as they are and as if the project were trusted.
pub(crate) async fn if_trusted(
    place: &Place,
    host_facts: HostFacts,
) -> Result<TrustPreview, CliError> {
    let now = capture(place, host_facts.clone()).await?;
    let then = capture_assuming(Some(TrustLevel::Trusted), place, host_facts).await?;
    Ok(TrustPreview {
        level: now.config.trust.level,
        texts: newly_read(read_by(&now), read_by(&then), &*then.file_system).await,
        settings: used(&then.config)
            .filter(|it| !used(&now.config).any(|known| known == *it))
            .collect(),
        names: PathNames::of(&then),
    })
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
