//! Reads incomplete replies.

use serde_json::Value;

use super::{channel::answer_channel, find::trimmed, scan};
use crate::parse::{self, fuel::Fuel};

/// The JSON of an incomplete reply.
#[derive(Debug, Clone, PartialEq)]
pub struct IncompleteReply {
    /// The value received so far.
    pub value: Value,
    /// The number of unfinished values on the path from the root to its last descendant; 0 if the root is
    /// finished.
    pub open: usize,
}

/// Reads the first value of an incomplete reply that was meant as JSON.
pub fn read_incomplete(text: &str) -> Option<IncompleteReply> {
    let text = answer_channel(text);
    let whole = trimmed(text);
    let fuel = Fuel::for_text(text);
    let start = scan::first_bracket(text, &whole)?;
    // A valid prefix needs no repairs that the rest of the text could invalidate.
    if let Some((value, open)) = parse::parse_incomplete(text.get(start..)?) {
        return Some(IncompleteReply { value, open });
    }
    let incomplete = parse::lenient_incomplete(text, start, &fuel)?;
    Some(IncompleteReply { value: incomplete.value, open: incomplete.open })
}
