//! The state of a run beside its JSON.

use std::sync::{Arc, OnceLock};

use serde::Serialize;
use serde_json::value::{RawValue, to_raw_value};

/// The state of a run. It keeps the JSON that was made of it for as long as nobody can have changed it: a run
/// that is kept is written down after every task, and many tasks leave the state alone.
pub(super) struct WithJson<S> {
    state: S,
    json: OnceLock<Arc<RawValue>>,
}

impl<S> WithJson<S> {
    pub(super) const fn new(state: S) -> Self {
        Self { state, json: OnceLock::new() }
    }

    pub(super) const fn get(&self) -> &S {
        &self.state
    }

    /// The state, to be changed.
    pub(super) fn change(&mut self) -> &mut S {
        self.json.take();
        &mut self.state
    }

    pub(super) fn into_inner(self) -> S {
        self.state
    }
}

impl<S: Serialize> WithJson<S> {
    pub(super) fn json(&self) -> serde_json::Result<Arc<RawValue>> {
        if let Some(json) = self.json.get() {
            return Ok(Arc::clone(json));
        }
        let json = Arc::from(to_raw_value(&self.state)?);
        Ok(Arc::clone(self.json.get_or_init(|| json)))
    }
}
