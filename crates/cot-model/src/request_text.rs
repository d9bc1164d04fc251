//! The texts of a request.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use crate::{
    media::medium::Media,
    message::MessagePart,
    part::PartName,
    segments::{Segment, Stability},
};

/// The text of a message, with the boundaries of its pieces.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[doc(hidden)]
pub struct RequestText {
    pub text: Cow<'static, str>,
    pub pieces: Cow<'static, [TextPiece]>,
    /// The media of the pieces that stand for one, in the order of the text.
    pub media: Vec<Media>,
}

/// A piece of a text, which begins where the previous one ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[doc(hidden)]
pub struct TextPiece {
    /// The offset of the end, in bytes.
    pub end: usize,
    pub part: PartName,
    pub stability: Stability,
    /// Whether the piece is the placeholder of a medium.
    pub is_media: bool,
}

impl RequestText {
    /// Creates a text of one piece.
    pub fn new(text: impl Into<Cow<'static, str>>, part: PartName, stability: Stability) -> Self {
        let mut text = Self { text: text.into(), pieces: Cow::default(), media: Vec::new() };
        text.end_piece(part, stability);
        text
    }

    /// Creates a text of known pieces without an allocation.
    #[must_use]
    pub const fn from_static(text: &'static str, pieces: &'static [TextPiece]) -> Self {
        Self { text: Cow::Borrowed(text), pieces: Cow::Borrowed(pieces), media: Vec::new() }
    }

    /// Ends the last piece at the end of the text. Does nothing if it would be empty.
    pub(crate) fn end_piece(&mut self, part: PartName, stability: Stability) {
        let end = self.text.len();
        if end > self.pieces.last().map_or(0, |piece| piece.end) {
            self.pieces.to_mut().push(TextPiece { end, part, stability, is_media: false });
        }
    }

    /// Appends a text that is a piece of its own.
    pub(crate) fn push_piece(&mut self, text: &str, part: PartName, stability: Stability) {
        self.text.to_mut().push_str(text);
        self.end_piece(part, stability);
    }

    /// Appends an image or a document.
    pub(crate) fn push_media(&mut self, media: Media, part: PartName, stability: Stability) {
        self.text.to_mut().push_str(&media.placeholder());
        let end = self.text.len();
        self.pieces.to_mut().push(TextPiece { end, part, stability, is_media: true });
        self.media.push(media);
    }

    /// Returns the pieces with their texts.
    pub(crate) fn texts(&self) -> impl Iterator<Item = (&TextPiece, &str)> {
        let mut start = 0;
        self.pieces.iter().map(move |piece| {
            let text = self.text.get(start..piece.end).unwrap_or_default();
            start = piece.end;
            (piece, text)
        })
    }

    /// Returns the shown pieces as parts of a message, without white space around them if others are left
    /// out.
    pub(crate) fn parts(&self, shown: impl Fn(&TextPiece) -> bool) -> Vec<MessagePart<'_>> {
        let mut parts: Vec<MessagePart<'_>> = Vec::new();
        let mut media = self.media.iter();
        // The start of the last part, if it is text that the next piece continues.
        let mut open: Option<usize> = None;
        let mut is_partial = false;
        let mut start = 0;
        for piece in &*self.pieces {
            let range = start..piece.end;
            start = piece.end;
            let (part, stability) = (piece.part, piece.stability);
            if piece.is_media {
                let medium = media.next();
                open = None;
                if shown(piece) {
                    parts.extend(medium.map(|medium| match medium {
                        Media::Image(image) => MessagePart::Image { image, stability },
                        Media::Document(document) => MessagePart::Document { document, stability },
                    }));
                }
                continue;
            }
            if !shown(piece) {
                (open, is_partial) = (None, true);
                continue;
            }
            match (open, parts.last_mut()) {
                (Some(from), Some(MessagePart::Text { text, stability: last, .. }))
                    if *last == stability =>
                {
                    *text = self.text.get(from..range.end).unwrap_or_default();
                }
                _ => {
                    let text = self.text.get(range.clone()).unwrap_or_default();
                    parts.push(MessagePart::Text { text, part, stability });
                    open = Some(range.start);
                }
            }
        }
        if is_partial {
            trim_parts(&mut parts);
        }
        parts
    }

    /// Returns the segments. Adjacent pieces of the same part and stability are one.
    pub(crate) fn segments(&self) -> impl Iterator<Item = Segment> {
        let mut segments: Vec<Segment> = Vec::new();
        for (piece, text) in self.texts() {
            match segments.last_mut() {
                Some(last) if (last.part, last.stability) == (piece.part, piece.stability) => {
                    last.text.push_str(text);
                }
                _ => segments.push(Segment {
                    part: piece.part,
                    stability: piece.stability,
                    text: text.to_owned(),
                }),
            }
        }
        segments.into_iter()
    }
}

/// Removes white space around the parts, and texts without contents.
fn trim_parts(parts: &mut Vec<MessagePart<'_>>) {
    let is_blank = |part: &MessagePart<'_>| matches!(part, MessagePart::Text { text, .. } if text.trim().is_empty());
    while parts.pop_if(|part| is_blank(part)).is_some() {}
    let blank = parts.iter().take_while(|part| is_blank(part)).count();
    parts.drain(..blank);
    if let Some(MessagePart::Text { text, .. }) = parts.last_mut() {
        *text = text.trim_end();
    }
    if let Some(MessagePart::Text { text, .. }) = parts.first_mut() {
        *text = text.trim_start();
    }
}
