//! The content of a reply that a server paused.

use serde_json::Value;

/// A reply that the server paused. The same request is sent again, with the content as the model's own turn.
pub(crate) struct Pause {
    /// The content of the whole reply so far, in the protocol's blocks.
    pub(crate) content: Vec<Value>,
    /// The text of the whole reply so far.
    pub(crate) text: String,
}
