//! Encoding of images and documents.

use std::borrow::Cow;

use base64::{Engine, prelude::BASE64_STANDARD};
use cot_model::Document;
#[cfg(feature = "openai")]
use cot_model::MediaSource;

/// Encodes bytes in base64.
pub(crate) fn in_base64(bytes: &[u8]) -> String {
    BASE64_STANDARD.encode(bytes)
}

/// Returns the address of a medium, or a `data:` URL with its bytes.
#[cfg(feature = "openai")]
pub(crate) fn media_url<'a>(media_type: &str, source: MediaSource<'a>) -> Cow<'a, str> {
    match source {
        MediaSource::Url(url) => Cow::Borrowed(url),
        MediaSource::Bytes(bytes) => {
            Cow::Owned(format!("data:{media_type};base64,{}", in_base64(bytes)))
        }
    }
}

/// Returns the file name of a document, which vendors require: its name, or the same one in every request.
pub(crate) fn file_name(document: &Document) -> Cow<'_, str> {
    if let Some(name) = document.name().filter(|name| !name.is_empty()) {
        return Cow::Borrowed(name);
    }
    let ending = match document.media_type().rsplit('/').next().unwrap_or_default() {
        "plain" => "txt",
        "markdown" => "md",
        subtype => subtype,
    };
    Cow::Owned(format!("document.{ending}"))
}

#[cfg(test)]
mod tests {
    use cot_model::MediaKind;

    use super::*;

    #[test]
    fn documents_have_their_own_name_or_one_of_their_media_type() {
        let names = MediaKind::Document.media_types().map(|media_type| {
            let document = Document::from_bytes(media_type, "%PDF-").unwrap();
            assert_eq!(file_name(&document.clone().with_name("terms")), "terms");
            file_name(&document.with_name("\n")).into_owned()
        });
        let endings = ["pdf", "txt", "md", "html", "csv"];
        assert_eq!(names.collect::<Vec<_>>(), endings.map(|ending| format!("document.{ending}")));
    }
}
