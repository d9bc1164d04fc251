//! Schemas with a name.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The JSON schema of a reply, or of the arguments of a tool.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ReplySchema {
    /// The name of the schema, of letters, digits and underscores, as required by vendors.
    pub name: String,
    /// The schema.
    pub json: Value,
}
