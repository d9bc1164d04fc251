//! Images and documents in requests.

mod check;
mod content;
pub(crate) mod document;
pub(crate) mod error;
pub(crate) mod image;
pub(crate) mod kind;
pub(crate) mod medium;
pub(crate) mod source;
pub(crate) mod stored;
pub(crate) mod url;
