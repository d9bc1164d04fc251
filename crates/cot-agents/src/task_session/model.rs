//! The model with which a turn is abandoned.

use cot_model::{BoxFuture, LanguageModel, ModelError, ModelErrorKind, ModelReply, ModelRequest};

/// A model that answers nothing, so that a stored turn stops and can be abandoned.
pub(super) struct AbandonedModel;

impl LanguageModel for AbandonedModel {
    fn reply<'a>(&'a self, _: &'a ModelRequest) -> BoxFuture<'a, Result<ModelReply, ModelError>> {
        Box::pin(async { Err(ModelError::new(ModelErrorKind::Other, "the turn is abandoned")) })
    }
}
