//! Items for the other crates of this workspace. They are not covered by semantic versioning.

pub use crate::blobs::scope::{collect_blobs, with_blobs};
pub use crate::request::{RequestText, TextPiece};
pub use crate::usage::{normalize_cost, write_cost};
