//! What a failed HTTP request says of its effect.

use cot_model::FunctionError;
use reqwest::IntoUrl;

/// Converts the error of a request into that of the function that sent it to `url`, so that a run knows what became of
/// the effect:
///
/// | the request | the effect |
/// |---|---|
/// | could not be built, or no connection to `url` was made | [`NotDone`](cot_model::EffectError::NotDone) |
/// | was sent: the connection was lost, the time passed, the response is an error or can't be read | [`Unknown`](cot_model::EffectError::Unknown) |
///
/// A function that knows what a response means says it itself, such as that a card was declined
/// ([`FunctionError::not_done`]). A server that redirects a request can have acted on it, so an error at another address
/// than `url` is unknown. The message does not contain the address, which can have a key in it.
///
/// ```
/// use cot_core::{FunctionError, request_error};
///
/// /// async fn charge(client: &reqwest::Client, cents: u64) -> Result<String, FunctionError> {
///     let url = "https://bank.example/charges";
///     let sent = client.post(url).body(cents.to_string()).send().await;
///     let response = sent.and_then(|response| response.error_for_status());
///     let response = response.map_err(|error| request_error(error, url))?;
///     response.text().await.map_err(|error| request_error(error, url))
/// }
/// # let _ = charge;
/// ```
#[must_use]
pub fn request_error(error: reqwest::Error, url: impl IntoUrl) -> FunctionError {
    let is_first = url.into_url().is_ok_and(|url| error.url() == Some(&url));
    let is_unsent = error.is_builder() || (error.is_connect() && is_first);
    let error = FunctionError::from_error(&error.without_url());
    match is_unsent {
        true => FunctionError::not_done(error),
        false => FunctionError::unknown(error),
    }
}
