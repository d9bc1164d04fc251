//! What a reply has with its calls: their names, and the data that is sent back to the engine that issued it, such as
//! the signatures of thoughts.

use std::borrow::Cow;

use cot_model::{ModelReply, ModelRequest, ToolCall};
use reqwest::Url;
use serde_json::Value;

use super::AttemptError;

/// The member of [`ToolCall::engine_data`] with the members that belong to the call.
#[cfg(any(feature = "genai", feature = "openai"))]
pub(crate) const CALL_DATA: &str = "call";

/// The member of [`ToolCall::engine_data`] of the first call with those that belong to its message.
pub(crate) const MESSAGE_DATA: &str = "message";

/// The member of [`ToolCall::engine_data`] with the engine that issued the others.
const ISSUER: &str = "issuer";

/// A model at an address. What it issues is only sent back to it: another engine can't read it, and refuses
/// signatures that are not its own.
pub(crate) struct Issuer(String);

impl Issuer {
    /// Creates the issuer of a model. The address may contain secrets beside the origin.
    pub(crate) fn new(address: &Url, model: &str) -> Self {
        Self(format!("{}/{model}", address.origin().ascii_serialization()))
    }

    /// Marks the data of the calls in a reply as issued by this engine.
    pub(crate) fn sign(&self, mut reply: ModelReply) -> ModelReply {
        for call in &mut reply.tool_calls {
            if let Value::Object(members) = &mut call.engine_data {
                members.insert(ISSUER.to_owned(), self.0.as_str().into());
            }
        }
        reply
    }

    /// Returns a request without the data of calls that another engine issued.
    pub(crate) fn without_foreign_data<'a>(
        &self,
        request: &'a ModelRequest,
    ) -> Cow<'a, ModelRequest> {
        let is_foreign =
            |call: &ToolCall| !call.engine_data.is_null() && call.engine_data[ISSUER] != *self.0;
        let mut calls = request.rounds.iter().flat_map(|round| &round.calls);
        if !calls.any(|(call, _)| is_foreign(call)) {
            return Cow::Borrowed(request);
        }
        let mut own = request.clone();
        let calls = own.rounds.iter_mut().flat_map(|round| &mut round.calls);
        let foreign = calls.map(|(call, _)| call).filter(|call| is_foreign(call));
        foreign.for_each(|call| call.engine_data = Value::Null);
        Cow::Owned(own)
    }
}

/// Checks that each call has a name. A reply with a call that has none is not used: which tool the model meant
/// is not known, and no protocol takes such a call back.
///
/// # Errors
///
/// If a call has no name.
pub(crate) fn check_names(calls: &[ToolCall]) -> Result<(), AttemptError> {
    if calls.iter().all(|call| !call.name.trim().is_empty()) {
        return Ok(());
    }
    let message = "the reply calls a tool without its name: nothing of it was done";
    Err(AttemptError::rejected(message.to_owned()))
}
