//! The output of templates: text, and optionally its segments or omissions.

use std::{fmt, sync::Arc};

use cot_model::{PartName, Segment};
use serde::Serialize;

use super::{partial::PartialPrompt, recorder::Recorder};

/// The output of templates: text, and optionally its segments or omissions.
#[derive(Debug, Default)]
pub struct PromptWriter {
    text: String,
    /// Buffer for serialized values.
    json: Vec<u8>,
    failure: Option<String>,
    tracker: Option<Box<PieceTracker>>,
}

/// The start of a piece of a template that shows a value.
#[derive(Debug)]
#[must_use = "a piece that was opened has to be closed"]
pub struct Mark {
    at: usize,
    pieces: usize,
}

/// Initial capacity of the buffer, enough for most values.
const JSON_BYTES: usize = 1024;

/// Tracks the pieces that show values.
#[derive(Debug)]
struct PieceTracker {
    /// The number of pieces closed and parts begun. Shows whether a piece contains others.
    pieces: usize,
    purpose: TrackingPurpose,
}

#[derive(Debug)]
enum TrackingPurpose {
    Segments(Recorder),
    Partial(Arc<PartialPrompt>),
}

impl PromptWriter {
    /// Writes a value as JSON.
    ///
    /// # Errors
    ///
    /// If the value does not serialize to JSON. Nothing is written then.
    pub fn write_json<T: Serialize + ?Sized>(&mut self, value: &T) -> fmt::Result {
        let written = serde_json::to_writer(self.clear_buffer(), value);
        self.append_json(written)
    }

    /// Writes a value as indented JSON.
    ///
    /// # Errors
    ///
    /// If the value does not serialize to JSON. Nothing is written then.
    pub fn write_json_pretty<T: Serialize + ?Sized>(&mut self, value: &T) -> fmt::Result {
        let written = serde_json::to_writer_pretty(self.clear_buffer(), value);
        self.append_json(written)
    }

    /// Begins a piece that shows a value. Text outside of pieces is fixed.
    #[inline]
    pub fn open(&mut self) -> Mark {
        Mark {
            at: self.text.len(),
            pieces: self.tracker.as_ref().map_or(0, |tracker| tracker.pieces),
        }
    }

