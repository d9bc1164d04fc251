//! What a failed HTTP request says of its effect.

use cot_model::FunctionError;

/// Converts the error of a request into that of the function that sent it, so that a run knows what became of the
/// effect:
///
/// | the request | the effect |
/// |---|---|
/// | could not be built, or no connection was made | [`NotDone`](cot_model::EffectError::NotDone) |
/// | was sent: the connection was lost, the time passed, the response is an error or can't be read | [`Unknown`](cot_model::EffectError::Unknown) |
///
/// A function that knows what a response means says it itself, such as that a card was declined
/// ([`FunctionError::not_done`]). The message does not contain the address, which can have a key in it.
///
/// A server that redirects a request can have acted on it, and reqwest does not say which of the two addresses could not
/// be reached. Send requests with effects by a client that follows no redirects: `redirect(Policy::none())`.
///
/// ```
/// use cot_core::{FunctionError, request_error};
///
/// async fn charge(client: &reqwest::Client, cents: u64) -> Result<String, FunctionError> {
///     let sent = client.post("https://bank.example/charges").body(cents.to_string()).send().await;
///     let response = sent.and_then(|response| response.error_for_status());
///     response.map_err(request_error)?.text().await.map_err(request_error)
/// }
/// # let _ = charge;
/// ```
#[must_use]
pub fn request_error(error: reqwest::Error) -> FunctionError {
    let is_unsent = error.is_builder() || error.is_connect();
    let error = FunctionError::from_error(&error.without_url());
    match is_unsent {
        true => FunctionError::not_done(error),
        false => FunctionError::unknown(error),
    }
}
