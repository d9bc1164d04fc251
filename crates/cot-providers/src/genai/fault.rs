//! Conversion of `genai` errors, without the keys and prompts that they contain.

use std::{error::Error, string::FromUtf8Error};

use cot_model::ModelErrorKind;
use genai::webc;
use reqwest::{StatusCode, header::HeaderMap};
use serde_json::Value;

use super::raw;
use crate::http::{AttemptError, Rejection, Secrets, SentFeatures, reported_error};

/// Converts an error of a call, before or after its reply began.
pub(super) fn convert_error(
    error: genai::Error,
    has_begun: bool,
    secrets: &Secrets,
) -> AttemptError {
    match error {
        genai::Error::WebModelCall { webc_error, .. }
        | genai::Error::WebAdapterCall { webc_error, .. } => {
            from_web_error(webc_error, has_begun, secrets)
        }
        genai::Error::HttpError { status, body, headers, .. } => {
            from_status(status, &headers, &body, secrets)
        }
        genai::Error::WebStream { error, .. } => from_stream_error(error, has_begun, secrets),
        genai::Error::ChatResponse { body, .. } => from_reply(&body, secrets),
        genai::Error::ChatResponseGeneration { response_body, .. } => {
            from_reply(&response_body, secrets)
        }
        genai::Error::StreamParse { serde_error, .. } if serde_error.is_eof() => {
            AttemptError::interrupted()
        }
        genai::Error::StreamParse { .. }
        | genai::Error::JsonValueExt(_)
        | genai::Error::SerdeJson(_)
        | genai::Error::InvalidJsonResponseElement { .. }
        | genai::Error::NoChatResponse { .. } => unexpected(),
        other => {
            let message =
                format!("the request could not be made: {}", secrets.quote(&other.to_string()));
            AttemptError::new(ModelErrorKind::Other, message)
        }
    }
}

/// Creates the error for a reply that does not follow the protocol and can't be quoted.
pub(super) fn unexpected() -> AttemptError {
    AttemptError::protocol("expected a reply in the provider's protocol".to_owned())
}

/// Creates the error for a body that is not a reply: a reported error, or an unexpected value.
pub(super) fn from_reply(said: &Value, secrets: &Secrets) -> AttemptError {
    let is_message = said["message"].is_string();
    if let Some(error) = reported_error(said).or(is_message.then_some(said)) {
        return AttemptError::reported(error, secrets).with_usage(raw::usage(said));
    }
    let came = secrets.quote(&said.to_string());
    let message = format!("expected a reply in the provider's protocol, got: {came}");
    if raw::lost_its_choices(said) {
        AttemptError::aborted(message)
    } else {
        AttemptError::protocol(message)
    }
}

fn from_web_error(error: webc::Error, has_begun: bool, secrets: &Secrets) -> AttemptError {
    match error {
        webc::Error::ResponseFailedStatus { status, body, headers } => {
            from_status(status, &headers, &body, secrets)
        }
        webc::Error::ResponseFailedNotJson { content_type, body } => {
            let (came, body) = (secrets.quote(&content_type), secrets.quote(&body));
            AttemptError::protocol(format!("expected `application/json`, got `{came}`: {body}"))
        }
        webc::Error::ResponseFailedInvalidJson { body, .. } => {
            let came = if body.trim().is_empty() { "nothing" } else { &body };
            let message = format!("expected JSON, got: {}", secrets.quote(came));
            AttemptError::not_json(&body, message)
        }
        webc::Error::JsonValueExt(_) => unexpected(),
        webc::Error::Reqwest(error) => AttemptError::transport(error, has_begun),
    }
}

fn from_status(
    status: StatusCode,
    headers: &HeaderMap,
    body: &str,
    secrets: &Secrets,
) -> AttemptError {
    // What was rejected counts only if it was sent.
    let sent = SentFeatures { tools: true, stream: false };
    let rejection = Rejection::read(status, body, sent);
    AttemptError::status(status, headers, body, secrets).with_rejection(rejection)
}

fn from_stream_error(
    error: Box<dyn Error + Send + Sync>,
    has_begun: bool,
    secrets: &Secrets,
) -> AttemptError {
    let error = match error.downcast::<genai::Error>() {
        Ok(error) => return convert_error(*error, has_begun, secrets),
        Err(error) => error,
    };
    let error = match error.downcast::<reqwest::Error>() {
        Ok(error) => return AttemptError::transport(*error, has_begun),
        Err(error) => error,
    };
    let cut = |error: &FromUtf8Error| error.utf8_error().error_len().is_none();
    match error.downcast_ref::<FromUtf8Error>() {
        Some(error) if cut(error) => AttemptError::interrupted(),
        Some(_) => AttemptError::protocol("expected events in UTF-8, got other bytes".to_owned()),
        None => unexpected(),
    }
}