    /// Ends a piece that shows these fields of the state; the empty name stands for the whole state. A piece
    /// that contains pieces or parts is not counted itself, only its contents are.
    #[inline]
    pub fn close(&mut self, mark: Mark, state_fields: &[&'static str]) {
        if self.tracker.is_some() {
            self.close_tracked(&mark, state_fields);
        }
    }

    /// Begins a part of `prompts`. Returns whether the part is to be written.
    pub fn begins_part(&mut self, name: &str) -> bool {
        match self.tracker.as_deref_mut() {
            None => true,
            Some(tracker) => {
                tracker.pieces += 1;
                !matches!(&tracker.purpose, TrackingPurpose::Partial(partial) if partial.omits_part(name))
            }
        }
    }

    fn close_tracked(&mut self, mark: &Mark, state_fields: &[&'static str]) {
        let Some(tracker) = self.tracker.as_deref_mut() else {
            return;
        };
        let is_one = tracker.pieces == mark.pieces;
        tracker.pieces += 1;
        if !is_one {
            return;
        }
        match &mut tracker.purpose {
            TrackingPurpose::Segments(recorder) => recorder.variable(mark.at..self.text.len()),
            TrackingPurpose::Partial(partial) => {
                let bytes = self.text.len().saturating_sub(mark.at);
                if let Some(placeholder) = partial.placeholder(state_fields, bytes) {
                    self.text.truncate(mark.at);
                    self.write_text(&placeholder);
                }
            }
        }
    }
}

impl PromptWriter {
    /// Creates a writer with a capacity in bytes.
    pub(crate) fn with_capacity(bytes: usize) -> Self {
        Self { text: String::with_capacity(bytes), ..Self::default() }
    }

    /// Enables the recording of segments, starting with this part.
    pub(crate) fn recording(mut self, part: PartName) -> Self {
        let purpose = TrackingPurpose::Segments(Recorder::new(part));
        self.tracker = Some(Box::new(PieceTracker { pieces: 0, purpose }));
        self
    }

    /// Enables the omissions of a partial prompt.
    pub(crate) fn omitting(mut self, partial: &Arc<PartialPrompt>) -> Self {
        let purpose = TrackingPurpose::Partial(Arc::clone(partial));
        self.tracker = Some(Box::new(PieceTracker { pieces: 0, purpose }));
        self
    }

    /// Begins a standard part. Returns the part that contains it.
    pub(crate) fn enter_part(&mut self, part: PartName) -> Option<PartName> {
        let tracker = self.tracker.as_deref_mut()?;
        tracker.pieces += 1;
        match &mut tracker.purpose {
            TrackingPurpose::Segments(recorder) => Some(recorder.enter(part, self.text.len())),
            TrackingPurpose::Partial(_) => None,
        }
    }

    /// Ends a standard part and returns to the part that contains it.
    pub(crate) fn leave_part(&mut self, outer: Option<PartName>) {
        if let Some(outer) = outer {
            self.enter_part(outer);
        }
    }

    /// Ends a piece and marks all of it as variable, including nested pieces.
    pub(crate) fn close_whole(&mut self, mark: &Mark) {
        if let Some(PieceTracker { pieces, purpose: TrackingPurpose::Segments(recorder) }) =
            self.tracker.as_deref_mut()
        {
            *pieces += 1;
            recorder.variable(mark.at..self.text.len());
        }
    }

    /// Returns the length of the text in bytes.
    pub(crate) fn len(&self) -> usize {
        self.text.len()
    }

    /// Writes text.
    pub(crate) fn write_text(&mut self, text: &str) {
        self.text.push_str(text);
    }

    /// Removes trailing white space, but nothing of the first `start` bytes. Returns whether text remains
    /// beyond them.
    pub(crate) fn trim_to(&mut self, start: usize) -> bool {
        let written = self.text.get(start..).unwrap_or_default();
        let kept = written.trim_ascii_end().len();
        self.truncate(start + kept);
        kept > 0
    }

    /// Removes everything after the first `len` bytes.
    pub(crate) fn truncate(&mut self, len: usize) {
        self.text.truncate(len);
        if let Some(PieceTracker { purpose: TrackingPurpose::Segments(recorder), .. }) =
            self.tracker.as_deref_mut()
        {
            recorder.truncate(len);
        }
    }

    /// Stores the reason for which a template fails. Returns the error to propagate.
    pub(crate) fn fail(&mut self, why: String) -> fmt::Error {
        self.failure = Some(why);
        fmt::Error
    }

    /// Takes the reason for which the last template failed.
    pub(crate) fn take_failure(&mut self) -> String {
        self.failure.take().unwrap_or_else(|| "it reported an error".to_owned())
    }

    /// Returns the text.
    pub(crate) fn finish(self) -> String {
        self.finish_recorded().0
    }

    /// Returns the text, and its segments if they were recorded.
    pub(crate) fn finish_recorded(mut self) -> (String, Vec<Segment>) {
        if self.text.capacity() > self.text.len() + self.text.len() / 4 {
            self.text.shrink_to_fit();
        }
        let text = self.text;
        let segments = match self.tracker.map(|tracker| tracker.purpose) {
            Some(TrackingPurpose::Segments(recorder)) => recorder.segments(&text),
            _ => Vec::new(),
        };
        (text, segments)
    }

    /// Returns the empty buffer. Values are serialized into it because writing to the `String` directly would
    /// require validating the text as UTF-8 piece by piece.
    fn clear_buffer(&mut self) -> &mut Vec<u8> {
        self.json.clear();
        self.json.reserve(JSON_BYTES);
        &mut self.json
    }

    fn append_json(&mut self, written: serde_json::Result<()>) -> fmt::Result {
        if let Err(error) = written {
            return Err(self.fail(format!("a value can't be written as JSON: {error}")));
        }
        match str::from_utf8(&self.json) {
            Ok(json) => self.text.push_str(json),
            Err(_) => self.text.push_str(&String::from_utf8_lossy(&self.json)),
        }
        Ok(())
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

    use cot_model::SegmentKind;

    use super::*;
    use crate::template::mode::PromptMode;

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

    fn shown(writer: &mut PromptWriter, text: &str, fields: &[&'static str]) {
        let mark = writer.open();
        writer.write_text(text);
        writer.close(mark, fields);
    }

    #[test]
    fn shown_values_are_variable_and_the_rest_is_fixed() {
        let mut writer = PromptWriter::default().recording(PartName::Prompt);
        writer.write_text("a ");
        shown(&mut writer, "1", &[]);
        let outer = writer.open();
        assert!(writer.begins_part("rules"));
        writer.write_text(" rule ");
        shown(&mut writer, "2", &[]);
        writer.write_text(" b  \n");
        writer.close(outer, &["x"]);
        shown(&mut writer, "  ", &[]);
        writer.trim_to(0);
        let (text, segments) = writer.finish_recorded();
        assert_eq!(text, "a 1 rule 2 b");
        let kinds: Vec<_> = segments.iter().map(|s| (s.kind, &*s.text)).collect();
        let (fixed, variable) = (SegmentKind::Fixed, SegmentKind::Variable);
        let expected =
            [(fixed, "a "), (variable, "1"), (fixed, " rule "), (variable, "2"), (fixed, " b")];
        assert_eq!(kinds, expected);
    }

    #[test]
    fn omitted_fields_are_replaced() {
        let partial = PartialPrompt::new(PromptMode::NoData).omit_state("x");
        let mut writer = PromptWriter::default().omitting(&Arc::new(partial));
        shown(&mut writer, "1", &["x"]);
        shown(&mut writer, ",", &[]);
        shown(&mut writer, "2", &["y"]);
        shown(&mut writer, &"3".repeat(10_000), &["y", "z"]);
        shown(&mut writer, "whole", &[""]);
        assert_eq!(
            writer.finish(),
            "[state.x omitted],2[state.y omitted] [state.z omitted][state omitted]"
        );
    }
}
