//! Reads partial outputs while a reply is received.

use cot_reader::{
    PartialOutput,
    internal::{CoercionGraph, IncompleteReply, read_incomplete},
};
use cot_schema::OutputSchema;
use serde_json::Value;

use crate::reply::menu::is_transition;

/// Reads a reply while it is received. Adding a chunk only copies it.
/// [`take_update`](Self::take_update) reads it.
#[derive(Debug)]
pub struct PartialReader {
    output: &'static OutputSchema,
    text: String,
    /// The length of the text at the last reading.
    read_bytes: usize,
    is_ended: bool,
    /// The last returned output.
    last: Option<PartialOutput>,
}

/// A change of the partial output.
#[derive(Debug, Clone, PartialEq)]
pub enum PartialUpdate {
    /// The partial output so far.
    Partial(PartialOutput),
    /// The earlier partial outputs are void.
    Void,
}

/// A reply must grow by one part in this number before it is read again. The total cost of reading is thus at
/// most about this number of times the cost of the last reading.
const PARTS: usize = 100;

impl PartialReader {
    /// Creates a reader for a reply with this output.
    pub const fn new(output: &'static OutputSchema) -> Self {
        Self { output, text: String::new(), read_bytes: 0, is_ended: false, last: None }
    }

    /// Appends the next chunk.
    pub fn push(&mut self, text: &str) {
        self.text.push_str(text);
    }

    /// Clears the text, since the reply starts over.
    pub fn restart(&mut self) {
        self.text.clear();
        self.read_bytes = 0;
    }

    /// Marks the reply as complete.
    pub const fn end(&mut self) {
        self.is_ended = true;
    }

    /// Returns the change since the last call, if the text has grown enough to be read again.
    pub fn take_update(&mut self) -> Option<PartialUpdate> {
        if !self.is_due() {
            return None;
        }
        self.read_bytes = self.text.len();
        let partial = self.read_partial();
        if partial == self.last {
            return None;
        }
        self.last.clone_from(&partial);
        Some(partial.map_or(PartialUpdate::Void, PartialUpdate::Partial))
    }

    fn is_due(&self) -> bool {
        let grown = self.text.len() - self.read_bytes;
        if self.is_ended || self.text.is_empty() {
            return grown > 0 || self.last.is_some();
        }
        grown >= (self.read_bytes / PARTS).max(1)
    }

    /// Reads the partial output of the text so far. `None` for a transition.
    fn read_partial(&self) -> Option<PartialOutput> {
        let IncompleteReply { value, open } = read_incomplete(&self.text)?;
        if let Value::Object(members) = &value
            // An object without members can still become either.
            && (is_transition(members) || members.is_empty() && open > 0)
        {
            return None;
        }
        let value = CoercionGraph::new(self.output.graph()).coerce_partial(value, open);
        let (value, open) = self.output.unwrap_partial(value, open)?;
        Some(PartialOutput::new(self.output, value, open))
    }
}

#[cfg(test)]
mod tests {
    use std::{collections::BTreeMap, sync::OnceLock};

    use super::*;

    static ANY: OnceLock<OutputSchema> = OnceLock::new();

    #[test]
    fn how_much_is_read_grows_with_the_reply_and_not_with_its_pieces() {
        let output = ANY.get_or_init(OutputSchema::for_type::<BTreeMap<String, String>>);
        let text = format!("{{\"title\": \"{}\"}}", "x".repeat(100_000));
        let mut reader = PartialReader::new(output);
        let (mut read, mut last) = (0, 0);
        for at in 0..text.len() {
            reader.push(&text[at..=at]);
            let before = reader.read_bytes;
            last += usize::from(reader.take_update().is_some());
            read += if reader.read_bytes > before { reader.read_bytes } else { 0 };
        }
        assert!(read < 102 * text.len(), "{read}");
        assert!((700..1100).contains(&last), "{last}");
        reader.end();
        assert!(
            matches!(reader.take_update(), Some(PartialUpdate::Partial(last)) if last.is_finished())
        );
    }
}
