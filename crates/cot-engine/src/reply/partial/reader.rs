//! When a reply that is coming in is looked at, and what is new then.

use cot_reader::{
    PartialOutput,
    internal::{Prefix, Shape, prefix},
};
use cot_schema::OutputSchema;
use serde_json::Value;

use crate::reply::menu::is_transition;

/// Takes a reply while it comes in. Pieces cost nothing but their copy; only [`news`](Self::news) reads.
#[derive(Debug)]
pub struct PartialReader {
    output: &'static OutputSchema,
    text: String,
    /// How much of the text was there when it was read last.
    read: usize,
    is_ended: bool,
    /// What was told last.
    told: Option<PartialOutput>,
}

/// What is new of a reply.
#[derive(Debug, Clone, PartialEq)]
pub enum News {
    /// This is what it says so far.
    Partial(PartialOutput),
    /// What was told of it is void.
    Void,
}

/// By what part of its length a reply has to grow before it is read again. What all the readings of a reply
/// cost is then within about so many times what the last one costs.
const PARTS: usize = 100;

impl PartialReader {
    /// A reader for a reply that is to hold such an output.
    pub const fn new(output: &'static OutputSchema) -> Self {
        Self { output, text: String::new(), read: 0, is_ended: false, told: None }
    }

    /// Takes the next piece.
    pub fn push(&mut self, text: &str) {
        self.text.push_str(text);
    }

    /// Forgets the text: the reply begins again.
    pub fn restart(&mut self) {
        self.text.clear();
        self.read = 0;
    }

    /// The reply has come to its end.
    pub const fn end(&mut self) {
        self.is_ended = true;
    }

    /// What can be told now and was not told before, if the text has grown enough to be read again.
    pub fn news(&mut self) -> Option<News> {
        if !self.is_due() {
            return None;
        }
        self.read = self.text.len();
        let said = self.said();
        if said == self.told {
            return None;
        }
        self.told.clone_from(&said);
        Some(said.map_or(News::Void, News::Partial))
    }

    fn is_due(&self) -> bool {
        let grown = self.text.len() - self.read;
        if self.is_ended || self.text.is_empty() {
            return grown > 0 || self.told.is_some();
        }
        grown >= (self.read / PARTS).max(1)
    }

    /// What the reply says so far, unless it is the choice of a transition.
    fn said(&self) -> Option<PartialOutput> {
        let Prefix { value, open } = prefix(&self.text)?;
        if let Value::Object(members) = &value
            // Nobody can tell yet what an object without members is to be.
            && (is_transition(members) || members.is_empty() && open > 0)
        {
            return None;
        }
        let value = Shape::new(self.output.graph()).coerce_partial(value, open);
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
        let output = ANY.get_or_init(OutputSchema::of::<BTreeMap<String, String>>);
        let text = format!("{{\"title\": \"{}\"}}", "x".repeat(100_000));
        let mut reader = PartialReader::new(output);
        let (mut read, mut told) = (0, 0);
        for at in 0..text.len() {
            reader.push(&text[at..=at]);
            let before = reader.read;
            told += usize::from(reader.news().is_some());
            read += if reader.read > before { reader.read } else { 0 };
        }
        assert!(read < 102 * text.len(), "{read}");
        assert!((700..1100).contains(&told), "{told}");
        reader.end();
        assert!(matches!(reader.news(), Some(News::Partial(last)) if last.is_finished()));
    }
}
