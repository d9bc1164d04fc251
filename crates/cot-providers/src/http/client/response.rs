//! Responses in one piece: whole replies, and those that are none.

use cot_model::ModelReply;
use reqwest::{Response, header::CONTENT_TYPE};
use serde_json::Value;

use super::{protocol::Protocol, whole_reply::WholeReply};
use crate::http::{
    AttemptError, Rejection, ReplyNames, Secrets, SentFeatures, Waits, reported_error,
};

/// The media type of whole replies.
pub(super) const JSON: &str = "application/json";

/// The limit on the bytes that are read of an error response.
const FAILURE_BYTES: usize = 64 * 1024;

/// The content type of a response, unchanged, so that secrets in it are found and redacted.
pub(super) struct ContentType(String);

impl ContentType {
    pub(super) fn read(response: &Response) -> Option<Self> {
        let value = response.headers().get(CONTENT_TYPE)?;
        let text = String::from_utf8_lossy(value.as_bytes());
        let essence = text.split(';').next().unwrap_or_default().trim();
        Some(Self(essence.to_owned()))
    }

    pub(super) fn is(&self, essence: &str) -> bool {
        self.0.eq_ignore_ascii_case(essence)
    }

    pub(super) fn is_json(&self) -> bool {
        self.is(JSON) || self.0.to_ascii_lowercase().ends_with("+json")
    }
}

/// Creates the error for a response with another content type than JSON.
pub(super) async fn wrong_content_type(
    came: &ContentType,
    mut response: Response,
    waits: Waits<'_>,
    secrets: &Secrets,
) -> AttemptError {
    let body = secrets.quote(&start_of_body(&mut response, waits).await);
    let came = secrets.quote(&came.0);
    AttemptError::protocol(format!("expected `application/json`, got `{came}`: {body}"))
}

/// Creates the error for a response with an error status.
pub(super) async fn wrong_status(
    mut response: Response,
    waits: Waits<'_>,
    secrets: &Secrets,
    sent: SentFeatures,
) -> AttemptError {
    let body = start_of_body(&mut response, waits).await;
    let status = response.status();
    let rejection = Rejection::read(status, &body, sent);
    AttemptError::status(status, response.headers(), &body, secrets).with_rejection(rejection)
}

// An interrupted body does not matter: the status is known.
async fn start_of_body(response: &mut Response, mut waits: Waits<'_>) -> String {
    waits.begin();
    let mut body = Vec::new();
    while let Ok(Some(chunk)) = waits.next(response.chunk()).await {
        body.extend_from_slice(&chunk);
        if body.len() >= FAILURE_BYTES {
            body.truncate(FAILURE_BYTES);
            break;
        }
    }
    String::from_utf8_lossy(&body).into_owned()
}

/// Reads a whole body, up to a limit of bytes.
pub(super) async fn read_body(
    mut response: Response,
    mut waits: Waits<'_>,
    limit: usize,
) -> Result<Vec<u8>, AttemptError> {
    let announced = response.content_length().unwrap_or_default();
    if announced > limit as u64 {
        return Err(AttemptError::too_large(limit));
    }
    let mut body = Vec::new();
    while let Some(chunk) = waits.next(response.chunk()).await? {
        waits.begin();
        if body.len() + chunk.len() > limit {
            return Err(AttemptError::too_large(limit));
        }
        body.extend_from_slice(&chunk);
    }
    Ok(body)
}

/// Reads the body of a response. The error contains the expected format and an excerpt of the body.
pub(super) fn read_reply<P: Protocol>(
    body: &[u8],
    secrets: &Secrets,
    content: &[Value],
) -> Result<ModelReply, AttemptError> {
    let text = std::str::from_utf8(body).map_err(not_text)?;
    let reply = WholeReply::new(text, P::REPLY, secrets)?;
    let usage = P::usage(&reply.said);
    let read = match reported_error(&reply.said) {
        Some(error) => Err(AttemptError::reported(error, secrets)),
        None => P::read(&reply, content),
    };
    let mut names = ReplyNames::default();
    names.read(&reply.said);
    read.map(|reply| names.add_to(reply)).map_err(|failure| failure.with_usage(usage))
}

fn not_text(error: std::str::Utf8Error) -> AttemptError {
    let at = error.valid_up_to();
    match error.error_len() {
        // The body ends within a character.
        None => AttemptError::cut_body(),
        Some(_) => AttemptError::protocol(format!(
            "expected JSON in UTF-8, got other bytes at offset {at}"
        )),
    }
}
