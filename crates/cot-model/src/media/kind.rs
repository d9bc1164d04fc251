//! The two kinds of media, and the media types of each.

use std::fmt;

/// A kind of medium.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum MediaKind {
    /// An image.
    Image,
    /// A document.
    Document,
}

/// A media type that requests can contain.
pub(super) struct MediaType {
    pub(super) name: &'static str,
    /// The endings of file names.
    pub(super) endings: &'static [&'static str],
    pub(super) check: Check,
}

/// The check of the bytes of a media type.
pub(super) enum Check {
    /// The bytes have this signature.
    Signature(fn(&[u8]) -> bool),
    /// The bytes are UTF-8.
    Text,
}

const IMAGES: &[MediaType] = &[
    MediaType {
        name: "image/png",
        endings: &["png"],
        check: Check::Signature(|bytes| bytes.starts_with(b"\x89PNG\r\n\x1a\n")),
    },
    MediaType {
        name: "image/jpeg",
        endings: &["jpg", "jpeg"],
        check: Check::Signature(|bytes| bytes.starts_with(b"\xff\xd8\xff")),
    },
    MediaType {
        name: "image/gif",
        endings: &["gif"],
        check: Check::Signature(|bytes| {
            bytes.starts_with(b"GIF87a") || bytes.starts_with(b"GIF89a")
        }),
    },
    MediaType {
        name: "image/webp",
        endings: &["webp"],
        // The bytes between are the size of the file.
        check: Check::Signature(|bytes| {
            bytes.starts_with(b"RIFF") && bytes.get(8..12) == Some(b"WEBP")
        }),
    },
];

const DOCUMENTS: &[MediaType] = &[
    MediaType {
        name: PDF,
        endings: &["pdf"],
        check: Check::Signature(|bytes| bytes.starts_with(b"%PDF-")),
    },
    MediaType { name: PLAIN_TEXT, endings: &["txt", "text"], check: Check::Text },
    MediaType { name: "text/markdown", endings: &["md", "markdown"], check: Check::Text },
    MediaType { name: "text/html", endings: &["html", "htm"], check: Check::Text },
    MediaType { name: "text/csv", endings: &["csv"], check: Check::Text },
];

const PDF: &str = "application/pdf";
pub(super) const PLAIN_TEXT: &str = "text/plain";

/// The media type of an image whose address does not show it.
const ANY_IMAGE: &str = "image/*";

/// Names that stand for another media type.
pub(super) const ALIASES: [(&str, &str); 2] =
    [("image/jpg", "image/jpeg"), ("text/x-markdown", "text/markdown")];

const MEBIBYTE: usize = 1 << 20;

impl MediaKind {
    /// Returns the name of the kind: `image` or `document`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Image => "image",
            Self::Document => "document",
        }
    }

    /// Returns the maximum number of bytes.
    pub(super) const fn max_bytes(self) -> usize {
        match self {
            Self::Image => 20 * MEBIBYTE,
            Self::Document => 32 * MEBIBYTE,
        }
    }

    /// Returns the accepted media types, such as `image/png`.
    pub fn media_types(self) -> impl Iterator<Item = &'static str> {
        self.types().iter().map(|known| known.name)
    }

    /// Returns the media type of an address that does not show it.
    pub(super) const fn default_type(self) -> &'static str {
        match self {
            Self::Image => ANY_IMAGE,
            Self::Document => PDF,
        }
    }

    pub(super) const fn types(self) -> &'static [MediaType] {
        match self {
            Self::Image => IMAGES,
            Self::Document => DOCUMENTS,
        }
    }
}

/// Returns whether a media type is text.
pub(super) fn is_text(media_type: &str) -> bool {
    media_type.starts_with("text/")
}

impl fmt::Display for MediaKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}
