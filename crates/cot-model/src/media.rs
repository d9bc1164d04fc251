//! Images and documents in requests.

use std::{fmt, sync::Arc};

use base64::{Engine, prelude::BASE64_STANDARD};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};

/// An image in a request. Clones share the bytes.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Image(Content);

/// A document in a request, such as a PDF file. Clones share the bytes.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Document(Content);

/// An image or a document of a request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Media {
    /// An image.
    Image(Image),
    /// A document.
    Document(Document),
}

/// Where the bytes of an image or a document are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MediaSource<'a> {
    /// The bytes themselves.
    Bytes(&'a [u8]),
    /// The address from which the engine reads them.
    Url(&'a str),
}

/// The media that an engine accepts in requests.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct AcceptedMedia {
    /// Whether it accepts images.
    pub images: bool,
    /// Whether it accepts documents.
    pub documents: bool,
}

impl AcceptedMedia {
    /// Text only.
    pub const NONE: Self = Self { images: false, documents: false };
    /// Images, but no documents.
    pub const IMAGES: Self = Self { images: true, documents: false };
    /// Images and documents.
    pub const ALL: Self = Self { images: true, documents: true };

    /// Returns whether a medium is accepted.
    #[must_use]
    pub const fn accepts(self, media: &Media) -> bool {
        match media {
            Media::Image(_) => self.images,
            Media::Document(_) => self.documents,
        }
    }
}

#[derive(Clone, PartialEq, Eq)]
struct Content {
    media_type: Arc<str>,
    source: Source,
}

#[derive(Clone, PartialEq, Eq)]
enum Source {
    Bytes(Arc<[u8]>),
    Url(Arc<str>),
}

impl Image {
    /// Returns the media type, such as `image/png`.
    #[must_use]
    pub fn media_type(&self) -> &str {
        &self.0.media_type
    }

    /// Returns the bytes or the address.
    #[must_use]
    pub fn source(&self) -> MediaSource<'_> {
        self.0.source()
    }
}

impl Document {
    /// Returns the media type, such as `application/pdf`.
    #[must_use]
    pub fn media_type(&self) -> &str {
        &self.0.media_type
    }

    /// Returns the bytes or the address.
    #[must_use]
    pub fn source(&self) -> MediaSource<'_> {
        self.0.source()
    }
}

impl Media {
    /// Returns the text that stands for the medium in [`prompt`](crate::ModelRequest::prompt), in captures
    /// and for engines that accept text only.
    #[must_use]
    pub fn placeholder(&self) -> String {
        let (kind, content) = match self {
            Self::Image(Image(content)) => ("image", content),
            Self::Document(Document(content)) => ("document", content),
        };
        format!("[{kind} {content}]")
    }
}

impl Content {
    fn source(&self) -> MediaSource<'_> {
        match &self.source {
            Source::Bytes(bytes) => MediaSource::Bytes(bytes),
            Source::Url(url) => MediaSource::Url(url),
        }
    }
}

/// The serialized form of a medium.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct StoredMedia {
    media_type: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    data: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    url: Option<String>,
}

impl Serialize for Content {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let media_type = self.media_type.to_string();
        let (data, url) = match self.source() {
            MediaSource::Bytes(bytes) => (Some(BASE64_STANDARD.encode(bytes)), None),
            MediaSource::Url(url) => (None, Some(url.to_owned())),
        };
        StoredMedia { media_type, data, url }.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Content {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let StoredMedia { media_type, data, url } = StoredMedia::deserialize(deserializer)?;
        let source = match (data, url) {
            (Some(data), None) => {
                let bytes = BASE64_STANDARD.decode(data).map_err(D::Error::custom)?;
                Source::Bytes(bytes.into())
            }
            (None, Some(url)) => Source::Url(url.into()),
            _ => return Err(D::Error::custom("expected either `data` or `url`")),
        };
        Ok(Self { media_type: media_type.into(), source })
    }
}

impl fmt::Display for Content {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.source() {
            MediaSource::Bytes(bytes) => write!(f, "{}, {} bytes", self.media_type, bytes.len()),
            MediaSource::Url(url) => write!(f, "{}, {url}", self.media_type),
        }
    }
}

impl fmt::Debug for Image {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Image({})", self.0)
    }
}

impl fmt::Debug for Document {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Document({})", self.0)
    }
}
