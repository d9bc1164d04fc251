//! The request to a model.

use std::{borrow::Cow, sync::Arc};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{
    media::medium::Media,
    message::{Message, MessagePart, Role, Turn},
    part::PartName,
    segments::{PromptSegments, Segment, Stability},
    settings::ModelSettings,
    tool::{Tool, ToolRound},
};

/// A request to a model: messages of parts, the schema of the reply, and settings.
///
/// The messages are a system message, the turns of an earlier conversation, and the prompt.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ModelRequest {
    /// The JSON schema of the reply, for engines that support constrained decoding.
    pub schema: Option<Arc<ReplySchema>>,
    /// The settings of the call.
    pub settings: ModelSettings,
    /// The messages between the system message and the prompt: examples, and earlier turns of a conversation.
    pub turns: Vec<Turn>,
    /// The tools that the model can call.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tools: Vec<Tool>,
    /// The replies to the prompt that called tools, with the results of the calls.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rounds: Vec<ToolRound>,
    system: RequestText,
    prompt: RequestText,
    /// Whether the explanation of the reply format stays where decoding is constrained.
    keeps_format: bool,
}

/// What a request consists of.
#[derive(Debug)]
#[doc(hidden)]
pub struct RequestParts {
    pub schema: Option<Arc<ReplySchema>>,
    pub settings: ModelSettings,
    pub turns: Vec<Turn>,
    pub tools: Vec<Tool>,
    pub rounds: Vec<ToolRound>,
    pub system: RequestText,
    pub prompt: RequestText,
    /// Whether the explanation of the reply format stays where decoding is constrained.
    pub keeps_format: bool,
}

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

impl ModelRequest {
    /// Creates a request with a prompt only.
    #[must_use]
    pub fn new(prompt: impl Into<String>) -> Self {
        let prompt = RequestText::new(prompt.into(), PartName::Prompt, Stability::Volatile);
        Self::from_texts(RequestText::default(), prompt, false)
    }

    /// Creates a request from the texts of its system message and its prompt.
    #[doc(hidden)]
    #[must_use]
    pub fn from_texts(system: RequestText, prompt: RequestText, keeps_format: bool) -> Self {
        Self {
            schema: None,
            settings: ModelSettings::default(),
            turns: Vec::new(),
            tools: Vec::new(),
            rounds: Vec::new(),
            system,
            prompt,
            keeps_format,
        }
    }

    /// Creates a request from all that an assembled prompt consists of.
    #[doc(hidden)]
    #[must_use]
    pub fn from_parts(parts: RequestParts) -> Self {
        let RequestParts { schema, settings, turns, tools, rounds, system, prompt, keeps_format } =
            parts;
        Self { schema, settings, turns, tools, rounds, system, prompt, keeps_format }
    }

    /// Creates a request from the segments of its system message and its prompt. The explanation of the reply
    /// format stays where decoding is constrained.
    #[doc(hidden)]
    #[must_use]
    pub fn from_segments(segments: &PromptSegments) -> Self {
        let (mut system, mut prompt) = (RequestText::default(), RequestText::default());
        for Segment { part, stability, text } in segments {
            let message = if *part == PartName::System { &mut system } else { &mut prompt };
            message.text.to_mut().push_str(text);
            message.end_piece(*part, *stability);
        }
        Self::from_texts(system, prompt, true)
    }

    /// Sets the system message.
    #[must_use]
    pub fn with_system(mut self, system: impl Into<Cow<'static, str>>) -> Self {
        self.system = RequestText::new(system, PartName::System, Stability::Fixed);
        self
    }

    /// Appends the explanation of the reply format to the prompt.
    #[must_use]
    pub fn append_format(mut self, format: &str) -> Self {
        self.prompt.text.to_mut().push_str(format);
        self.prompt.end_piece(PartName::Output, Stability::Fixed);
        self
    }

    /// Appends an image or a document to the prompt.
    #[must_use]
    pub fn append_media(mut self, media: Media) -> Self {
        self.prompt.push_media(media, PartName::Prompt, Stability::Volatile);
        self
    }

