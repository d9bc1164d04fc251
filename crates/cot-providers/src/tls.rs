//! HTTP clients with the TLS that the features of this crate name.

use std::error::Error;

use reqwest::{Client, ClientBuilder, Url};

/// A failed set-up of TLS.
pub type TlsError = Box<dyn Error + Send + Sync>;

/// Returns a builder of clients for the server of a URL, with TLS if the URL needs it.
///
/// # Errors
///
/// Returns an error if the URL needs TLS, and this build or the system has none.
pub fn client_builder(url: &Url) -> Result<ClientBuilder, TlsError> {
    with_tls(Client::builder(), url.scheme() == "https")
}

/// The TLS of reqwest, which has aws-lc.
#[cfg(feature = "tls-aws-lc")]
fn with_tls(builder: ClientBuilder, is_https: bool) -> Result<ClientBuilder, TlsError> {
    // Otherwise, a machine without root certificates could not use plain HTTP either.
    Ok(if is_https { builder } else { builder.tls_certs_only([]) })
}

/// The same as reqwest does, with ring in the place of aws-lc.
#[cfg(all(feature = "tls-ring", not(feature = "tls-aws-lc")))]
fn with_tls(builder: ClientBuilder, is_https: bool) -> Result<ClientBuilder, TlsError> {
    use std::sync::Arc;

    use rustls::{ClientConfig, RootCertStore, crypto::CryptoProvider};
    use rustls_platform_verifier::BuilderVerifierExt;

    let installed = CryptoProvider::get_default().cloned();
    let provider = installed.unwrap_or_else(|| Arc::new(rustls::crypto::ring::default_provider()));
    let config =
        ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions()?;
    // A machine without root certificates can use plain HTTP.
    let config = if is_https {
        config.with_platform_verifier()?
    } else {
        config.with_root_certificates(RootCertStore::empty())
    };
    let mut config = config.with_no_client_auth();
    config.alpn_protocols = PROTOCOLS.iter().map(|name| name.as_bytes().to_vec()).collect();
    Ok(builder.tls_backend_preconfigured(config))
}

/// The versions of HTTP that the client speaks; the crate `genai` enables the second.
#[cfg(all(feature = "tls-ring", not(feature = "tls-aws-lc")))]
const PROTOCOLS: &[&str] =
    if cfg!(feature = "genai") { &["h2", "http/1.1"] } else { &["http/1.1"] };

#[cfg(not(any(feature = "tls-aws-lc", feature = "tls-ring")))]
fn with_tls(builder: ClientBuilder, is_https: bool) -> Result<ClientBuilder, TlsError> {
    if is_https {
        return Err("a URL with `https` needs TLS, which this build lacks: enable the feature `tls-ring` or \
                    `tls-aws-lc` of cot-core"
            .into());
    }
    Ok(builder)
}

#[cfg(all(test, not(any(feature = "tls-aws-lc", feature = "tls-ring"))))]
mod tests {
    use super::*;

    #[test]
    fn without_tls_only_plain_http_is_spoken() {
        let url = |text: &str| Url::parse(text).unwrap();
        client_builder(&url("http://localhost")).unwrap().build().unwrap();
        let error = client_builder(&url("https://localhost")).unwrap_err().to_string();
        assert!(error.contains("enable the feature `tls-ring` or `tls-aws-lc`"), "{error}");
    }
}
