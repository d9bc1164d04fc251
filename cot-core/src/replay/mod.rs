//! Capture and replay of model calls.

use std::time::Duration;

use serde_json::Value;

use crate::{
    CallKey,
    model::{ModelError, ModelReply, ModelRequest},
};

/// Where calls are recorded.
#[derive(Debug, Clone)]
pub struct Capture;

/// Recorded answers.
#[derive(Debug, Clone)]
pub struct Replay;

/// Why a capture can't be replayed.
#[derive(Debug, thiserror::Error)]
#[error("not a capture")]
pub struct ReplayError;

impl Capture {
    pub(crate) fn begin(&self, _: &'static str) {}
    pub(crate) fn model_call(
        &self,
        _: &CallKey,
        _: Option<&str>,
        _: &ModelRequest,
        _: &Result<ModelReply, ModelError>,
        _: Duration,
    ) {
    }
    pub(crate) fn human_answer(&self, _: &CallKey, _: &Value) {}
}

impl Replay {
    pub(crate) fn check_process(&self, _: &'static str) -> Result<(), ReplayError> {
        Ok(())
    }
    pub(crate) fn model_call(
        &self,
        _: &CallKey,
        _: &ModelRequest,
    ) -> Result<ModelReply, ModelError> {
        Err(ModelError::new(crate::model::ModelErrorKind::Diverged, "nothing was captured"))
    }
    pub(crate) fn human_answer(&self, _: &CallKey) -> Option<Result<Value, ModelError>> {
        None
    }
}