    /// Returns the system message, if there is one.
    #[must_use]
    pub fn system(&self) -> Option<&str> {
        (!self.system.text.is_empty()).then_some(&*self.system.text)
    }

    /// Returns the text of the prompt, including the explanation of the reply format. A placeholder stands
    /// for each image and document.
    #[must_use]
    pub fn prompt(&self) -> &str {
        &self.prompt.text
    }

    /// Returns the text of the prompt without the explanation of the reply format, for engines that
    /// constrain decoding to [`schema`](Self::schema).
    #[must_use]
    pub fn prompt_without_format(&self) -> Cow<'_, str> {
        let shown = |piece: &TextPiece| self.keeps_format || piece.part != PartName::Output;
        if self.prompt.pieces.iter().all(shown) {
            return Cow::Borrowed(self.prompt());
        }
        let pieces = self.prompt.texts().filter(|(piece, _)| shown(piece));
        let text: String = pieces.map(|(_, text)| text).collect();
        Cow::Owned(text.trim().to_owned())
    }

    /// Returns the images and documents of the prompt, in order.
    #[must_use]
    pub fn media(&self) -> &[Media] {
        &self.prompt.media
    }

    /// Returns the messages in order: the system message if there is one, the turns, and the prompt.
    ///
    /// Adjacent texts of the same stability are one part. `with_format` tells whether the prompt includes the
    /// explanation of the reply format, which an engine that constrains decoding to
    /// [`schema`](Self::schema) does not need.
    #[must_use]
    pub fn messages(&self, with_format: bool) -> Vec<Message<'_>> {
        let mut messages = Vec::with_capacity(2 + self.turns.len());
        if self.system().is_some() {
            messages.push(Message { role: Role::System, parts: self.system.parts(|_| true) });
        }
        messages.extend(self.turns.iter().filter(|turn| !turn.text.is_empty()).map(|turn| {
            let (text, part) = (&*turn.text, PartName::Turns);
            let text = MessagePart::Text { text, part, stability: Stability::Growing };
            Message { role: turn.role.into(), parts: vec![text] }
        }));
        let with_format = with_format || self.keeps_format;
        let parts = self.prompt.parts(|piece| with_format || piece.part != PartName::Output);
        if !parts.is_empty() {
            messages.push(Message { role: Role::User, parts });
        }
        messages
    }

    /// Returns the system message and the prompt as segments, which show how stable each text is.
    #[must_use]
    pub fn segments(&self) -> PromptSegments {
        self.system.segments().chain(self.prompt.segments()).collect()
    }
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
    fn end_piece(&mut self, part: PartName, stability: Stability) {
        let end = self.text.len();
        if end > self.pieces.last().map_or(0, |piece| piece.end) {
            self.pieces.to_mut().push(TextPiece { end, part, stability, is_media: false });
        }
    }

    fn push_media(&mut self, media: Media, part: PartName, stability: Stability) {
        self.text.to_mut().push_str(&media.placeholder());
        let end = self.text.len();
        self.pieces.to_mut().push(TextPiece { end, part, stability, is_media: true });
        self.media.push(media);
    }

    /// Returns the pieces with their texts.
    fn texts(&self) -> impl Iterator<Item = (&TextPiece, &str)> {
        let mut start = 0;
        self.pieces.iter().map(move |piece| {
            let text = self.text.get(start..piece.end).unwrap_or_default();
            start = piece.end;
            (piece, text)
        })
    }

    /// Returns the shown pieces as parts of a message, without white space around them if others are left
    /// out.
    fn parts(&self, shown: impl Fn(&TextPiece) -> bool) -> Vec<MessagePart<'_>> {
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

    fn segments(&self) -> impl Iterator<Item = Segment> {
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

/// The JSON schema of a reply.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ReplySchema {
    /// The name of the schema, of letters, digits and underscores, as required by vendors.
    pub name: String,
    /// The schema.
    pub json: Value,
}
