//! A request that was admitted.

use std::{sync::Arc, time::SystemTime};

use axum::{
    extract::{FromRequestParts, RawPathParams},
    http::request::Parts,
};
use cot_store::{RunId, RunSummary, Store, StoreError};

use crate::{
    access::client::Client,
    error::PageError,
    fields::Fields,
    links::{Links, parse_segment},
    state::AppState,
};

/// A request that was admitted: what handlers know of it. Cheap to clone.
#[derive(Clone)]
pub(crate) struct Visit {
    pub(crate) state: AppState,
    facts: Arc<Facts>,
}

/// The facts of a request.
pub(crate) struct Facts {
    /// Who asks; `None` for a visitor without access, who sees only errors and the login page.
    pub(crate) visitor: Option<Visitor>,
    pub(crate) client: Client,
    /// The path within the site.
    pub(crate) path: String,
    pub(crate) query: Fields,
    pub(crate) now: SystemTime,
}

/// A visitor with access.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Visitor {
    /// The name, if a reverse proxy gave one.
    pub(crate) name: Option<String>,
    /// What forms of this visitor contain.
    pub(crate) csrf: String,
    /// The session, if there is one that can be ended.
    pub(crate) session: Option<String>,
}

impl Visit {
    pub(crate) fn new(state: AppState, facts: Facts) -> Self {
        Self { state, facts: Arc::new(facts) }
    }

    pub(crate) fn store(&self) -> &dyn Store {
        self.state.store()
    }

    pub(crate) fn links(&self) -> &Links {
        self.state.links()
    }

    /// Returns the query of the address.
    pub(crate) fn query(&self) -> &Fields {
        &self.facts.query
    }

    /// Returns the path within the site.
    pub(crate) fn path(&self) -> &str {
        &self.facts.path
    }

    /// Returns when the request arrived.
    pub(crate) fn now(&self) -> SystemTime {
        self.facts.now
    }

    /// Returns whether nothing can be changed.
    pub(crate) fn is_read_only(&self) -> bool {
        self.state.is_read_only()
    }

    /// Returns the visitor, unless there is none with access.
    pub(crate) fn visitor(&self) -> Option<&Visitor> {
        self.facts.visitor.as_ref()
    }

    /// Returns the client that sent the request.
    pub(crate) fn client(&self) -> Client {
        self.facts.client
    }

    /// Returns the summary of a run.
    ///
    /// # Errors
    ///
    /// An error page for a run that does not exist.
    pub(crate) async fn require_run(&self, run: &RunId) -> Result<RunSummary, PageError> {
        let found = self.store().run(run).await?;
        Ok(found.ok_or_else(|| StoreError::UnknownRun { run: run.clone() })?)
    }
}

impl<S: Sync> FromRequestParts<S> for Visit {
    type Rejection = PageError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, PageError> {
        let visit = parts.extensions.get::<Self>().cloned();
        visit.ok_or_else(|| PageError::internal("a handler outside the site"))
    }
}

/// The run that the path names in its parameter `run`.
pub(crate) struct RunName(pub(crate) RunId);

impl<S: Send + Sync> FromRequestParts<S> for RunName {
    type Rejection = PageError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, PageError> {
        let params = RawPathParams::from_request_parts(parts, state).await;
        let params = params.map_err(|_| PageError::not_found())?;
        let name = params.iter().find(|(name, _)| *name == "run").map(|(_, value)| value);
        name.and_then(parse_segment).map(Self).ok_or_else(PageError::not_found)
    }
}

/// The number of a step that the path names in its parameter `n`.
pub(crate) struct StepNumber(pub(crate) u64);

impl<S: Send + Sync> FromRequestParts<S> for StepNumber {
    type Rejection = PageError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, PageError> {
        let params = RawPathParams::from_request_parts(parts, state).await;
        let params = params.map_err(|_| PageError::not_found())?;
        let number = params.iter().find(|(name, _)| *name == "n").map(|(_, value)| value);
        number.and_then(|text| text.parse().ok()).map(Self).ok_or_else(PageError::not_found)
    }
}
