//! Items for the other crates of this workspace. They are not covered by semantic versioning.

pub use crate::blobs::digest::digests_of_growing;
pub use crate::blobs::scope::{collect_blobs, refer_to_blobs, with_blobs};
pub use crate::function_error::panic_message;
pub use crate::media::stored::inline_blobs;
pub use crate::request::RequestParts;
pub use crate::request_text::{RequestText, TextPiece};
pub use crate::secret::contains_secret;
pub use crate::usage::{normalize_cost, write_cost};
