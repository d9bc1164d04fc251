//! The HTTP client: time limits and redirects.

use std::net::IpAddr;

use reqwest::{Client, Url, redirect};

use super::TimeLimits;
use crate::tls::{TlsError, client_builder};

/// Creates a client for one server.
pub(crate) fn http_client(url: &Url, limits: &TimeLimits) -> Result<Client, TlsError> {
    let mut builder = client_builder(url)?
        .user_agent(concat!("cot-core/", env!("CARGO_PKG_VERSION")))
        .connect_timeout(limits.connect)
        .redirect(redirect::Policy::custom(follow_within_origin))
        .referer(false);
    if let Some(total) = limits.total {
        builder = builder.timeout(total);
    }
    if is_loopback(url) {
        builder = builder.no_proxy();
    }
    builder.build().map_err(|error| error.without_url().into())
}

// Prompts are as confidential as keys, so redirects stay on the server that the user named. Only 307
// and 308 repeat the request unchanged.
fn follow_within_origin(attempt: redirect::Attempt<'_>) -> redirect::Action {
    let repeats = matches!(attempt.status().as_u16(), 307 | 308);
    let first = attempt.previous().first();
    let at_home = first.is_some_and(|first| first.origin() == attempt.url().origin());
    if repeats && at_home && attempt.previous().len() <= 5 {
        attempt.follow()
    } else {
        attempt.stop()
    }
}

// A server on this machine is not reached through the proxy of the environment.
fn is_loopback(url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default().trim_matches(['[', ']']);
    host == "localhost" || host.parse().is_ok_and(|address: IpAddr| address.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn loopback_hosts_are_known() {
        for (url, expected) in [
            ("http://localhost:1", true),
            ("http://127.0.0.2", true),
            ("http://[::1]:8080/v1", true),
            ("http://10.0.0.1", false),
            ("http://localhost.example.org", false),
        ] {
            assert_eq!(is_loopback(&Url::parse(url).unwrap()), expected, "{url}");
        }
    }
}
