//! Requests of parts: texts of all stabilities, images and documents.

use cot_model::{
    Document, Image, Media, ModelRequest, PartName, Stability,
    internal::{RequestText, TextPiece},
};

/// The address of an image or a document, with a secret.
pub(crate) const ADDRESS: &str = "https://example.org/a?signature=s3cret";

const PNG: &[u8] = b"\x89PNG\r\n\x1a\n";

/// The bytes of [`image`] in base64.
pub(crate) const PNG_BASE64: &str = "iVBORw0KGgo=";

/// The bytes of [`document`] in base64.
pub(crate) const PDF_BASE64: &str = "JVBERi0x";

/// An image with its bytes.
pub(crate) fn image() -> Media {
    Image::from_bytes(PNG).unwrap().into()
}

/// An image with an address.
pub(crate) fn image_address() -> Media {
    Image::from_url(ADDRESS).unwrap().with_media_type("image/png").unwrap().into()
}

/// A document with its bytes.
pub(crate) fn document() -> Media {
    Document::from_bytes("application/pdf", "%PDF-1").unwrap().into()
}

/// A document with an address.
pub(crate) fn document_address() -> Media {
    Document::from_url(ADDRESS).unwrap().into()
}

/// A request with a text, an image and a document.
pub(crate) fn media_request(image: Media, document: Media) -> ModelRequest {
    ModelRequest::new("Compare: ").append_media(image).append_format(" and ").append_media(document)
}

/// A request with these texts as its prompt.
pub(crate) fn prompt(texts: &[(&str, Stability)]) -> ModelRequest {
    ModelRequest::from_texts(RequestText::default(), message_text(texts), false)
}

/// The text of a message of these texts.
pub(crate) fn message_text(texts: &[(&str, Stability)]) -> RequestText {
    let mut text = String::new();
    let pieces = texts.iter().map(|(piece, stability)| {
        text.push_str(piece);
        let (end, part, stability) = (text.len(), PartName::Prompt, *stability);
        TextPiece { end, part, stability, is_media: false }
    });
    let pieces: Vec<_> = pieces.collect();
    RequestText { text: text.into(), pieces: pieces.into(), media: Vec::new() }
}

/// A request with a system message and a text of each stability.
pub(crate) fn zones() -> ModelRequest {
    let texts = [
        ("Intro. ", Stability::Fixed),
        ("Goal. ", Stability::PerRun),
        ("History. ", Stability::Growing),
        ("State. ", Stability::Volatile),
        ("Format.", Stability::Fixed),
    ];
    prompt(&texts).with_system("Be brief.")
}
