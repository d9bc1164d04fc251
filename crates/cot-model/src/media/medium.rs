//! What engines see of images and documents.

use serde::{Deserialize, Serialize};

use crate::media::{document::Document, image::Image, kind::MediaKind};

/// An image or a document of a request.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Media {
    /// An image.
    Image(Image),
    /// A document.
    Document(Document),
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
        self.accepts_kind(media.kind())
    }

    /// Returns whether a kind of medium is accepted.
    #[must_use]
    pub const fn accepts_kind(self, kind: MediaKind) -> bool {
        match kind {
            MediaKind::Image => self.images,
            MediaKind::Document => self.documents,
        }
    }
}

impl Media {
    /// Returns whether it is an image or a document.
    #[must_use]
    pub const fn kind(&self) -> MediaKind {
        match self {
            Self::Image(_) => MediaKind::Image,
            Self::Document(_) => MediaKind::Document,
        }
    }

    /// Returns the text that stands for the medium in [`prompt`](crate::ModelRequest::prompt), in captures
    /// and for engines that accept text only.
    #[must_use]
    pub fn placeholder(&self) -> String {
        match self {
            Self::Image(image) => image.placeholder(),
            Self::Document(document) => document.placeholder(),
        }
    }
}

impl From<Image> for Media {
    fn from(image: Image) -> Self {
        Self::Image(image)
    }
}

impl From<Document> for Media {
    fn from(document: Document) -> Self {
        Self::Document(document)
    }
}
