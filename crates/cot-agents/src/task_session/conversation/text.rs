//! Texts of a conversation.

use std::sync::Arc;

use cot_task_format::{Block, recover};

/// A text, such as that of a structure in the standard layout. Clones share it.
pub(crate) type SharedText = Arc<str>;

/// Returns the text of a structure.
pub(crate) fn text_of(block: &Block) -> SharedText {
    block.to_string().into()
}

/// Parses texts as a trace.
pub(crate) fn blocks_of<'t>(
    texts: impl IntoIterator<Item = &'t SharedText>,
) -> impl Iterator<Item = Block> {
    texts.into_iter().flat_map(|text| recover(text).trace.blocks)
}
