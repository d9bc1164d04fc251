//! The errors of `genai`, told without what they hold of keys and prompts.

use std::{error::Error, string::FromUtf8Error};

use cot_model::ModelErrorKind;
use genai::webc::{self, StreamTimeout};
use reqwest::{StatusCode, header::HeaderMap};
use serde_json::Value;

use super::raw;
use crate::http::{Complaint, Failure, Secrets};

/// What a failed call comes to.
pub(super) fn failure(error: genai::Error, secrets: &Secrets) -> Failure {
    match error {
        genai::Error::WebModelCall { webc_error, .. }
        | genai::Error::WebAdapterCall { webc_error, .. } => of_answer(webc_error, secrets),
        genai::Error::HttpError { status, body, headers, .. } => {
            of_status(status, &headers, &body, secrets)
        }
        genai::Error::WebStream { error, .. } => of_stream(error, secrets),
        genai::Error::ChatResponse { body, .. } => of_reply(&body, secrets),
        genai::Error::ChatResponseGeneration { response_body, .. } => {
            of_reply(&response_body, secrets)
        }
        genai::Error::StreamParse { serde_error, .. } if serde_error.is_eof() => {
            Failure::broken_off()
        }
        genai::Error::StreamParse { .. }
        | genai::Error::JsonValueExt(_)
        | genai::Error::SerdeJson(_)
        | genai::Error::InvalidJsonResponseElement { .. }
        | genai::Error::NoChatResponse { .. } => unexpected(),
        other => {
            let message =
                format!("the request could not be made: {}", secrets.quote(&other.to_string()));
            Failure::new(ModelErrorKind::Other, message)
        }
    }
}

/// What came is not what the protocol says.
pub(super) fn unexpected() -> Failure {
    Failure::protocol("expected a reply in the provider's protocol, got something else".to_owned())
}

/// What came in place of a reply: an error, or nothing that can be read.
pub(super) fn of_reply(said: &Value, secrets: &Secrets) -> Failure {
    if let Some(error) = raw::error(said) {
        return Failure::reported(error, secrets);
    }
    if said["message"].is_string() || said["type"] == "error" {
        return Failure::reported(said, secrets);
    }
    let came = secrets.quote(&said.to_string());
    Failure::protocol(format!("expected a reply in the provider's protocol, got: {came}"))
}

fn of_answer(error: webc::Error, secrets: &Secrets) -> Failure {
    match error {
        webc::Error::ResponseFailedStatus { status, body, headers } => {
            of_status(status, &headers, &body, secrets)
        }
        webc::Error::ResponseFailedNotJson { content_type, body } => {
            let (came, body) = (secrets.quote(&content_type), secrets.quote(&body));
            Failure::protocol(format!("expected `application/json`, got `{came}`: {body}"))
        }
        webc::Error::ResponseFailedInvalidJson { body, .. } => {
            let came = if body.trim().is_empty() { "nothing" } else { &body };
            Failure::protocol(format!("expected JSON, got: {}", secrets.quote(came)))
        }
        webc::Error::JsonValueExt(_) => unexpected(),
        webc::Error::Reqwest(error) => Failure::transport(error),
    }
}

fn of_status(status: StatusCode, headers: &HeaderMap, body: &str, secrets: &Secrets) -> Failure {
    let complaint = Complaint::read(status, body, false);
    Failure::status(status, headers, body, secrets).with_complaint(complaint)
}

fn of_stream(error: Box<dyn Error + Send + Sync>, secrets: &Secrets) -> Failure {
    let error = match error.downcast::<genai::Error>() {
        Ok(error) => return failure(*error, secrets),
        Err(error) => error,
    };
    let error = match error.downcast::<reqwest::Error>() {
        Ok(error) => return Failure::transport(*error),
        Err(error) => error,
    };
    if error.is::<StreamTimeout>() {
        let message = "the server did not answer in time";
        return Failure::new(ModelErrorKind::Timeout, message.to_owned());
    }
    let cut = |error: &FromUtf8Error| error.utf8_error().error_len().is_none();
    match error.downcast_ref::<FromUtf8Error>() {
        Some(error) if cut(error) => Failure::broken_off(),
        Some(_) => Failure::protocol("expected events in UTF-8, got other bytes".to_owned()),
        None => unexpected(),
    }
}
