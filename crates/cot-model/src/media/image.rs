//! Images.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::{
    blobs::digest::Digest,
    media::{content::Content, error::MediaError, kind::MediaKind, source::MediaSource},
};

/// An image in a request: a PNG, JPEG, GIF or WebP file, or the address of one. Clones share the bytes.
///
/// Images are equal if their media types are, and their bytes or their addresses. `Debug` and `Display` show
/// the media type, the size and the beginning of the digest, never the bytes.
///
/// ```
/// use cot_core::model::{Image, MediaSource};
///
/// let gif = Image::from_bytes(b"GIF89a\x01\0\x01\0\0\0\0;")?;
/// assert_eq!((gif.media_type(), gif.len()), ("image/gif", Some(14)));
/// assert!(gif.placeholder().starts_with("[image image/gif, 14 bytes, "));
///
/// let png = Image::from_url("https://example.org/plan.png")?;
/// assert_eq!(png.source(), MediaSource::Url("https://example.org/plan.png"));
/// # Ok::<(), cot_core::model::MediaError>(())
/// ```
///
/// A file is read by the program: `Image::from_bytes(std::fs::read(path)?)`.
///
/// # In outputs
///
/// A model can't produce an image, so `Image` does not implement `JsonSchema`, and a type of outputs can't
/// contain one. The output of a function can: `#[schemars(with = "serde_json::Value")] photo: Image`. A journal
/// then contains the bytes once more, in the result of the call.
///
/// # Serialization
///
/// An image serializes with its bytes in base64. In the snapshots that a store keeps, a reference stands for
/// the bytes, and the store keeps them once for each run. Images that are deserialized are checked like new
/// ones.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Image(pub(super) Content);

const KIND: MediaKind = MediaKind::Image;

impl Image {
    /// The maximum number of bytes, 20 MiB: the most that OpenAI accepts for an image. Other engines accept
    /// less; Anthropic's API accepts 5 MB in base64.
    pub const MAX_BYTES: usize = KIND.max_bytes();

    /// Creates an image from the bytes of a file, whose media type is detected by its signature.
    ///
    /// # Errors
    ///
    /// [`MediaError::Empty`], [`MediaError::TooLarge`] above [`MAX_BYTES`](Self::MAX_BYTES), and
    /// [`MediaError::UnknownSignature`] if the file is none of PNG, JPEG, GIF and WebP.
    pub fn from_bytes(bytes: impl AsRef<[u8]>) -> Result<Self, MediaError> {
        Content::from_bytes(KIND, None, bytes.as_ref()).map(Self)
    }

    /// Creates an image from an `http:` or `https:` address, from which the engine reads it, or decodes a
    /// `data:` address.
    ///
    /// The media type is that of the ending of the file name, or `image/*` if it is not known. Prompts and
    /// captures show the address without its query.
    ///
    /// # Errors
    ///
    /// [`MediaError::InvalidUrl`] if the address can't be used; for a `data:` address also
    /// [`MediaError::UnsupportedType`], [`MediaError::WrongSignature`], and the errors of the size.
    pub fn from_url(url: impl AsRef<str>) -> Result<Self, MediaError> {
        Content::from_url(KIND, url.as_ref()).map(Self)
    }

    /// Sets the media type, such as `image/png`, of an address that does not show it.
    ///
    /// # Errors
    ///
    /// [`MediaError::UnsupportedType`], or [`MediaError::WrongSignature`] if the image has bytes of another
    /// type.
    pub fn with_media_type(self, media_type: impl AsRef<str>) -> Result<Self, MediaError> {
        self.0.with_media_type(KIND, media_type.as_ref()).map(Self)
    }

    /// Returns the media type, such as `image/png`.
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
    #[expect(clippy::len_without_is_empty, reason = "an image is never empty")]
    #[must_use]
    pub fn len(&self) -> Option<usize> {
        self.0.len()
    }

    /// Returns the text that stands for the image in [`prompt`](crate::ModelRequest::prompt), in captures and
    /// for engines that accept text only: the media type, with the size and the first 12 digits of the digest
    /// or with the address.
    #[must_use]
    pub fn placeholder(&self) -> String {
        format!("[{KIND} {self}]")
    }
}

impl fmt::Display for Image {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl fmt::Debug for Image {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Image({self})")
    }
}

impl Serialize for Image {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.store(serializer)
    }
}

impl<'de> Deserialize<'de> for Image {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Content::read(KIND, deserializer).map(Self)
    }
}
