//! The output of templates: text with its pieces, and optionally omissions.

use std::{fmt, sync::Arc};

use cot_model::{
    Media, PartName, Stability,
    internal::{RequestText, refer_to_blobs},
};
use serde::Serialize;

use super::{partial::PartialPrompt, recorder::Recorder};

/// The output of templates: text with its pieces, and optionally omissions.
#[derive(Debug)]
pub struct PromptWriter {
    /// UTF-8, validated at the end: serializers write bytes.
    text: Vec<u8>,
    failure: Option<String>,
    recorder: Recorder,
    /// The number of values shown and parts begun. Shows whether a value contains others.
    shown: usize,
    media: Vec<Media>,
    omissions: Option<Arc<PartialPrompt>>,
}

/// The start of a piece of a template that shows a value.
#[derive(Debug)]
#[must_use = "a piece that was opened has to be closed"]
pub struct Mark {
    at: usize,
    shown: usize,
}

impl PromptWriter {
    /// Writes a value as JSON, in which references stand for the bytes of images and documents.
    ///
    /// # Errors
    ///
    /// If the value does not serialize to JSON. Nothing is written then.
    pub fn write_json<T: Serialize + ?Sized>(&mut self, value: &T) -> fmt::Result {
        let before = self.written();
        let written = refer_to_blobs(|| serde_json::to_writer(&mut self.text, value));
        self.keep_json(before, written)
    }

    /// Writes a value as indented JSON, in which references stand for the bytes of images and documents.
    ///
    /// # Errors
    ///
    /// If the value does not serialize to JSON. Nothing is written then.
    pub fn write_json_pretty<T: Serialize + ?Sized>(&mut self, value: &T) -> fmt::Result {
        let before = self.written();
        let written = refer_to_blobs(|| serde_json::to_writer_pretty(&mut self.text, value));
        self.keep_json(before, written)
    }

    /// Begins a piece that shows a value. Text outside of pieces is fixed.
    #[inline]
    pub fn open(&mut self) -> Mark {
        Mark { at: self.text.len(), shown: self.shown }
    }

    /// Ends a piece that shows these fields of the state; the empty name stands for the whole state. A piece
    /// that contains pieces or parts is not counted itself, only its contents are.
    pub fn close(&mut self, mark: Mark, state_fields: &[&'static str], stability: Stability) {
        let contains_pieces = self.shown != mark.shown;
        self.shown += 1;
        if contains_pieces {
            return;
        }
        let bytes = self.text.len().saturating_sub(mark.at);
        let omissions = self.omissions.as_deref();
        match omissions.and_then(|partial| partial.placeholder(state_fields, bytes)) {
            Some(placeholder) => {
                self.truncate(mark.at);
                self.write_text(&placeholder);
            }
            None => self.mark_value(mark.at, stability),
        }
    }

    /// Marks the text from `start` as a value. The bracket that closes a growing list is volatile: in the next
    /// prompt, an item takes its place.
    fn mark_value(&mut self, start: usize, stability: Stability) {
        let end = match stability {
            Stability::Growing => {
                let value = self.text.get(start..).unwrap_or_default();
                let closing = value.iter().rev().take_while(|byte| matches!(byte, b']' | b'\n'));
                self.text.len() - closing.count()
            }
            _ => self.text.len(),
        };
        self.recorder.mark(start, end, stability);
        self.recorder.mark(end, self.text.len(), Stability::Volatile);
    }

    /// Writes images or documents that are made of these fields of the state.
    pub fn write_media(
        &mut self,
        media: Vec<Media>,
        fields: &[&'static str],
        stability: Stability,
    ) {
        let start = self.text.len();
        for medium in media {
            let end = self.text.len();
            self.write_text(&medium.placeholder());
            self.recorder.mark_media(end, self.text.len(), stability);
            self.media.push(medium);
        }
        self.shown += 1;
        let bytes = self.text.len() - start;
        let omissions = self.omissions.as_deref();
        if let Some(placeholder) =
            omissions.and_then(|partial| partial.placeholder(fields, bytes)).filter(|_| bytes > 0)
        {
            self.truncate(start);
            self.write_text(&placeholder);
        }
    }

    /// Begins a part of `prompts`. Returns whether the part is to be written.
    pub fn begins_part(&mut self, name: &str) -> bool {
        self.shown += 1;
        self.omissions.as_deref().is_none_or(|partial| !partial.omits_part(name))
    }
}

impl PromptWriter {
    /// Creates a writer that begins in a part, with a capacity in bytes.
    #[must_use]
    pub fn new(part: PartName, capacity: usize) -> Self {
        Self {
            text: Vec::with_capacity(capacity),
            failure: None,
            recorder: Recorder::new(part),
            shown: 0,
            media: Vec::new(),
            omissions: None,
        }
    }

    /// Enables the omissions of a partial prompt.
    #[must_use]
    pub fn omitting(mut self, partial: &Arc<PartialPrompt>) -> Self {
        self.omissions = Some(Arc::clone(partial));
        self
    }

    /// Begins a standard part. Returns the part that contains it.
    pub fn enter_part(&mut self, part: PartName) -> PartName {
        self.shown += 1;
        self.recorder.enter(part, self.text.len())
    }

    /// Ends a standard part and returns to the part that contains it.
    pub fn leave_part(&mut self, outer: PartName) {
        self.enter_part(outer);
    }

    /// Ends a piece and marks all of it as volatile, including nested pieces.
    pub fn close_whole(&mut self, mark: &Mark) {
        self.shown += 1;
        self.recorder.mark_volatile(mark.at, self.text.len());
    }

    /// Returns the number of bytes that were written.
    #[must_use]
    #[inline]
    pub fn written(&self) -> usize {
        self.text.len()
    }

    /// Writes text.
    #[inline]
    pub fn write_text(&mut self, text: &str) {
        self.text.extend_from_slice(text.as_bytes());
    }

    /// Removes trailing white space, but nothing of the first `start` bytes. Returns whether text remains
    /// beyond them.
    pub fn trim_to(&mut self, start: usize) -> bool {
        let written = self.text.get(start..).unwrap_or_default();
        let kept = written.trim_ascii_end().len();
        self.truncate(start + kept);
        kept > 0
    }

    /// Removes everything after the first `len` bytes.
    pub fn truncate(&mut self, len: usize) {
        if len >= self.text.len() {
            return;
        }
        self.text.truncate(len);
        if !self.media.is_empty() {
            self.media.truncate(self.recorder.media_within(len));
        }
        self.recorder.truncate(len);
    }

    /// Stores the reason for which a template fails. Returns the error to propagate.
    pub fn fail(&mut self, why: String) -> fmt::Error {
        self.failure = Some(why);
        fmt::Error
    }

    /// Takes the reason for which the last template failed.
    pub fn take_failure(&mut self) -> String {
        self.failure.take().unwrap_or_else(|| "it reported an error".to_owned())
    }

    /// Returns the text.
    #[must_use]
    pub fn finish(self) -> String {
        into_string(self.text)
    }

    /// Returns the text with its pieces and media.
    #[must_use]
    pub fn into_request_text(mut self) -> RequestText {
        if self.text.capacity() > self.text.len() + self.text.len() / 4 {
            self.text.shrink_to_fit();
        }
        let pieces = self.recorder.into_pieces(self.text.len());
        RequestText {
            text: into_string(self.text).into(),
            pieces: pieces.into(),
            media: self.media,
        }
    }

    /// Removes what was written of a value that does not serialize.
    fn keep_json(&mut self, before: usize, written: serde_json::Result<()>) -> fmt::Result {
        written.map_err(|error| {
            self.text.truncate(before);
            self.fail(format!("a value can't be written as JSON: {error}"))
        })
    }
}

/// Only a serializer that writes other bytes than text through `serde_json` could break UTF-8.
fn into_string(text: Vec<u8>) -> String {
    String::from_utf8(text).unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into())
}

/// An empty writer for a text that is not part of a request.
impl Default for PromptWriter {
    fn default() -> Self {
        Self::new(PartName::Prompt, 0)
    }
}

impl fmt::Write for PromptWriter {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.write_text(text);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::{collections::BTreeMap, fmt::Write as _};

