//! A provider as its configuration and the variables say, ready to be asked.

use std::collections::BTreeMap;
use std::time::Duration;

use super::api_key::ApiKey;
use crate::config::ModelProvider;

/// How often a request is tried again, where nobody said.
const REQUEST_MAX_RETRIES: u64 = 4;

/// How often a broken stream is asked for again, where nobody said.
const STREAM_MAX_RETRIES: u64 = 5;

/// How long a stream may say nothing, where nobody said.
const STREAM_IDLE_TIMEOUT: Duration = Duration::from_mins(5);

/// Where a model is asked, and with what.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Provider {
    /// The name for people.
    pub name: String,
    /// The address that `/responses` is added to.
    pub base_url: String,
    /// The key; none where the provider needs none.
    pub key: Option<ApiKey>,
    /// Headers sent with every request.
    pub headers: BTreeMap<String, String>,
    /// Query parameters sent with every request.
    pub query: BTreeMap<String, String>,
    /// How often a request that got no stream is tried again.
    pub request_max_retries: u64,
    /// How often a stream that broke is asked for again.
    pub stream_max_retries: u64,
    /// How long a stream may say nothing.
    pub stream_idle_timeout: Duration,
}

/// Why a provider cannot be asked.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ProviderError {
    /// Nobody said where it is.
    #[error("the provider `{name}` has no address: set `base_url` in [model_providers.{id}]")]
    NoAddress {
        /// Its id.
        id: String,
        /// Its name.
        name: String,
    },
    /// Its key is in a variable that is not there.
    #[error("the provider `{name}` needs a key: set the environment variable {variable}")]
    MissingKey {
        /// Its name.
        name: String,
        /// The variable.
        variable: String,
    },
}

impl Provider {
    /// Takes what the configuration says of a provider; `variable` gives the value of an environment variable.
    ///
    /// A provider without `env_key` is asked without a key. The built-in `openai` has its key in `OPENAI_API_KEY`, and
    /// `OPENAI_BASE_URL` goes before its own address.
    pub fn resolve(
        id: &str,
        config: &ModelProvider,
        variable: impl Fn(&str) -> Option<String>,
    ) -> Result<Self, ProviderError> {
        let is_openai = id == OPENAI;
        let filled = |name: &str| variable(name).filter(|value| !value.trim().is_empty());
        let from_variable = is_openai.then(|| filled("OPENAI_BASE_URL")).flatten();
        let base_url = from_variable.or_else(|| config.base_url.clone()).ok_or_else(|| {
            ProviderError::NoAddress { id: id.to_owned(), name: config.name.clone() }
        })?;
        let env_key = config.env_key.as_deref().or(is_openai.then_some("OPENAI_API_KEY"));
        let key = match env_key {
            Some(name) => {
                Some(variable(name).as_deref().and_then(ApiKey::new).ok_or_else(|| {
                    ProviderError::MissingKey {
                        name: config.name.clone(),
                        variable: name.to_owned(),
                    }
                })?)
            }
            None => None,
        };
        Ok(Self {
            name: config.name.clone(),
            base_url: base_url.trim().trim_end_matches('/').to_owned(),
            key,
            headers: config.http_headers.clone(),
            query: config.query_params.clone(),
            request_max_retries: config.request_max_retries.unwrap_or(REQUEST_MAX_RETRIES),
            stream_max_retries: config.stream_max_retries.unwrap_or(STREAM_MAX_RETRIES),
            stream_idle_timeout: config.stream_idle_timeout.unwrap_or(STREAM_IDLE_TIMEOUT),
        })
    }

    /// Where a response is asked for, without the query.
    pub(super) fn responses_url(&self) -> String {
        format!("{}/responses", self.base_url)
    }

    /// What a server or the network said, without the key.
    pub(super) fn redact(&self, text: &str) -> String {
        match &self.key {
            Some(key) => key.redact(text),
            None => text.to_owned(),
        }
    }
}

/// The built-in provider whose key and address may come from variables of its own.
const OPENAI: &str = "openai";
