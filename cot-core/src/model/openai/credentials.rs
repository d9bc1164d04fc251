//! What is sent as `Authorization`.

use reqwest::{Client, Url, header::HeaderValue};

use super::OpenAiBuildError;
use crate::model::http::Secrets;

/// What is sent as `Authorization`, and all that is not to be shown. Has no `Debug`, so that nothing
/// that holds it can show it.
pub(super) struct Credentials {
    header: Option<HeaderValue>,
    secrets: Secrets,
}

impl Credentials {
    pub(super) fn none() -> Self {
        Self { header: None, secrets: Secrets::default() }
    }

    pub(super) fn bearer(key: String) -> Result<Self, OpenAiBuildError> {
        let secrets = Secrets::of_key(&key).map_err(|_| OpenAiBuildError::Key)?;
        let mut header =
            HeaderValue::from_str(&format!("Bearer {key}")).map_err(|_| OpenAiBuildError::Key)?;
        header.set_sensitive(true);
        Ok(Self { header: Some(header), secrets })
    }

    /// Hides what the URL may hold of secrets too.
    pub(super) fn with_endpoint(self, endpoint: &Url, http: &Client) -> Self {
        Self { secrets: self.secrets.with_endpoint(endpoint, http), ..self }
    }

    pub(super) fn header(&self) -> Option<&HeaderValue> {
        self.header.as_ref()
    }

    pub(super) fn secrets(&self) -> &Secrets {
        &self.secrets
    }
}
