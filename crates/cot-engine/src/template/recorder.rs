//! Remembers which bytes of a text are fixed, and to which part they belong.

use std::ops::Range;

use cot_model::{PartName, Segment, SegmentKind};

/// Remembers which bytes of a text are fixed, and to which part they belong.
#[derive(Debug)]
pub(crate) struct Recorder {
    part: PartName,
    /// Where the text begins to belong to a part, in rising order.
    begins: Vec<(usize, PartName)>,
    /// What is variable, in rising order.
    variable: Vec<Range<usize>>,
}

impl Recorder {
    pub(crate) fn new(part: PartName) -> Self {
        Self { part, begins: vec![(0, part)], variable: Vec::new() }
    }

    /// From here on the text belongs to a part; the result is the one to which it belonged.
    pub(crate) fn enter(&mut self, part: PartName, at: usize) -> PartName {
        self.begins.push((at, part));
        std::mem::replace(&mut self.part, part)
    }

    /// These bytes are variable, whatever was said of some of them.
    pub(crate) fn variable(&mut self, range: Range<usize>) {
        self.cut(range.start);
        if !range.is_empty() {
            self.variable.push(range);
        }
    }

    /// The text is cut to so many bytes.
    pub(crate) fn truncate(&mut self, len: usize) {
        self.cut(len);
        while self.begins.pop_if(|(at, _)| *at > len).is_some() {}
        if self.begins.last().is_none_or(|(_, part)| *part != self.part) {
            self.begins.push((len, self.part));
        }
    }

    fn cut(&mut self, len: usize) {
        while self.variable.pop_if(|range| range.start >= len).is_some() {}
        if let Some(last) = self.variable.last_mut() {
            last.end = last.end.min(len);
        }
    }

    /// The text in segments, adjacent ones of one kind and part joined.
    pub(crate) fn segments(&self, text: &str) -> Vec<Segment> {
        let mut segments: Vec<Segment> = Vec::new();
        for (range, part, kind) in self.pieces(text.len()) {
            let text = text.get(range).unwrap_or_default();
            match segments.last_mut() {
                Some(last) if last.part == part && last.kind == kind => last.text.push_str(text),
                _ => segments.push(Segment { part, kind, text: text.to_owned() }),
            }
        }
        segments.retain(|segment| !segment.text.is_empty());
        segments
    }

    fn pieces(&self, len: usize) -> Vec<(Range<usize>, PartName, SegmentKind)> {
        let mut pieces = Vec::new();
        let ends = self.begins.iter().skip(1).map(|(at, _)| *at).chain([len]);
        for (&(start, part), end) in self.begins.iter().zip(ends) {
            let mut at = start;
            let within = |range: &&Range<usize>| range.start < end && range.end > start;
            for range in self.variable.iter().filter(within) {
                let from = range.start.max(at);
                let to = range.end.min(end);
                pieces.push((at..from, part, SegmentKind::Fixed));
                pieces.push((from..to, part, SegmentKind::Variable));
                at = to;
            }
            pieces.push((at..end, part, SegmentKind::Fixed));
        }
        pieces.retain(|(range, ..)| !range.is_empty());
        pieces
    }
}
