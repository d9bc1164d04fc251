//! The error of one attempt.

use std::{error::Error, time::Duration};

use cot_model::{FinishReason, ModelError, ModelErrorKind, ModelReply, Usage};
use reqwest::{
    StatusCode, Url,
    header::{HeaderMap, LOCATION},
};
use serde::de::IgnoredAny;
use serde_json::Value;

use super::{
    Pause, Rejection, Secrets,
    failure::{Failure, error_in, message},
    retry_after::{retry_after, retry_delay},
};

/// The error of one attempt.
pub(crate) struct AttemptError {
    kind: ModelErrorKind,
    message: String,
    source: Option<reqwest::Error>,
    attempts: u32,
    /// What the attempt cost.
    usage: Box<Usage>,
    /// What a content filter said. Such an attempt is a reply.
    refusal: Option<Box<str>>,
    /// The part of the request that the server rejected, if it did.
    pub(crate) rejection: Option<Rejection>,
    /// The reply so far, if the server paused it.
    pub(crate) pause: Option<Box<Pause>>,
}

impl AttemptError {
    /// Creates an error whose cost is not known.
    pub(crate) fn new(kind: ModelErrorKind, message: String) -> Self {
        let usage = Box::new(Usage::uncounted_call());
        let (source, refusal, rejection, pause) = (None, None, None, None);
        Self { kind, message, source, attempts: 1, usage, refusal, rejection, pause }
    }

    /// Creates the error for a response that violates the protocol.
    pub(crate) fn protocol(message: String) -> Self {
        Self::new(ModelErrorKind::Protocol, message)
    }

    /// Creates the error for a response that is not JSON. A body that ends within its JSON was cut off: the
    /// connection broke.
    pub(crate) fn not_json(body: &str, message: String) -> Self {
        let parsed = serde_json::from_str::<IgnoredAny>(body);
        let is_cut = parsed.is_err_and(|error| error.is_eof()) && !body.trim().is_empty();
        if is_cut { Self::cut_body() } else { Self::protocol(message) }
    }

    /// Creates the error for a body that ended before it was complete.
    pub(crate) fn cut_body() -> Self {
        let message = "the connection to the server broke: the body ended before the reply did";
        Self::new(ModelErrorKind::Connection, message.to_owned())
    }

    /// Creates the error for a response without a reply, whose server failed without an error.
    pub(crate) fn aborted(message: String) -> Self {
        Self::new(ModelErrorKind::Aborted, message)
    }

    /// Creates the error for a reply that the server paused, for callers that do not continue it.
    #[cfg(feature = "anthropic")]
    pub(crate) fn paused(pause: Pause) -> Self {
        let message = "the server paused the reply, and again each time that it was continued";
        Self { pause: Some(Box::new(pause)), ..Self::aborted(message.to_owned()) }
    }

    /// Creates the error for a reply that can't be used, which the model should be told.
    pub(crate) fn rejected(message: String) -> Self {
        Self::new(ModelErrorKind::Rejected, message)
    }

    /// Creates the error for a response that exceeds the limit.
    pub(crate) fn too_large(limit: usize) -> Self {
        let message = format!("the server's answer is larger than the limit of {limit} bytes");
        Self::new(ModelErrorKind::TooLarge, message)
    }

    /// Creates the error for a time limit that was exceeded, before or after the reply began.
    pub(crate) fn timed_out(has_begun: bool) -> Self {
        let (kind, message) = if has_begun {
            (
                ModelErrorKind::Unfinished,
                "the server began its answer and did not complete it in time",
            )
        } else {
            (ModelErrorKind::Timeout, "the server did not answer in time")
        };
        Self::new(kind, message.to_owned())
    }

    /// Converts an error of the connection, before or after the reply began.
    pub(crate) fn transport(error: reqwest::Error, has_begun: bool) -> Self {
        let is_sent = !(error.is_builder() || error.is_connect());
        let error = error.without_url();
        let cause = root_cause(&error);
        let broken = |what| Self::new(ModelErrorKind::Connection, format!("{what}: {cause}"));
        let failed = if error.is_builder() {
            let message = format!("the request could not be made: {cause}");
            Self::new(ModelErrorKind::Other, message)
        } else if error.is_timeout() {
            let failed = Self::timed_out(has_begun);
            Self { message: format!("{}: {cause}", failed.message), ..failed }
        } else if error.is_connect() {
            broken("the server could not be reached")
        } else {
            broken("the connection to the server broke")
        };
        let usage = if is_sent { failed.usage } else { Box::new(Usage::for_call(0, 0)) };
        Self { source: Some(error), usage, ..failed }
    }

    /// Creates the error for a reply that ended before it was complete.
    pub(crate) fn interrupted() -> Self {
        let message = "the connection to the server broke: the stream ended before the reply did";
        Self::new(ModelErrorKind::Connection, message.to_owned())
    }

    /// Creates the error for one that a server reports where it can't send a status: with status 200, or in a
    /// stream.
    pub(crate) fn reported(error: &Value, secrets: &Secrets) -> Self {
        let said = said(error);
        let what = |what| format!("the server {what} the reply: {}", secrets.quote(&said));
        let failure = Failure::read(None, error);
        let message = what(if failure == Failure::Rejected { "rejected" } else { "aborted" });
        Self::failed(failure, error, secrets, message, retry_delay(error))
    }

