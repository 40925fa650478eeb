//! What is known about models by name.

use recto_protocol::{InputModality, ModelInfo, WireKind};

/// The model that is used where nothing says otherwise.
pub const DEFAULT_MODEL: &str = "gpt-6.2-sol";

/// A model and whether its name was known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KnownModel {
    /// What is known, or safe to assume.
    pub info: ModelInfo,
    /// Whether the name is in the catalogue; the user is told where it is not.
    pub is_known: bool,
}

/// Finds a model by its slug; an unknown one gets what every Responses server takes.
pub fn find_model(slug: &str) -> KnownModel {
    let known = MODELS.iter().find(|model| model.slug == slug);
    let wire = known.map_or(WireKind::Responses, |model| model.wire);
    KnownModel {
        info: ModelInfo {
            slug: slug.to_owned(),
            context_window: known.map(|model| model.context_window),
            input_modalities: vec![InputModality::Text, InputModality::Image],
            wire,
            base_instructions_carry_personality: false,
        },
        is_known: known.is_some(),
    }
}

struct Model {
    slug: &'static str,
    context_window: u64,
    wire: WireKind,
}

const fn lite(slug: &'static str, context_window: u64) -> Model {
    Model { slug, context_window, wire: WireKind::ResponsesLite }
}

/// As the reference lists them.
const MODELS: &[Model] = &[
    lite("gpt-6.2-sol", 500_000),
    lite("gpt-6.2-astra", 272_000),
    lite("gpt-6.1-sol", 500_000),
    lite("gpt-6.1-terra", 500_000),
    lite("gpt-6-astra", 272_000),
    lite("gpt-6-sol", 272_000),
    lite("gpt-6-luna", 272_000),
    lite("gpt-5.6-sol", 272_000),
    lite("gpt-5.6-terra", 272_000),
    lite("gpt-5.6-luna", 272_000),
    Model { slug: "gpt-5.5", context_window: 272_000, wire: WireKind::Responses },
];
