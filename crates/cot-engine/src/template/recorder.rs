//! Records which part each byte of a text belongs to, and how stable it is.

use std::ops::Range;

use cot_model::{PartName, Stability, internal::TextPiece};

/// Records which part each byte of a text belongs to, and how stable it is. Text without a mark is fixed.
#[derive(Debug)]
pub(crate) struct Recorder {
    part: PartName,
    /// The part at the beginning.
    first: PartName,
    /// The offsets at which further parts begin, in ascending order.
    begins: Vec<(usize, PartName)>,
    /// The marked ranges, in ascending order and without overlaps.
    marks: Vec<RangeMark>,
}

/// A range of a text that shows a value or stands for a medium.
#[derive(Debug)]
struct RangeMark {
    range: Range<usize>,
    stability: Stability,
    is_media: bool,
}

/// The number of changes of the part in a usual prompt, each part and the way back.
const USUAL_PARTS: usize = 16;
/// The number of values in a usual prompt.
const USUAL_MARKS: usize = 8;

impl Recorder {
    pub(crate) fn new(part: PartName) -> Self {
        Self { part, first: part, begins: Vec::new(), marks: Vec::new() }
    }

    /// Begins a part at an offset. Returns the previous part.
    pub(crate) fn enter(&mut self, part: PartName, at: usize) -> PartName {
        if part != self.part {
            if self.begins.is_empty() {
                self.begins.reserve(USUAL_PARTS);
            }
            self.begins.push((at, part));
        }
        std::mem::replace(&mut self.part, part)
    }

    /// Marks a range as a value of a stability. Replaces earlier marks inside it.
    pub(crate) fn mark(&mut self, range: Range<usize>, stability: Stability) {
        self.push(RangeMark { range, stability, is_media: false });
    }

    /// Marks a range as the placeholder of a medium.
    pub(crate) fn mark_media(&mut self, range: Range<usize>, stability: Stability) {
        self.push(RangeMark { range, stability, is_media: true });
    }

    fn push(&mut self, mark: RangeMark) {
        self.cut(mark.range.start);
        if !mark.range.is_empty() {
            if self.marks.is_empty() {
                self.marks.reserve(USUAL_MARKS);
            }
            self.marks.push(mark);
        }
    }

    /// Returns the number of placeholders of media within the first `len` bytes.
    pub(crate) fn media_within(&self, len: usize) -> usize {
        self.marks.iter().filter(|mark| mark.is_media && mark.range.end <= len).count()
    }

    /// Adjusts the record to a text that was truncated to `len` bytes.
    pub(crate) fn truncate(&mut self, len: usize) {
        self.cut(len);
        while self.begins.pop_if(|(at, _)| *at > len).is_some() {}
        if self.begins.last().map_or(self.first, |(_, part)| *part) != self.part {
            self.begins.push((len, self.part));
        }
    }

    fn cut(&mut self, len: usize) {
        while self.marks.pop_if(|mark| mark.range.start >= len).is_some() {}
        if let Some(last) = self.marks.last_mut() {
            last.range.end = last.range.end.min(len);
        }
    }

    /// Returns the pieces of a text of `len` bytes.
    pub(crate) fn pieces(&self, len: usize) -> Vec<TextPiece> {
        let room = 1 + self.begins.len() + 2 * self.marks.len();
        let mut pieces = Pieces { pieces: Vec::with_capacity(room), end: 0 };
        let mut marks = self.marks.iter().peekable();
        let ends = self.begins.iter().map(|(at, _)| *at).chain([len]);
        let parts = [self.first].into_iter().chain(self.begins.iter().map(|(_, part)| *part));
        for (part, end) in parts.zip(ends) {
            while let Some(mark) = marks.peek() {
                if mark.range.start >= end {
                    break;
                }
                pieces.push(mark.range.start, part, Stability::Fixed, false);
                pieces.push(mark.range.end.min(end), part, mark.stability, mark.is_media);
                if mark.range.end > end {
                    break;
                }
                marks.next();
            }
            pieces.push(end, part, Stability::Fixed, false);
        }
        pieces.pieces
    }
}

/// The pieces up to an offset.
struct Pieces {
    pieces: Vec<TextPiece>,
    end: usize,
}

impl Pieces {
    /// Adds the piece up to `end`, unless it is empty. Continues the last piece if it is of the same kind.
    fn push(&mut self, end: usize, part: PartName, stability: Stability, is_media: bool) {
        if end <= self.end {
            return;
        }
        self.end = end;
        match self.pieces.last_mut() {
            Some(last)
                if (last.part, last.stability) == (part, stability)
                    && !last.is_media
                    && !is_media =>
            {
                last.end = end;
            }
            _ => self.pieces.push(TextPiece { end, part, stability, is_media }),
        }
    }
}
