//! Responses that are not replies.

use reqwest::Response;

use crate::http::{AttemptError, Rejection, Secrets, SentFeatures, Waits};

/// The limit on the bytes that are read of an error response.
const FAILURE_BYTES: usize = 64 * 1024;

/// Creates the error for a response with another content type than JSON.
pub(super) async fn wrong_content_type(
    came: &str,
    mut response: Response,
    waits: Waits<'_>,
    secrets: &Secrets,
) -> AttemptError {
    let body = secrets.quote(&start_of_body(&mut response, waits).await);
    let came = secrets.quote(came);
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
