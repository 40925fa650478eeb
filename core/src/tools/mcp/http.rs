//! Servers behind HTTP.

use std::collections::{BTreeMap, HashMap};

use reqwest::Url;
use reqwest::header::{HeaderName, HeaderValue};
use rmcp::transport::streamable_http_client::StreamableHttpClientTransportConfig;

/// What a server behind HTTP is sent with every request.
#[derive(Debug, Clone, Copy)]
pub(super) struct Address<'a> {
    pub(super) url: &'a str,
    pub(super) bearer_token_env_var: Option<&'a str>,
    pub(super) http_headers: &'a BTreeMap<String, String>,
    pub(super) env_http_headers: &'a BTreeMap<String, String>,
}

/// The settings of a connection; the error names what is missing and never a value.
pub(super) fn connection(
    address: Address<'_>,
    variables: &BTreeMap<String, String>,
) -> Result<StreamableHttpClientTransportConfig, String> {
    let variable = |name: &str| {
        variables.get(name).map(String::as_str).filter(|it| !it.is_empty()).ok_or_else(|| {
            format!("the variable `{name}` is not set; it has to hold what the server wants")
        })
    };
    let url = Url::parse(address.url).map_err(|error| format!("`url` is no address: {error}"))?;
    if !matches!(url.scheme(), "http" | "https") {
        return Err("`url` is no address: it begins with neither http:// nor https://".to_owned());
    }
    let mut headers = HashMap::new();
    for (name, value) in address.http_headers {
        headers.insert(header_name(name)?, header_value(name, value)?);
    }
    for (name, source) in address.env_http_headers {
        headers.insert(header_name(name)?, header_value(name, variable(source)?)?);
    }
    let config = StreamableHttpClientTransportConfig::with_uri(address.url)
        .custom_headers(headers)
        .reinit_on_expired_session(true);
    match address.bearer_token_env_var {
        Some(name) => {
            let token = variable(name)?;
            header_value("authorization", token)?;
            Ok(config.auth_header(token))
        }
        None => Ok(config),
    }
}

fn header_name(name: &str) -> Result<HeaderName, String> {
    name.parse().map_err(|_| format!("{name:?} is no name of a header"))
}

fn header_value(name: &str, value: &str) -> Result<HeaderValue, String> {
    let mut value = HeaderValue::from_str(value)
        .map_err(|_| format!("the value for the header {name:?} holds what no header may hold"))?;
    value.set_sensitive(true);
    Ok(value)
}
