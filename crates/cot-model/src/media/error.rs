//! The errors of images and documents.

use std::{error::Error, fmt};

use cot_schema::internal::truncate;

use crate::media::kind::MediaKind;

/// The error of creating an image or a document. It contains none of the bytes.
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum MediaError {
    /// There are no bytes.
    Empty {
        /// Whether it is an image or a document.
        kind: MediaKind,
    },
    /// There are too many bytes.
    TooLarge {
        /// Whether it is an image or a document.
        kind: MediaKind,
        /// The number of bytes.
        bytes: usize,
        /// The maximum number of bytes.
        max: usize,
    },
    /// The bytes do not begin with the signature of an accepted media type.
    UnknownSignature {
        /// Whether it is an image or a document.
        kind: MediaKind,
    },
    /// The media type is not accepted.
    UnsupportedType {
        /// Whether it is an image or a document.
        kind: MediaKind,
        /// The media type.
        media_type: String,
    },
    /// The bytes do not have the signature of the stated media type.
    WrongSignature {
        /// The stated media type.
        media_type: &'static str,
        /// The media type of the signature that they have, if it is known.
        found: Option<&'static str>,
    },
    /// The bytes of a text are not UTF-8.
    NotUtf8 {
        /// The media type of the text.
        media_type: &'static str,
        /// The number of bytes before the first one that is not UTF-8.
        offset: usize,
    },
    /// The data of a `data:` address or of a serialized medium are not base64.
    NotBase64,
    /// The address can't be used.
    InvalidUrl {
        /// The beginning of the address, without its query. It is empty for a `data:` address.
        url: String,
        /// What is wrong with it.
        problem: UrlProblem,
    },
}

cot_schema::debug_as_sentence!(MediaError);

/// What is wrong with an address.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum UrlProblem {
    /// It begins with none of `http://`, `https://` and `data:`.
    Scheme,
    /// It contains no host.
    Host,
    /// It contains a user name or a password, which a prompt must not show.
    Credentials,
    /// It contains white space or a control character.
    Character,
    /// It is longer than an engine accepts.
    TooLong {
        /// The maximum number of bytes.
        max: usize,
    },
    /// A `data:` address has no comma between its media type and its data.
    NoData,
    /// A `data:` address has no media type.
    NoMediaType,
    /// A percent sign in the data is not followed by two hexadecimal digits.
    PercentEncoding,
}

/// The limit on text from outside in messages, in bytes.
const MAX_SHOWN_BYTES: usize = 100;

impl MediaError {
    pub(super) fn unsupported_type(kind: MediaKind, media_type: &str) -> Self {
        let media_type = truncate(media_type, MAX_SHOWN_BYTES).to_owned();
        Self::UnsupportedType { kind, media_type }
    }
}

impl fmt::Display for MediaError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty { kind } => write!(f, "the {kind} is empty"),
            Self::TooLarge { kind, bytes, max } => {
                write!(f, "the {kind} has {bytes} bytes, but at most {max} are accepted")
            }
            Self::UnknownSignature { kind } => {
                write!(f, "the bytes are of no accepted media type: {}", accepted(*kind))
            }
            Self::UnsupportedType { kind, media_type } => {
                let accepted = accepted(*kind);
                write!(f, "the media type `{media_type}` is not accepted: {accepted}")
            }
            Self::WrongSignature { media_type, found: Some(found) } => {
                write!(f, "the media type is `{media_type}`, but the bytes are `{found}`")
            }
            Self::WrongSignature { media_type, found: None } => write!(
                f,
                "the media type is `{media_type}`, but the bytes do not begin with its signature"
            ),
            Self::NotUtf8 { media_type, offset } => write!(
                f,
                "the media type is `{media_type}`, but the bytes are not UTF-8 from offset {offset} on"
            ),
            Self::NotBase64 => f.write_str("the data are not base64"),
            Self::InvalidUrl { url, problem } if url.is_empty() => {
                write!(f, "the address can't be used: {problem}")
            }
            Self::InvalidUrl { url, problem } => {
                write!(f, "the address `{url}` can't be used: {problem}")
            }
        }
    }
}

fn accepted(kind: MediaKind) -> String {
    let types: Vec<String> = kind.media_types().map(|name| format!("`{name}`")).collect();
    format!("{kind}s are {}", types.join(", "))
}

impl Error for MediaError {}

impl fmt::Display for UrlProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Scheme => "it must begin with `http://`, `https://` or `data:`",
            Self::Host => "it contains no host",
            Self::Credentials => "it contains a user name or a password, which prompts would show",
            Self::Character => "it contains white space or a control character",
            Self::TooLong { max } => {
                return write!(f, "it is longer than {max} bytes");
            }
            Self::NoData => "it has no comma between the media type and the data",
            Self::NoMediaType => "it has no media type",
            Self::PercentEncoding => "a `%` is not followed by two hexadecimal digits",
        })
    }
}
