//! The checks of a request before anything is sent.

use cot_model::{AcceptedMedia, Media, ModelError, ModelErrorKind, ModelRequest, ModelSettings};

/// Checks that the engine accepts the images and documents of a request.
pub(crate) fn check_media(
    request: &ModelRequest,
    accepted: AcceptedMedia,
) -> Result<(), ModelError> {
    let Some(media) = request.media().iter().find(|media| !accepted.accepts(media)) else {
        return Ok(());
    };
    let kind = media.kind();
    let hint = "the builder's `accepts` sets what the model takes";
    Err(refuse_media(media, &format!("the engine does not accept {kind}s; {hint}")))
}

/// Creates the error for an image or a document that can't be sent. It does not contain the address,
/// which may be a secret.
pub(crate) fn refuse_media(media: &Media, reason: &str) -> ModelError {
    let (kind, media_type) = match media {
        Media::Image(image) => ("an image", image.media_type()),
        Media::Document(document) => ("a document", document.media_type()),
    };
    let message = format!("the request contains {kind} ({media_type}), but {reason}");
    ModelError::new(ModelErrorKind::Media, message)
}

/// Checks the ranges of the settings, and that `extra` has none of the `reserved` members.
pub(crate) fn check_settings(
    settings: &ModelSettings,
    reserved: &[&str],
) -> Result<(), ModelError> {
    let refused = |message| Err(ModelError::new(ModelErrorKind::Other, message));
    // NaN is in no range.
    match (settings.temperature, settings.top_p) {
        (Some(value), _) if !(0.0..=2.0).contains(&value) => {
            return refused(format!("`temperature` must be from 0 to 2, but is {value}"));
        }
        (_, Some(value)) if !(value > 0.0 && value <= 1.0) => {
            return refused(format!("`top_p` must be above 0 and at most 1, but is {value}"));
        }
        _ => {}
    }
    if settings.stop.iter().any(String::is_empty) {
        return refused("`stop` must not contain an empty text".to_owned());
    }
    match settings.extra.keys().find(|name| reserved.contains(&name.as_str())) {
        Some(name) => refused(format!("`extra` must not contain `{name}`, which the client sets")),
        None => Ok(()),
    }
}