    use super::*;
    use crate::mode::PromptMode;

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

    fn shown(writer: &mut PromptWriter, text: &str, fields: &[&'static str], stability: Stability) {
        let mark = writer.open();
        writer.write_text(text);
        writer.close(mark, fields, stability);
    }

    #[test]
    fn shown_values_have_their_stability_and_the_rest_is_fixed() {
        use Stability::{Fixed, Growing, PerRun, Volatile};
        let mut list = PromptWriter::default();
        shown(&mut list, "[1,2]", &[], Growing);
        shown(&mut list, "[]", &[], Growing);
        let pieces = list.into_request_text().pieces;
        let pieces: Vec<_> = pieces.iter().map(|piece| (piece.end, piece.stability)).collect();
        assert_eq!(pieces, [(4, Growing), (5, Volatile), (6, Growing), (7, Volatile)]);
        let mut writer = PromptWriter::default();
        writer.write_text("a ");
        shown(&mut writer, "1", &[], PerRun);
        let outer = writer.open();
        assert!(writer.begins_part("rules"));
        writer.write_text(" rule ");
        shown(&mut writer, "2", &[], Growing);
        writer.write_text(" b  \n");
        writer.close(outer, &["x"], Volatile);
        shown(&mut writer, "  ", &[], Volatile);
        writer.trim_to(0);
        let text = writer.into_request_text();
        assert_eq!(text.text, "a 1 rule 2 b");
        let pieces: Vec<_> = text.pieces.iter().map(|piece| (piece.end, piece.stability)).collect();
        assert_eq!(pieces, [(2, Fixed), (3, PerRun), (9, Fixed), (10, Growing), (12, Fixed)]);
    }

    #[test]
    fn omitted_fields_are_replaced() {
        let partial = PartialPrompt::new(PromptMode::NoData).omit_state("x");
        let mut writer = PromptWriter::default().omitting(&Arc::new(partial));
        let long = "3".repeat(10_000);
        let values: [(&str, &[&'static str]); 5] =
            [("1", &["x"]), (",", &[]), ("2", &["y"]), (&long, &["y", "z"]), ("whole", &[""])];
        for (text, fields) in values {
            shown(&mut writer, text, fields, Stability::Volatile);
        }
        assert_eq!(
            writer.finish(),
            "[state.x omitted],2[state.y omitted] [state.z omitted][state omitted]"
        );
    }
}
