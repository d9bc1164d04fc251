//! Records which part each byte of a text belongs to, and how stable it is.

use cot_model::{PartName, Stability, internal::TextPiece};

/// Records the pieces of a text while it is written. Text that is not marked is fixed.
#[derive(Debug)]
pub(crate) struct Recorder {
    /// The part of the text after the last piece.
    part: PartName,
    /// The pieces up to the last value or the last begin of a part. None is empty.
    pieces: Vec<TextPiece>,
}

/// The number of pieces of a usual prompt.
const USUAL_PIECES: usize = 16;

impl Recorder {
    pub(crate) const fn new(part: PartName) -> Self {
        Self { part, pieces: Vec::new() }
    }

    /// Begins a part at an offset. Returns the previous part.
    pub(crate) fn enter(&mut self, part: PartName, at: usize) -> PartName {
        if part != self.part {
            self.end_piece(at, Stability::Fixed, false);
        }
        std::mem::replace(&mut self.part, part)
    }

    /// Marks the text from `start` to `end` as a value of a stability. No piece begins within it.
    pub(crate) fn mark(&mut self, start: usize, end: usize, stability: Stability) {
        self.end_piece(start, Stability::Fixed, false);
        self.end_piece(end, stability, false);
    }

    /// Marks the text from `start` to `end` as the placeholder of a medium.
    pub(crate) fn mark_media(&mut self, start: usize, end: usize, stability: Stability) {
        self.end_piece(start, Stability::Fixed, false);
        self.end_piece(end, stability, true);
    }

    /// Marks all text from `start` to `end` as volatile, including the pieces within it.
    pub(crate) fn mark_volatile(&mut self, start: usize, end: usize) {
        let within = self.pieces.partition_point(|piece| piece.end <= start);
        if within < self.pieces.len() {
            if start > self.end_before(within) {
                self.pieces.insert(within, TextPiece { end: start, ..self.pieces[within] });
            }
            for piece in self.pieces.iter_mut().filter(|piece| piece.end > start) {
                piece.stability = Stability::Volatile;
            }
            self.pieces.dedup_by(|next, piece| {
                let continues = continues(piece, next.part, next.stability, next.is_media);
                if continues {
                    piece.end = next.end;
                }
                continues
            });
        }
        self.mark(start, end, Stability::Volatile);
    }

    /// Returns the number of placeholders of media within the first `len` bytes.
    pub(crate) fn media_within(&self, len: usize) -> usize {
        self.pieces.iter().filter(|piece| piece.is_media && piece.end <= len).count()
    }

    /// Adjusts the record to a text that was truncated to `len` bytes.
    pub(crate) fn truncate(&mut self, len: usize) {
        while let Some(last) = self.pieces.len().checked_sub(1) {
            if self.pieces[last].end <= len {
                return;
            }
            if self.end_before(last) < len {
                self.pieces[last].end = len;
                return;
            }
            self.pieces.truncate(last);
        }
    }

    /// Returns the pieces of the text of `len` bytes.
    pub(crate) fn into_pieces(mut self, len: usize) -> Vec<TextPiece> {
        self.end_piece(len, Stability::Fixed, false);
        self.pieces
    }

    /// Returns the offset at which a piece begins.
    fn end_before(&self, index: usize) -> usize {
        index.checked_sub(1).map_or(0, |previous| self.pieces[previous].end)
    }

    /// Ends a piece of the current part at an offset, unless it would be empty. Extends the last piece instead
    /// if it is of the same kind.
    fn end_piece(&mut self, end: usize, stability: Stability, is_media: bool) {
        match self.pieces.last_mut() {
            Some(last) if last.end >= end => {}
            Some(last) if continues(last, self.part, stability, is_media) => last.end = end,
            None if end == 0 => {}
            _ => self.add_piece(TextPiece { end, part: self.part, stability, is_media }),
        }
    }

    fn add_piece(&mut self, piece: TextPiece) {
        if self.pieces.is_empty() {
            self.pieces.reserve(USUAL_PIECES);
        }
        self.pieces.push(piece);
    }
}

/// Returns whether text of a part and a stability continues a piece.
fn continues(piece: &TextPiece, part: PartName, stability: Stability, is_media: bool) -> bool {
    piece.part == part && piece.stability == stability && !piece.is_media && !is_media
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pieces(recorder: Recorder, len: usize) -> Vec<(usize, PartName, Stability)> {
        let pieces = recorder.into_pieces(len);
        pieces.iter().map(|piece| (piece.end, piece.part, piece.stability)).collect()
    }

    #[test]
    fn parts_and_values_are_pieces() {
        use PartName::{Goal, Intro, Prompt};
        use Stability::{Fixed, PerRun, Volatile};
        let mut recorder = Recorder::new(Prompt);
        assert_eq!(recorder.enter(Intro, 0), Prompt);
        recorder.mark(2, 4, PerRun);
        recorder.mark(4, 5, PerRun);
        recorder.mark(6, 6, Volatile);
        assert_eq!(recorder.enter(Goal, 7), Intro);
        assert_eq!(recorder.enter(Prompt, 7), Goal);
        recorder.mark(7, 9, Volatile);
        let expected = [
            (2, Intro, Fixed),
            (5, Intro, PerRun),
            (7, Intro, Fixed),
            (9, Prompt, Volatile),
            (12, Prompt, Fixed),
        ];
        assert_eq!(pieces(recorder, 12), expected);
        assert_eq!(pieces(Recorder::new(Prompt), 0), []);
    }

    #[test]
    fn a_truncated_text_has_the_pieces_of_its_beginning() {
        use PartName::{Goal, Prompt};
        use Stability::{Fixed, PerRun};
        let mut recorder = Recorder::new(Prompt);
        recorder.mark(2, 6, PerRun);
        recorder.enter(Goal, 8);
        recorder.mark(10, 12, PerRun);
        recorder.truncate(20);
        recorder.truncate(11);
        recorder.truncate(10);
        recorder.truncate(4);
        assert_eq!(
            pieces(recorder, 5),
            [(2, Prompt, Fixed), (4, Prompt, PerRun), (5, Goal, Fixed)]
        );
    }

    #[test]
    fn a_volatile_text_keeps_the_parts_within_it() {
        use PartName::{Goal, Prompt};
        use Stability::{Fixed, PerRun, Volatile};
        let mut recorder = Recorder::new(Prompt);
        recorder.mark(1, 2, PerRun);
        recorder.enter(Goal, 6);
        recorder.mark(7, 8, PerRun);
        recorder.enter(Prompt, 9);
        recorder.mark_volatile(4, 10);
        let expected = [
            (1, Prompt, Fixed),
            (2, Prompt, PerRun),
            (4, Prompt, Fixed),
            (6, Prompt, Volatile),
            (9, Goal, Volatile),
            (10, Prompt, Volatile),
            (11, Prompt, Fixed),
        ];
        assert_eq!(pieces(recorder, 11), expected);
    }
}
