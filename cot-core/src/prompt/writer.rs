//! Where templates write their text.

use std::fmt;

use serde::Serialize;

/// Where templates write their text.
#[derive(Debug, Default)]
pub struct PromptWriter {
    text: Vec<u8>,
    failure: Option<String>,
}

impl PromptWriter {
    /// Writes a value as JSON.
    ///
    /// # Errors
    ///
    /// When the value can't be JSON; nothing is written then.
    pub fn write_json<T: Serialize + ?Sized>(&mut self, value: &T) -> fmt::Result {
        let start = self.text.len();
        let written = serde_json::to_writer(&mut self.text, value);
        self.settle(start, written)
    }

    /// Writes a value as indented JSON.
    ///
    /// # Errors
    ///
    /// When the value can't be JSON; nothing is written then.
    pub fn write_json_pretty<T: Serialize + ?Sized>(&mut self, value: &T) -> fmt::Result {
        let start = self.text.len();
        let written = serde_json::to_writer_pretty(&mut self.text, value);
        self.settle(start, written)
    }

    /// A writer with room for so many bytes.
    pub(crate) fn with_capacity(bytes: usize) -> Self {
        Self { text: Vec::with_capacity(bytes), failure: None }
    }

    /// How many bytes were written.
    pub(crate) fn len(&self) -> usize {
        self.text.len()
    }

    /// Cuts white space at the end, but nothing of the first `start` bytes. Whether anything is
    /// left beyond these.
    pub(crate) fn trim_to(&mut self, start: usize) -> bool {
        let written = self.text.get(start..).unwrap_or_default();
        let kept = written.trim_ascii_end().len();
        self.text.truncate(start + kept);
        kept > 0
    }

    /// Forgets what was written after the first `len` bytes.
    pub(crate) fn truncate(&mut self, len: usize) {
        self.text.truncate(len);
    }

    /// Why the last template failed, in words.
    pub(crate) fn take_failure(&mut self) -> String {
        self.failure.take().unwrap_or_else(|| "it reported an error".to_owned())
    }

    /// The text.
    pub(crate) fn finish(mut self) -> String {
        if self.text.capacity() > self.text.len() + self.text.len() / 4 {
            self.text.shrink_to_fit();
        }
        String::from_utf8(self.text)
            .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
    }

    fn settle(&mut self, start: usize, written: serde_json::Result<()>) -> fmt::Result {
        written.map_err(|error| {
            self.text.truncate(start);
            self.failure = Some(format!("a value can't be written as JSON: {error}"));
            fmt::Error
        })
    }
}

impl fmt::Write for PromptWriter {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.text.extend_from_slice(text.as_bytes());
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::{collections::BTreeMap, fmt::Write as _};

    use super::*;

    #[test]
    fn keeps_why_a_value_is_not_json() {
        let mut writer = PromptWriter::default();
        writer.write_str("map: ").unwrap();
        let map = BTreeMap::from([((1, 2), 3)]);
        assert!(writer.write_json(&map).is_err());
        assert!(writer.take_failure().contains("key must be a string"));
        assert_eq!(writer.finish(), "map: ");
    }

    #[test]
    fn trims_only_what_a_part_wrote() {
        let mut writer = PromptWriter::default();
        writer.write_str("a\n").unwrap();
        writer.write_str(" \n").unwrap();
        assert!(!writer.trim_to(2));
        assert_eq!(writer.finish(), "a\n");
    }
}
