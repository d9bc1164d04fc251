//! What images and documents have in common.

use std::{fmt, sync::Arc};

use crate::{
    blobs::{blob::Blob, digest::Digest},
    media::{
        error::MediaError,
        kind::MediaKind,
        source::MediaSource,
        url::{check_url, decode_data_url, shown_url},
    },
};

/// The content of an image or a document. It is always valid.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(super) struct Content {
    pub(super) media_type: &'static str,
    pub(super) name: Option<Arc<str>>,
    pub(super) source: Source,
}

#[derive(Clone, PartialEq, Eq, Hash)]
pub(super) enum Source {
    Bytes(Blob),
    Url(Arc<str>),
}

/// The limit on the name of a document in bytes, which is that of file systems.
const MAX_NAME_BYTES: usize = 255;

impl Content {
    pub(super) fn from_bytes(
        kind: MediaKind,
        media_type: Option<&str>,
        bytes: &[u8],
    ) -> Result<Self, MediaError> {
        let media_type = kind.check(media_type, bytes)?;
        Ok(Self { media_type, name: None, source: Source::Bytes(Blob::new(bytes)) })
    }

    /// Checks a blob that was stored.
    pub(super) fn from_blob(
        kind: MediaKind,
        media_type: &str,
        blob: Blob,
    ) -> Result<Self, MediaError> {
        let media_type = kind.check(Some(media_type), blob.bytes())?;
        Ok(Self { media_type, name: None, source: Source::Bytes(blob) })
    }

    pub(super) fn from_url(kind: MediaKind, url: &str) -> Result<Self, MediaError> {
        if let Some((media_type, bytes)) = decode_data_url(url)? {
            return Self::from_bytes(kind, Some(media_type), &bytes);
        }
        let media_type = kind.type_of_ending(check_url(url)?);
        let media_type = media_type.unwrap_or(kind.default_type());
        Ok(Self { media_type, name: None, source: Source::Url(url.into()) })
    }

    pub(super) fn with_media_type(
        self,
        kind: MediaKind,
        media_type: &str,
    ) -> Result<Self, MediaError> {
        let media_type = match &self.source {
            Source::Bytes(blob) => kind.check(Some(media_type), blob.bytes())?,
            Source::Url(_) => kind.find_url_type(media_type)?,
        };
        Ok(Self { media_type, ..self })
    }

    pub(super) fn with_name(self, name: &str) -> Self {
        let mut name: String = name.chars().filter(|c| !c.is_control()).collect();
        name.truncate(name.floor_char_boundary(MAX_NAME_BYTES));
        Self { name: (!name.is_empty()).then(|| name.into()), ..self }
    }

    pub(super) fn source(&self) -> MediaSource<'_> {
        match &self.source {
            Source::Bytes(blob) => MediaSource::Bytes(blob.bytes()),
            Source::Url(url) => MediaSource::Url(url),
        }
    }

    pub(super) const fn blob(&self) -> Option<&Blob> {
        match &self.source {
            Source::Bytes(blob) => Some(blob),
            Source::Url(_) => None,
        }
    }

    pub(super) fn digest(&self) -> Option<Digest> {
        self.blob().map(Blob::digest)
    }

    pub(super) fn len(&self) -> Option<usize> {
        self.blob().map(|blob| blob.bytes().len())
    }
}

impl fmt::Display for Content {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.source {
            Source::Bytes(blob) => {
                let (bytes, digest) = (blob.bytes().len(), blob.digest().short());
                write!(f, "{}, {bytes} bytes, {digest}", self.media_type)
            }
            Source::Url(url) => write!(f, "{}, {}", self.media_type, shown_url(url)),
        }
    }
}
