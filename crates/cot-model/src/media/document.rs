//! Documents.

use std::{fmt, str};

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::{
    blobs::digest::Digest,
    media::{
        content::Content,
        error::MediaError,
        kind::{MediaKind, PLAIN_TEXT, is_text},
        source::MediaSource,
    },
};

/// A document in a request: a PDF file, a text, or the address of one. Clones share the bytes.
///
/// Documents are equal if their media types and names are, and their bytes or their addresses. `Debug` and
/// `Display` show the media type, the size and the beginning of the digest, never the bytes.
///
/// ```
/// use cot_core::model::Document;
///
/// let terms = Document::from_text("1. Payment is due within 30 days.")?.with_name("terms.txt");
/// assert_eq!((terms.media_type(), terms.name()), ("text/plain", Some("terms.txt")));
/// let table = Document::from_bytes("text/csv", "item,price\nnail,0.02\n")?;
/// assert_eq!(table.text(), Some("item,price\nnail,0.02\n"));
/// # Ok::<(), cot_core::model::MediaError>(())
/// ```
///
/// A file is read by the program: `Document::from_bytes("application/pdf", std::fs::read(path)?)`.
///
/// # In outputs
///
/// A model can't produce a document, so `Document` does not implement `JsonSchema`, and a type of outputs can't
/// contain one. The output of a function can: `#[schemars(with = "serde_json::Value")] terms: Document`. A journal
/// then contains the bytes once more, in the result of the call.
///
/// # Serialization
///
/// A document serializes with its bytes in base64. In the snapshots that a store keeps, a reference stands
/// for the bytes, and the store keeps them once for each run. Documents that are deserialized are checked
/// like new ones.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Document(pub(super) Content);

const KIND: MediaKind = MediaKind::Document;

impl Document {
    /// The maximum number of bytes, 32 MiB: the size of a whole request that Anthropic's API accepts. In
    /// base64, a document of 24 MB takes all of it. OpenAI and Gemini accept documents of 50 MB.
    pub const MAX_BYTES: usize = KIND.max_bytes();

    /// Creates a document from its media type and the bytes of a file.
    ///
    /// The media types are `application/pdf`, `text/plain`, `text/markdown`, `text/html` and `text/csv`.
    ///
    /// # Errors
    ///
    /// [`MediaError::Empty`], [`MediaError::TooLarge`] above [`MAX_BYTES`](Self::MAX_BYTES),
    /// [`MediaError::UnsupportedType`], [`MediaError::WrongSignature`] if the file is not a PDF file, and
    /// [`MediaError::NotUtf8`] if a text is not UTF-8.
    pub fn from_bytes(
        media_type: impl AsRef<str>,
        bytes: impl AsRef<[u8]>,
    ) -> Result<Self, MediaError> {
        Content::from_bytes(KIND, Some(media_type.as_ref()), bytes.as_ref()).map(Self)
    }

    /// Creates a document of media type `text/plain`.
    ///
    /// # Errors
    ///
    /// [`MediaError::Empty`], and [`MediaError::TooLarge`] above [`MAX_BYTES`](Self::MAX_BYTES).
    pub fn from_text(text: impl AsRef<str>) -> Result<Self, MediaError> {
        Self::from_bytes(PLAIN_TEXT, text.as_ref())
    }

    /// Creates a document from an `http:` or `https:` address, from which the engine reads it, or decodes a
    /// `data:` address.
    ///
    /// The media type is that of the ending of the file name, or `application/pdf` if it is not known.
    /// Prompts and captures show the address without its query.
    ///
    /// # Errors
    ///
    /// [`MediaError::InvalidUrl`] if the address can't be used; for a `data:` address also the errors of
    /// [`from_bytes`](Self::from_bytes).
    pub fn from_url(url: impl AsRef<str>) -> Result<Self, MediaError> {
        Content::from_url(KIND, url.as_ref()).map(Self)
    }

    /// Sets the media type, such as `text/markdown`.
    ///
    /// # Errors
    ///
    /// [`MediaError::UnsupportedType`]; if the document has bytes, [`MediaError::WrongSignature`] and
    /// [`MediaError::NotUtf8`] if they are of another type.
    pub fn with_media_type(self, media_type: impl AsRef<str>) -> Result<Self, MediaError> {
        self.0.with_media_type(KIND, media_type.as_ref()).map(Self)
    }

    /// Sets the name, such as that of a file, for engines that show it to the model. Control characters are
    /// left out, and the name is cut after 255 bytes.
    #[must_use]
    pub fn with_name(self, name: impl AsRef<str>) -> Self {
        Self(self.0.with_name(name.as_ref()))
    }

    /// Returns the name, if the document has one.
    #[must_use]
    pub fn name(&self) -> Option<&str> {
        self.0.name.as_deref()
    }

    /// Returns the text of a document that is one; `None` for a PDF file and for an address.
    #[must_use]
    pub fn text(&self) -> Option<&str> {
        let blob = self.0.blob().filter(|_| is_text(self.0.media_type))?;
        str::from_utf8(blob.bytes()).ok()
    }

    /// Returns the media type, such as `application/pdf`.
    #[must_use]
    pub const fn media_type(&self) -> &'static str {
        self.0.media_type
    }

    /// Returns the bytes or the address.
    #[must_use]
    pub fn source(&self) -> MediaSource<'_> {
        self.0.source()
    }

    /// Returns the digest of the bytes; `None` for an address.
    #[must_use]
    pub fn digest(&self) -> Option<Digest> {
        self.0.digest()
    }

    /// Returns the number of bytes; `None` for an address.
    #[expect(clippy::len_without_is_empty, reason = "a document is never empty")]
    #[must_use]
    pub fn len(&self) -> Option<usize> {
        self.0.len()
    }

    /// Returns the text that stands for the document in [`prompt`](crate::ModelRequest::prompt), in captures
    /// and for engines that accept text only: the media type, with the size and the first 12 digits of the
    /// digest or with the address.
    #[must_use]
    pub fn placeholder(&self) -> String {
        format!("[{KIND} {self}]")
    }
}

impl fmt::Display for Document {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl fmt::Debug for Document {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Document({self})")
    }
}

impl Serialize for Document {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.store(serializer)
    }
}

impl<'de> Deserialize<'de> for Document {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Content::read(KIND, deserializer).map(Self)
    }
}