    /// Creates the error for a response with an error status.
    pub(crate) fn status(
        status: StatusCode,
        headers: &HeaderMap,
        body: &str,
        secrets: &Secrets,
    ) -> Self {
        let json: Value = serde_json::from_str(body).unwrap_or_else(|_| body.into());
        let error = error_in(&json);
        let retry_after = retry_after(headers).or_else(|| retry_delay(error));
        let mut message = format!("the server answered {status}");
        let said = redirection(status, headers).unwrap_or_else(|| said(error));
        if !said.trim().is_empty() {
            message = format!("{message}: {}", secrets.quote(&said));
        }
        let failure = Failure::read(Some(status.as_u16()), error);
        Self::failed(failure, error, secrets, message, retry_after)
    }

    fn failed(
        failure: Failure,
        error: &Value,
        secrets: &Secrets,
        mut message: String,
        retry_after: Option<Duration>,
    ) -> Self {
        let kind = match failure {
            Failure::Refused => ModelErrorKind::Other,
            Failure::Rejected => ModelErrorKind::Rejected,
            Failure::Account => ModelErrorKind::Account,
            Failure::Status(code) => ModelErrorKind::Status { code, retry_after },
            Failure::Aborted => ModelErrorKind::Aborted,
        };
        if let (Failure::Rejected, Some(written)) = (failure, error["failed_generation"].as_str())
            && !written.trim().is_empty()
        {
            message = format!("{message}; the model wrote: {}", secrets.quote(written));
        }
        if let (Failure::Status(_), Some(wait)) = (failure, retry_after) {
            message = format!("{message}; it asks to wait {} s", wait.as_secs_f64());
        }
        let refusal = (failure == Failure::Refused).then(|| secrets.quote(&said(error)).into());
        let failed = Self::new(kind, message);
        let usage =
            if failure.may_have_cost() { failed.usage } else { Box::new(Usage::for_call(0, 0)) };
        Self { refusal, usage, ..failed }
    }

    /// Returns whether the same request may succeed later.
    pub(crate) fn is_retryable(&self) -> bool {
        // Some servers answer 500 to what they do not support.
        let is_answer = self.rejection.is_some() || self.pause.is_some();
        !is_answer && ModelError::new(self.kind.clone(), String::new()).is_retryable()
    }

    pub(crate) fn retry_after(&self) -> Option<Duration> {
        match self.kind {
            ModelErrorKind::Status { retry_after, .. } => retry_after,
            _ => None,
        }
    }

    /// Returns what the attempt cost.
    pub(crate) fn usage(&self) -> Usage {
        *self.usage
    }

    /// Sets the usage that the server reported before it failed, if it did.
    pub(crate) fn with_usage(self, usage: Option<Usage>) -> Self {
        Self { usage: usage.map_or(self.usage, Box::new), ..self }
    }

    /// Sets the rejected part of the request, unless the failure is of another kind than a status.
    pub(crate) fn with_rejection(self, rejection: Option<Rejection>) -> Self {
        let is_status = matches!(self.kind, ModelErrorKind::Status { .. });
        Self { rejection: rejection.filter(|_| is_status), ..self }
    }

    /// Sets how many attempts were made, and what they cost together.
    pub(crate) fn after_attempts(self, attempts: u32, usage: Usage) -> Self {
        Self { attempts, usage: Box::new(usage), ..self }
    }

    /// Converts to the result of the call: what a content filter refused is a reply.
    ///
    /// # Errors
    ///
    /// Returns the error of the call if it is not a refusal.
    pub(crate) fn into_result(self) -> Result<ModelReply, ModelError> {
        if let Some(refusal) = self.refusal {
            return Ok(ModelReply::new(refusal).finish(FinishReason::Refusal).usage(*self.usage));
        }
        let mut message = self.message;
        if self.attempts > 1 {
            message = format!("{message} (tried {} times)", self.attempts);
        }
        let error = ModelError::new(self.kind, message).with_usage(Some(*self.usage));
        Err(match self.source {
            Some(source) => error.with_source(source),
            None => error,
        })
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

/// Returns what an error says, with its code.
fn said(error: &Value) -> String {
    match (message(error), &error["code"]) {
        (None, _) if error.is_null() => String::new(),
        (None, _) => error.to_string(),
        (Some(message), Value::String(code)) => format!("{message} ({code})"),
        (Some(message), Value::Number(code)) => format!("{message} ({code})"),
        (Some(message), _) => message.to_owned(),
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
            (r#"[{"error":{"message":"no","code":400}}]"#, "no (400)"),
            (r#"{"error":"no"}"#, "no"),
            (r#"{"message":"no"}"#, "no"),
            (r#"{"detail":"no"}"#, "no"),
            (r#"{"detail":[1]}"#, r#"{"detail":[1]}"#),
            ("[1]", "1"),
        ] {
            let body: Value = serde_json::from_str(body).unwrap();
            assert_eq!(said(error_in(&body)), expected);
        }
    }
}
