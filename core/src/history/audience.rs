//! Who reads a request.

use std::sync::Arc;

use recto_protocol::{InputModality, ModelInfo};

/// The reader of a request: what it can be shown, and whose seals it can open.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Audience {
    /// What the model can be shown.
    pub input_modalities: Vec<InputModality>,
    /// The provider; none where nobody said, and then no reasoning is held back.
    pub provider: Option<Arc<str>>,
}

impl Audience {
    /// A model at a provider.
    pub fn new(model: &ModelInfo, provider: impl Into<Arc<str>>) -> Self {
        Self { input_modalities: model.input_modalities.clone(), provider: Some(provider.into()) }
    }

    /// Whether the model can be shown pictures.
    pub fn sees_images(&self) -> bool {
        self.input_modalities.contains(&InputModality::Image)
    }

    /// Whether it can open what that provider sealed.
    pub(super) fn can_open(&self, sealed_by: Option<&Arc<str>>) -> bool {
        match (&self.provider, sealed_by) {
            (Some(reader), Some(sealed_by)) => reader == sealed_by,
            _ => true,
        }
    }
}

impl Default for Audience {
    /// Somebody who can be shown everything, at no provider in particular.
    fn default() -> Self {
        Self { input_modalities: vec![InputModality::Text, InputModality::Image], provider: None }
    }
}
