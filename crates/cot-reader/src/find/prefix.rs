//! What has come of a reply.

use serde_json::Value;

use super::{find::trimmed, scan};
use crate::parse::{self, fuel::Fuel};

/// The JSON of a reply that is still coming in, as far as it came.
#[derive(Debug, Clone, PartialEq)]
pub struct Prefix {
    /// The value so far.
    pub value: Value,
    /// How many values are unfinished on the way from the root to its last child, the last child of
    /// that, and so on; 0 when the root is finished.
    pub open: usize,
}

/// The JSON of a reply of which more may come: the first that looks as if it was meant.
pub fn prefix(text: &str) -> Option<Prefix> {
    let whole = trimmed(text);
    let fuel = Fuel::of(text);
    let start = scan::first(text, &whole)?;
    // What is JSON so far needs no guesses, and so none that the rest of the text could prove wrong.
    if let Some((value, open)) = parse::begun(text.get(start..)?) {
        return Some(Prefix { value, open });
    }
    let coming = parse::coming(text, start, &fuel)?;
    Some(Prefix { value: coming.value, open: coming.open })
}
