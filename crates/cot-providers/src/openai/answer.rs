//! Answers that are no replies.

use reqwest::Response;

use crate::http::{Complaint, Failure, Secrets};

/// How much of the body of a failure is read.
const FAILURE_BYTES: usize = 64 * 1024;

/// The answer is not JSON, but of another content type.
pub(super) async fn wrong_content_type(
    came: &str,
    mut response: Response,
    secrets: &Secrets,
) -> Failure {
    let body = secrets.quote(&start_of_body(&mut response).await);
    let came = secrets.quote(came);
    Failure::protocol(format!("expected `application/json`, got `{came}`: {body}"))
}

/// The server answered with a status that is not a success.
pub(super) async fn wrong_status(
    mut response: Response,
    secrets: &Secrets,
    streams: bool,
) -> Failure {
    let body = start_of_body(&mut response).await;
    let status = response.status();
    let complaint = Complaint::read(status, &body, streams);
    Failure::status(status, response.headers(), &body, secrets).with_complaint(complaint)
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
