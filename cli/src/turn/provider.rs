//! Who answers: the provider of the configuration, over HTTP.

use std::sync::Arc;

use recto_core::config::{ModelConfig, ModelProvider};
use recto_core::http::http_client;
use recto_core::model::Sampler;
use recto_core::model::responses::{Provider, ResponsesClient};

use super::error::TurnError;
use crate::env::variable_text;

/// The provider of the configuration; its key is taken from the variable that it names.
pub(super) fn sampler(config: &ModelConfig) -> Result<Arc<dyn Sampler>, TurnError> {
    let unknown = ModelProvider::default();
    let described = config.providers.get(&config.provider).unwrap_or(&unknown);
    let provider = Provider::resolve(&config.provider, described, variable_text)?;
    Ok(Arc::new(ResponsesClient::new(http_client()?, provider)))
}
