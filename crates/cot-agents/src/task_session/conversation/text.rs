//! Texts of a conversation.

use std::{fmt, ops::Deref, sync::Arc};

use cot_task_format::{Block, recover};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A text, such as that of a structure in the standard layout. Clones share it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SharedText(Arc<str>);

impl SharedText {
    /// Parses the text as a trace.
    pub(crate) fn to_blocks(&self) -> Vec<Block> {
        recover(&self.0).trace.blocks
    }
}

impl From<&Block> for SharedText {
    fn from(block: &Block) -> Self {
        Self(block.to_string().into())
    }
}

impl From<&str> for SharedText {
    fn from(text: &str) -> Self {
        Self(text.into())
    }
}

impl Deref for SharedText {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for SharedText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Serialize for SharedText {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for SharedText {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer).map(|text| Self(text.into()))
    }
}
