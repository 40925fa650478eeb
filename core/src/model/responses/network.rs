//! Failures of the way to a server.

use std::error::Error;
use std::io;

use super::failure::{Failure, Remedy};
use super::provider::Provider;

/// A request that got no answer at all.
pub(super) fn unreachable(provider: &Provider, error: reqwest::Error) -> Failure {
    let (name, url) = (&provider.name, provider.shown_url());
    // An address may carry a key in its query.
    let error = error.without_url();
    let cause = innermost(&error);
    if let Some(error) = tls_error(&error) {
        return Failure::lasting(
            format!("{name} has no safe connection at {url}: {error}"),
            Some(match error {
                rustls::Error::InvalidMessage(_) => "does it speak https at that port?".to_owned(),
                _ => "this system must know who signed its certificate, and the address must be the one in it"
                    .to_owned(),
            }),
        );
    }
    let message = format!("{name} cannot be reached at {url}: {cause}");
    if error.is_builder() {
        return Failure::lasting(
            message,
            Some(format!("check the address and the headers of the provider `{name}`")),
        );
    }
    let hint = if error.is_connect() {
        format!(
            "does a server run there? check `base_url` of the provider `{name}` and your network"
        )
    } else {
        "check your network".to_owned()
    };
    Failure::new(message, hint, Remedy::Request(None))
}

/// The first cause in a chain: what an operating system or a library said in the end.
pub(super) fn innermost(error: &(dyn Error + 'static)) -> String {
    let mut cause = error;
    while let Some(source) = cause.source() {
        cause = source;
    }
    cause.to_string()
}

/// What went wrong with TLS, where that was it.
fn tls_error<'a>(error: &'a (dyn Error + 'static)) -> Option<&'a rustls::Error> {
    if let Some(error) = error.downcast_ref() {
        return Some(error);
    }
    // An error of IO names what is behind its content as its source, not the content.
    match error.downcast_ref::<io::Error>().and_then(io::Error::get_ref) {
        Some(content) => tls_error(content),
        None => tls_error(error.source()?),
    }
}
