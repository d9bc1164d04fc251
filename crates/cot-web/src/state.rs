//! What all handlers share.

use std::sync::Arc;

use cot_store::Store;

use crate::{
    access::access::Gate, evals::reports::Reports, links::Links, live::live::Live,
    runs::overview::OverviewCache,
};

/// What all handlers share. Cheap to clone.
#[derive(Clone)]
pub(crate) struct AppState(Arc<Shared>);

/// The parts of the state.
pub(crate) struct Shared {
    pub(crate) store: Arc<dyn Store>,
    pub(crate) links: Links,
    pub(crate) gate: Gate,
    pub(crate) live: Live,
    pub(crate) overview: OverviewCache,
    /// The reports of evals, if the site shows some.
    pub(crate) reports: Option<Reports>,
    pub(crate) is_read_only: bool,
    /// What the store is called on the pages, such as the name of its file.
    pub(crate) store_name: Option<String>,
}

impl AppState {
    pub(crate) fn new(shared: Shared) -> Self {
        Self(Arc::new(shared))
    }

    pub(crate) fn store(&self) -> &dyn Store {
        &*self.0.store
    }

    pub(crate) fn links(&self) -> &Links {
        &self.0.links
    }

    pub(crate) fn gate(&self) -> &Gate {
        &self.0.gate
    }

    pub(crate) fn live(&self) -> &Live {
        &self.0.live
    }

    pub(crate) fn overview(&self) -> &OverviewCache {
        &self.0.overview
    }

    pub(crate) fn reports(&self) -> Option<&Reports> {
        self.0.reports.as_ref()
    }

    pub(crate) fn is_read_only(&self) -> bool {
        self.0.is_read_only
    }

    pub(crate) fn store_name(&self) -> Option<&str> {
        self.0.store_name.as_deref()
    }
}
