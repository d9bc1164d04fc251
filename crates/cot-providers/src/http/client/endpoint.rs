//! The server of a client: its address, its key, and the connection.

use std::sync::Arc;

use reqwest::Url;

use super::{
    credentials::Credentials, error::ClientBuildError, model_client::Client, options::Options,
    protocol::Protocol,
};
use crate::http::http_client;

/// A server, as a builder describes it.
#[derive(Clone)]
pub(crate) struct Server {
    pub(crate) base_url: String,
    pub(crate) model: String,
    pub(crate) key: Option<String>,
}

impl Server {
    /// Returns the address to which a protocol sends its requests.
    ///
    /// # Errors
    ///
    /// Returns an error if the base URL is none, or not one of HTTP.
    pub(crate) fn endpoint<P: Protocol>(&self) -> Result<Url, ClientBuildError> {
        let parsed = Url::parse(self.base_url.trim());
        let mut url = parsed.map_err(|error| ClientBuildError::Url(Box::new(error)))?;
        if !matches!(url.scheme(), "http" | "https") {
            return Err(ClientBuildError::Scheme);
        }
        url.set_fragment(None);
        url.path_segments_mut()
            .map_err(|()| ClientBuildError::Scheme)?
            .pop_if_empty()
            .extend(P::PATH);
        Ok(url)
    }

    /// Builds the client. Sends nothing.
    ///
    /// # Errors
    ///
    /// Returns an error if the base URL or key is invalid, or TLS is needed and the build or the system has none.
    pub(crate) fn connect<P: Protocol>(
        self,
        protocol: P,
        options: Options,
    ) -> Result<Arc<Client<P>>, ClientBuildError> {
        let endpoint = self.endpoint::<P>()?;
        let credentials = self.key.map_or(Ok(Credentials::none()), Credentials::from_key::<P>)?;
        if credentials.header().is_some() && has_user(&endpoint) {
            return Err(ClientBuildError::TwoCredentials);
        }
        let http = http_client(&endpoint, &options.limits).map_err(ClientBuildError::Client)?;
        let credentials = credentials.with_endpoint(&endpoint, &http);
        Ok(Arc::new(Client::new(http, endpoint, self.model, credentials, options, protocol)))
    }
}

fn has_user(url: &Url) -> bool {
    !url.username().is_empty() || url.password().is_some()
}
