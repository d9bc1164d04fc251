//! The fields of a form or a query.

use std::{convert::Infallible, str::FromStr, sync::Arc};

use axum::{extract::FromRequestParts, http::request::Parts};

/// The fields of a posted form, or of the query of an address: pairs of names and values, in order.
///
/// As an extractor it is the posted form, which is empty for a GET. The query is
/// [`Visit::query`](crate::visit::Visit::query).
#[derive(Debug, Clone, Default)]
pub(crate) struct Fields(Arc<Vec<(String, String)>>);

impl Fields {
    /// Parses `a=1&b=2`, with percent-encoding.
    pub(crate) fn parse(text: &[u8]) -> Self {
        let pairs = form_urlencoded::parse(text);
        Self(Arc::new(pairs.map(|(name, value)| (name.into_owned(), value.into_owned())).collect()))
    }

    /// Returns the first value of a field, if the field is there.
    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(field, _)| field == name).map(|(_, value)| value.as_str())
    }

    /// Returns the first value of a field without blanks around it, unless nothing is left.
    pub(crate) fn filled(&self, name: &str) -> Option<&str> {
        self.get(name).map(str::trim).filter(|value| !value.is_empty())
    }

    /// Returns the first value of a field if it can be parsed.
    pub(crate) fn parsed<T: FromStr>(&self, name: &str) -> Option<T> {
        self.filled(name)?.parse().ok()
    }

    /// Returns all fields.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }
}

impl<S: Sync> FromRequestParts<S> for Fields {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        Ok(parts.extensions.get().cloned().unwrap_or_default())
    }
}
