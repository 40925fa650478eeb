//! What is known about models by name, and what the person says about theirs.

use recto_protocol::{
    AnswerStyle, InputModality, ModelInfo, ReasoningSummary, Verbosity, WireKind,
};

use crate::config::{CatalogModel, ModelConfig};

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
    KnownModel { info: known.map_or_else(|| unknown(slug), Model::info), is_known: known.is_some() }
}

/// The configured model: as the person's catalogue describes it, else as it is known, with what the person set.
///
/// `slug` goes before the configured one. As in the reference, an unknown model is not told how much to write.
pub fn configured_model(slug: Option<&str>, config: &ModelConfig) -> KnownModel {
    let slug = slug.or(config.model.as_deref()).unwrap_or(DEFAULT_MODEL);
    let described = config.catalog.iter().find(|model| model.slug == slug);
    let KnownModel { info, is_known } = match described {
        Some(model) => KnownModel { info: info_of(model), is_known: true },
        None => find_model(slug),
    };
    let takes_verbosity = described.map_or(is_known, |model| model.support_verbosity);
    let style = AnswerStyle {
        effort: config.reasoning_effort.clone().or(info.style.effort),
        summary: config.reasoning_summary.unwrap_or(info.style.summary),
        verbosity: config.verbosity.or(info.style.verbosity).filter(|_| takes_verbosity),
    };
    let context_window = config.context_window.or(info.context_window);
    KnownModel { info: ModelInfo { style, context_window, ..info }, is_known }
}

fn info_of(model: &CatalogModel) -> ModelInfo {
    let unknown = unknown(&model.slug);
    ModelInfo {
        context_window: model.context_window,
        input_modalities: model.input_modalities.clone().unwrap_or(unknown.input_modalities),
        wire: if model.use_responses_lite { WireKind::ResponsesLite } else { WireKind::Responses },
        style: AnswerStyle {
            effort: model.default_reasoning_level.clone(),
            summary: model.default_reasoning_summary.unwrap_or(unknown.style.summary),
            verbosity: model.default_verbosity,
        },
        ..unknown
    }
}

/// A model of which nothing is known. That it is asked for a summary of its thoughts is as in the reference.
fn unknown(slug: &str) -> ModelInfo {
    ModelInfo {
        slug: slug.to_owned(),
        context_window: None,
        input_modalities: vec![InputModality::Text, InputModality::Image],
        wire: WireKind::Responses,
        base_instructions_carry_personality: false,
        style: AnswerStyle { summary: ReasoningSummary::Auto, ..AnswerStyle::default() },
    }
}

struct Model {
    slug: &'static str,
    context_window: u64,
    wire: WireKind,
    effort: &'static str,
    verbosity: Verbosity,
}

impl Model {
    fn info(&self) -> ModelInfo {
        ModelInfo {
            context_window: Some(self.context_window),
            wire: self.wire,
            style: AnswerStyle {
                effort: Some(self.effort.to_owned()),
                summary: ReasoningSummary::None,
                verbosity: Some(self.verbosity),
            },
            ..unknown(self.slug)
        }
    }
}

const fn lite(slug: &'static str, context_window: u64, effort: &'static str) -> Model {
    let (wire, verbosity) = (WireKind::ResponsesLite, Verbosity::Low);
    Model { slug, context_window, wire, effort, verbosity }
}

/// As the reference lists them (`codex debug models`). None of them has a personality in its base instructions here,
/// because the base instructions are ours.
const MODELS: &[Model] = &[
    lite("gpt-6.2-sol", 500_000, "low"),
    lite("gpt-6.2-astra", 272_000, "low"),
    lite("gpt-6.1-sol", 500_000, "low"),
    lite("gpt-6.1-terra", 500_000, "low"),
    lite("gpt-6-astra", 272_000, "low"),
    lite("gpt-6-sol", 272_000, "medium"),
    lite("gpt-6-luna", 272_000, "medium"),
    lite("gpt-5.6-sol", 272_000, "low"),
    lite("gpt-5.6-terra", 272_000, "medium"),
    lite("gpt-5.6-luna", 272_000, "medium"),
    lite("gpt-daybreak-blue-latest", 272_000, "low"),
    Model { verbosity: Verbosity::High, ..lite("gpt-daybreak-red-latest", 372_000, "medium") },
    Model { wire: WireKind::Responses, ..lite("gpt-5.5", 272_000, "medium") },
    lite("codex-auto-review", 272_000, "medium"),
];
