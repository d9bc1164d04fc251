//! Contents of images and documents, addressed by their digest.

pub(crate) mod blob;
pub(crate) mod digest;
pub(crate) mod scope;
pub(crate) mod set;
mod stored;
