//! The error of one attempt.

use std::{error::Error, time::Duration};

use cot_model::{ModelError, ModelErrorKind};
use reqwest::{
    StatusCode, Url,
    header::{HeaderMap, LOCATION},
};
use serde_json::Value;

use super::{Rejection, Secrets, retry_after::retry_after};

/// The error of one attempt.
pub(crate) struct AttemptError {
    kind: ModelErrorKind,
    message: String,
    source: Option<reqwest::Error>,
    attempts: u32,
    /// The part of the request that the server rejected, if it did.
    pub(crate) rejection: Option<Rejection>,
}

impl AttemptError {
    pub(crate) fn new(kind: ModelErrorKind, message: String) -> Self {
        Self { kind, message, source: None, attempts: 1, rejection: None }
    }

    /// Creates the error for a response that violates the protocol.
    pub(crate) fn protocol(message: String) -> Self {
        Self::new(ModelErrorKind::Protocol, message)
    }

    /// Creates the error for a response that exceeds the limit.
    pub(crate) fn too_large(limit: usize) -> Self {
        let message = format!("the server's answer is larger than the limit of {limit} bytes");
        Self::new(ModelErrorKind::TooLarge, message)
    }

    /// Converts an error of the connection.
    pub(crate) fn transport(error: reqwest::Error) -> Self {
        let (kind, what) = if error.is_builder() {
            (ModelErrorKind::Other, "the request could not be made")
        } else if error.is_timeout() {
            (ModelErrorKind::Timeout, "the server did not answer in time")
        } else if error.is_connect() {
            (ModelErrorKind::Connection, "the server could not be reached")
        } else {
            (ModelErrorKind::Connection, "the connection to the server broke")
        };
        let error = error.without_url();
        let message = format!("{what}: {}", root_cause(&error));
        Self { kind, message, source: Some(error), attempts: 1, rejection: None }
    }

    /// Creates the error for a stream that ended before the reply.
    pub(crate) fn interrupted() -> Self {
        let message = "the connection to the server broke: the stream ended before the reply did";
        Self::new(ModelErrorKind::Connection, message.to_owned())
    }

    /// Creates the error for an error event in a stream, where the server can't send a status.
    pub(crate) fn reported(error: &Value, secrets: &Secrets) -> Self {
        let said = secrets.quote(&error_text(&error.to_string()));
        let message = format!("the server aborted the reply: {said}");
        let kind = match reported_status(error) {
            Some(code) => ModelErrorKind::Status { code, retry_after: None },
            None => ModelErrorKind::Protocol,
        };
        Self::new(kind, message)
    }

    /// Creates the error for a response with an error status.
    pub(crate) fn status(
        status: StatusCode,
        headers: &HeaderMap,
        body: &str,
        secrets: &Secrets,
    ) -> Self {
        let retry_after = retry_after(headers);
        let mut message = format!("the server answered {status}");
        let said = redirection(status, headers).unwrap_or_else(|| error_text(body));
        if !said.trim().is_empty() {
            message = format!("{message}: {}", secrets.quote(&said));
        }
        if let Some(wait) = retry_after {
            message = format!("{message}; it asks to wait {} s", wait.as_secs());
        }
        Self::new(ModelErrorKind::Status { code: status.as_u16(), retry_after }, message)
    }

    /// Returns whether the same request may succeed later.
    pub(crate) fn is_retryable(&self) -> bool {
        // Some servers answer 500 to what they do not support.
        self.rejection.is_none() && ModelError::new(self.kind.clone(), String::new()).is_retryable()
    }

    pub(crate) fn retry_after(&self) -> Option<Duration> {
        match self.kind {
            ModelErrorKind::Status { retry_after, .. } => retry_after,
            _ => None,
        }
    }

    /// Sets the rejected part of the request.
    pub(crate) fn with_rejection(self, rejection: Option<Rejection>) -> Self {
        Self { rejection, ..self }
    }

    /// Sets how many attempts were made.
    pub(crate) fn after_attempts(self, attempts: u32) -> Self {
        Self { attempts, ..self }
    }

