//! Records which bytes of a text are variable, and the part of each byte.

use std::ops::Range;

use cot_model::{PartName, Segment, SegmentKind};

/// Records which bytes of a text are variable, and the part of each byte.
#[derive(Debug)]
pub(crate) struct Recorder {
    part: PartName,
    /// The offsets at which parts begin, in ascending order.
    begins: Vec<(usize, PartName)>,
    /// The variable ranges, in ascending order.
    variable: Vec<Range<usize>>,
}

impl Recorder {
    pub(crate) fn new(part: PartName) -> Self {
        Self { part, begins: vec![(0, part)], variable: Vec::new() }
    }

    /// Begins a part at an offset. Returns the previous part.
    pub(crate) fn enter(&mut self, part: PartName, at: usize) -> PartName {
        self.begins.push((at, part));
        std::mem::replace(&mut self.part, part)
    }

    /// Marks a range as variable. Replaces earlier marks inside it.
    pub(crate) fn variable(&mut self, range: Range<usize>) {
        self.cut(range.start);
        if !range.is_empty() {
            self.variable.push(range);
        }
    }

    /// Adjusts the record to a text that was truncated to `len` bytes.
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

    /// Returns the text as segments; adjacent segments of the same kind and part are joined.
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
