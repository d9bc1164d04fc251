//! The keys of questions, for as long as their promises are awaited.

use std::sync::OnceLock;

/// A list of texts that can grow while its texts are borrowed.
#[derive(Debug, Default)]
pub(crate) struct Keys(OnceLock<Box<Node>>);

#[derive(Debug)]
struct Node {
    text: String,
    next: Keys,
}

impl Keys {
    /// Adds a text and returns it.
    pub(crate) fn add(&self, text: String) -> &str {
        let mut end = self;
        while let Some(node) = end.0.get() {
            end = &node.next;
        }
        &end.0.get_or_init(|| Box::new(Node { text, next: Self::default() })).text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_stay_while_others_are_added() {
        let keys = Keys::default();
        let texts: Vec<&str> = (0..100).map(|number| keys.add(number.to_string())).collect();
        assert_eq!((texts[0], texts[99]), ("0", "99"));
    }
}
