//! Where the bytes of a medium are.

use std::fmt;

use crate::media::url::shown_url;

/// Where the bytes of an image or a document are.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum MediaSource<'a> {
    /// The bytes themselves.
    Bytes(&'a [u8]),
    /// The address from which the engine reads them.
    Url(&'a str),
}

impl fmt::Debug for MediaSource<'_> {
    /// Shows the number of the bytes, or the address without its query.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bytes(bytes) => write!(f, "Bytes({} bytes)", bytes.len()),
            Self::Url(url) => write!(f, "Url({})", shown_url(url)),
        }
    }
}
