//! What can go wrong with one try.

use std::{error::Error, time::Duration};

use reqwest::{
    Response, StatusCode, Url,
    header::{HeaderMap, LOCATION},
};
use serde_json::Value;

use super::{credentials::Credentials, retry_after::retry_after};
use crate::model::{ModelError, ModelErrorKind};

/// How much of the body of a failure is read.
const FAILURE_BYTES: usize = 64 * 1024;

/// How servers speak about the schema of one request. `json schema` in two words does so too: the
/// format is called `json_schema`. In doubt it is the schema, as then the next request has its chance.
const ABOUT_A_SCHEMA: [&str; 4] =
    ["invalid schema", "unsupported schema", "invalid json schema", "schema conversion"];

/// A try that failed.
pub(super) struct Failure {
    kind: ModelErrorKind,
    message: String,
    source: Option<reqwest::Error>,
    tries: u32,
    /// What the server has against the way the request was put, if that is why it refused.
    pub(super) complaint: Option<Complaint>,
}

/// What a server has against the way a request is put.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Complaint {
    /// It doesn't know the response format.
    Format,
    /// It knows the format, and dislikes the schema of this request.
    Schema,
    /// It wants the limit as `max_completion_tokens`, and not as `max_tokens`.
    Limit,
}

impl Failure {
    pub(super) fn new(kind: ModelErrorKind, message: String) -> Self {
        Self { kind, message, source: None, tries: 1, complaint: None }
    }

    /// The answer was not a chat completion.
    pub(super) fn protocol(message: String) -> Self {
        Self::new(ModelErrorKind::Protocol, message)
    }

    /// The answer is larger than allowed.
    pub(super) fn too_large(limit: usize) -> Self {
        let message = format!("the server's answer is larger than the limit of {limit} bytes");
        Self::new(ModelErrorKind::TooLarge, message)
    }

    /// The answer is not JSON, but of another content type.
    pub(super) async fn content_type(
        came: &str,
        mut response: Response,
        credentials: &Credentials,
    ) -> Self {
        let body = credentials.quote(&start_of_body(&mut response).await);
        let came = credentials.quote(came);
        Self::protocol(format!("expected `application/json`, got `{came}`: {body}"))
    }

    /// The server's answer has not come, or not wholly.
    pub(super) fn transport(error: reqwest::Error) -> Self {
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
        Self { kind, message, source: Some(error), tries: 1, complaint: None }
    }

    /// The server answered with a status that is not a success.
    pub(super) async fn status(mut response: Response, credentials: &Credentials) -> Self {
        let status = response.status();
        let retry_after = retry_after(response.headers());
        let body = start_of_body(&mut response).await;
        let mut message = format!("the server answered {status}");
        let said = redirection(status, response.headers()).unwrap_or_else(|| said(&body));
        if !said.trim().is_empty() {
            message = format!("{message}: {}", credentials.quote(&said));
        }
        if let Some(wait) = retry_after {
            message = format!("{message}; it asks to wait {} s", wait.as_secs());
        }
        let kind = ModelErrorKind::Status { code: status.as_u16(), retry_after };
        Self { complaint: complaint(status, &body), ..Self::new(kind, message) }
    }

    pub(super) fn is_retryable(&self) -> bool {
        ModelError::new(self.kind.clone(), String::new()).is_retryable()
    }

    pub(super) fn retry_after(&self) -> Option<Duration> {
        match self.kind {
            ModelErrorKind::Status { retry_after, .. } => retry_after,
            _ => None,
        }
    }

    /// The same failure as the last of so many tries.
    pub(super) fn after(self, tries: u32) -> Self {
        Self { tries, ..self }
    }

    /// The error to give up with.
    pub(super) fn into_error(self) -> ModelError {
        let mut message = self.message;
        if self.tries > 1 {
            message = format!("{message} (tried {} times)", self.tries);
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

// A body that breaks off doesn't matter: the status says what happened.
async fn start_of_body(response: &mut Response) -> String {
    let mut body = Vec::new();
    while let Ok(Some(chunk)) = response.chunk().await {
        body.extend_from_slice(&chunk);
        if body.len() >= FAILURE_BYTES {
            body.truncate(FAILURE_BYTES);
            break;
        }
    }
    String::from_utf8_lossy(&body).into_owned()
}

// Only the origin is shown: the rest of the address may hold secrets.
fn redirection(status: StatusCode, headers: &HeaderMap) -> Option<String> {
    let location = status.is_redirection().then(|| headers.get(LOCATION)).flatten()?;
    let origin = location.to_str().ok().and_then(|to| Url::parse(to).ok()).map(|to| to.origin());
    let to = origin.map(|origin| format!(" to {}", origin.ascii_serialization()));
    Some(format!("a redirection{}, which is not followed", to.unwrap_or_default()))
}

// The usual body is `{"error": {"message", "code"}}`; other servers leave out a level, or say `detail`.
fn said(body: &str) -> String {
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

fn complaint(status: StatusCode, body: &str) -> Option<Complaint> {
    if !matches!(status.as_u16(), 400 | 422) {
        return None;
    }
    let body = body.to_lowercase();
    let words = body.replace('_', " ");
    if body.contains("max_tokens") && body.contains("max_completion_tokens") {
        Some(Complaint::Limit)
    } else if !["response format", "json schema", "json object"].iter().any(|n| words.contains(n)) {
        None
    } else if body.contains("json schema") || ABOUT_A_SCHEMA.iter().any(|a| words.contains(a)) {
        Some(Complaint::Schema)
    } else {
        Some(Complaint::Format)
    }
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
            assert_eq!(said(body), expected);
        }
    }

    #[test]
    fn complaints_are_told_from_each_other() {
        let refused = StatusCode::BAD_REQUEST;
        for (body, expected) in [
            ("'response_format' is not supported", Some(Complaint::Format)),
            ("unknown type: json_schema", Some(Complaint::Format)),
            ("Invalid schema for response_format 'a'", Some(Complaint::Schema)),
            ("JSON schema conversion failed", Some(Complaint::Schema)),
            ("Unsupported JSON schema: no `pattern`", Some(Complaint::Schema)),
            ("unsupported response_format type: json_schema", Some(Complaint::Format)),
            ("no 'max_tokens'; use 'max_completion_tokens' instead", Some(Complaint::Limit)),
            ("max_tokens is too large", None),
            ("unknown model", None),
        ] {
            assert_eq!(complaint(refused, body), expected, "{body}");
        }
        assert_eq!(complaint(StatusCode::UNAUTHORIZED, "response_format"), None);
    }
}