    /// Converts to the error of the call.
    pub(crate) fn into_error(self) -> ModelError {
        let mut message = self.message;
        if self.attempts > 1 {
            message = format!("{message} (tried {} times)", self.attempts);
        }
        let error = ModelError::new(self.kind, message);
        match self.source {
            Some(source) => error.with_source(source),
            None => error,
        }
    }
}

fn root_cause(error: &dyn Error) -> String {
    let mut cause = error;
    while let Some(source) = cause.source() {
        cause = source;
    }
    cause.to_string()
}

// Shows only the origin: the rest of the address may contain secrets.
fn redirection(status: StatusCode, headers: &HeaderMap) -> Option<String> {
    let location = status.is_redirection().then(|| headers.get(LOCATION)).flatten()?;
    let origin = location.to_str().ok().and_then(|to| Url::parse(to).ok()).map(|to| to.origin());
    let to = origin.map(|origin| format!(" to {}", origin.ascii_serialization()));
    Some(format!("a redirection{}, which is not followed", to.unwrap_or_default()))
}

// The usual body is `{"error": {"message", "code"}}`; some servers omit a level or use `detail`.
fn error_text(body: &str) -> String {
    let Ok(json) = serde_json::from_str::<Value>(body) else {
        return body.to_owned();
    };
    let error = json.get("error").unwrap_or(&json);
    let message = [error, &error["message"], &error["detail"]].into_iter().find_map(Value::as_str);
    match (message, &error["code"]) {
        (None, _) => body.to_owned(),
        (Some(message), Value::String(code)) => format!("{message} ({code})"),
        (Some(message), Value::Number(code)) => format!("{message} ({code})"),
        (Some(message), _) => message.to_owned(),
    }
}

// Returns the status of a reported error: its code, or that of a known name of a transient failure.
fn reported_status(error: &Value) -> Option<u16> {
    let told = ["code", "status", "type"].map(|key| &error[key]);
    let code = told.iter().find_map(|told| match told {
        Value::String(text) => text.parse().ok(),
        told => told.as_u64().and_then(|code| u16::try_from(code).ok()),
    });
    let names = told.iter().filter_map(|told| told.as_str());
    let named = || names.map(str::to_lowercase).find_map(|name| transient_status(&name));
    code.filter(|code| (400..600).contains(code)).or_else(named)
}

fn transient_status(name: &str) -> Option<u16> {
    let statuses = [
        ("rate_limit", 429),
        ("server_error", 500),
        ("api_error", 500),
        ("overloaded", 503),
        ("unavailable", 503),
        ("timeout", 504),
    ];
    statuses.into_iter().find(|(part, _)| name.contains(part)).map(|(_, status)| status)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_servers_words_are_found() {
        for (body, expected) in [
            (r#"{"error":{"message":"no","code":"bad_key"}}"#, "no (bad_key)"),
            (r#"{"error":{"message":"no","code":400}}"#, "no (400)"),
            (r#"{"error":{"message":"no","code":null}}"#, "no"),
            (r#"{"error":"no"}"#, "no"),
            (r#"{"message":"no"}"#, "no"),
            (r#"{"detail":"no"}"#, "no"),
            (r#"{"detail":[1]}"#, r#"{"detail":[1]}"#),
            ("[1]", "[1]"),
            ("<html>", "<html>"),
            ("", ""),
        ] {
            assert_eq!(error_text(body), expected);
        }
    }

    #[test]
    fn errors_in_a_stream_stand_for_a_status() {
        for (error, expected) in [
            (r#"{"message":"no","code":502}"#, Some(502)),
            (r#"{"message":"no","code":"429"}"#, Some(429)),
            (r#"{"code":"x","status":503}"#, Some(503)),
            (r#"{"type":"server_error","code":null}"#, Some(500)),
            (r#"{"type":"Overloaded_Error"}"#, Some(503)),
            (r#"{"type":"tokens","code":"rate_limit_exceeded"}"#, Some(429)),
            (r#"{"type":"BadRequestError","code":400}"#, Some(400)),
            (r#"{"type":"insufficient_quota"}"#, None),
            (r#"{"code":7}"#, None),
            (r#"{"code":99999999}"#, None),
            (r#""oops""#, None),
        ] {
            let error: Value = serde_json::from_str(error).unwrap();
            assert_eq!(reported_status(&error), expected, "{error}");
        }
    }
}
