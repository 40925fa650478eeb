//! Models that the person describes: the file that `model_catalog_json` names.

use recto_protocol::{InputModality, ReasoningSummary, Verbosity};
use serde::{Deserialize, Deserializer};

/// Bytes that a catalogue may have; Codex's own has a megabyte.
pub(super) const LARGEST_CATALOG: u64 = 8 * 1024 * 1024;

/// What a catalogue says of one model; what it leaves out is as for a model that nobody described.
///
/// The names are Codex's, so one file serves both programs. What is not listed here (Codex has some forty members) is
/// passed over.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct CatalogModel {
    /// The name on the wire.
    pub slug: String,
    /// Tokens that fit into one request with its answer.
    #[serde(default)]
    pub context_window: Option<u64>,
    /// What it can be shown; what this program cannot show is left out.
    #[serde(default, deserialize_with = "known_modalities")]
    pub input_modalities: Option<Vec<InputModality>>,
    /// Whether its requests have the shape of Responses Lite.
    #[serde(default)]
    pub use_responses_lite: bool,
    /// How hard it thinks where nobody says.
    #[serde(default)]
    pub default_reasoning_level: Option<String>,
    /// How much of its thoughts it tells where nobody says.
    #[serde(default)]
    pub default_reasoning_summary: Option<ReasoningSummary>,
    /// Whether it can be told how much to write.
    #[serde(default)]
    pub support_verbosity: bool,
    /// How much it writes where nobody says.
    #[serde(default)]
    pub default_verbosity: Option<Verbosity>,
}

fn known_modalities<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<Vec<InputModality>>, D::Error> {
    let words: Option<Vec<String>> = Option::deserialize(deserializer)?;
    let known = |word: String| match &*word {
        "text" => Some(InputModality::Text),
        "image" => Some(InputModality::Image),
        _ => None,
    };
    Ok(words.map(|words| words.into_iter().filter_map(known).collect()))
}

/// Reads a catalogue: `{"models":[{"slug":"…", …}, …]}`.
pub(super) fn read_catalog(bytes: &[u8]) -> Result<Vec<CatalogModel>, serde_json::Error> {
    #[derive(Deserialize)]
    struct Catalog {
        models: Vec<CatalogModel>,
    }

    serde_json::from_slice::<Catalog>(bytes).map(|catalog| catalog.models)
}
