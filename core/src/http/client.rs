//! The one place where an HTTP client is made.

use std::time::Duration;

use reqwest::Client;
use reqwest::redirect::Policy;
use rustls::crypto::{CryptoProvider, ring};

/// How long a connection may take to come about.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(30);

/// Why there is no client.
#[derive(Debug, thiserror::Error)]
#[error("no HTTP client can be made here: {0}; check the certificates of this system")]
pub struct HttpError(#[from] reqwest::Error);

/// Makes a client whose requests share connections; a clone of it is the same client.
///
/// TLS checks certificates as the system does. Nothing is redirected: a key goes to the address it was meant for and to
/// no other. Proxies are taken from the variables that reqwest knows (`HTTPS_PROXY`, `NO_PROXY`, …).
pub fn http_client() -> Result<Client, HttpError> {
    if CryptoProvider::get_default().is_none() {
        // Another thread may have been faster; then its choice holds.
        let _ = ring::default_provider().install_default();
    }
    let client = Client::builder()
        .user_agent(concat!("recto/", env!("CARGO_PKG_VERSION")))
        .connect_timeout(CONNECT_TIMEOUT)
        .redirect(Policy::none())
        .build()?;
    Ok(client)
}
