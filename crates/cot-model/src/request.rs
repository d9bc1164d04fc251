//! The request to a model.

use std::{borrow::Cow, fmt, sync::Arc};

use serde::{Deserialize, Serialize};

use crate::{
    media::medium::Media,
    message::{Message, MessagePart, Role, Turn},
    part::PartName,
    reply_schema::ReplySchema,
    request_text::{RequestText, TextPiece},
    segments::{PromptSegments, Segment, Stability},
    settings::ModelSettings,
    tool::{
        choice::reply_or_call,
        text::{listed_round, listed_tools, prompt_text, round_turns},
        tool::{Tool, ToolRound},
    },
};

/// A request to a model: messages of parts, the schema of the reply, and settings.
///
/// The messages are a system message, the turns of an earlier conversation, the prompt, and the replies to it
/// that called tools, each with the results of its calls.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ModelRequest {
    /// The JSON schema of the reply, for engines that support constrained decoding.
    pub schema: Option<Arc<ReplySchema>>,
    /// The settings of the call, which the requests of a task share.
    pub settings: Arc<ModelSettings>,
    /// The messages between the system message and the prompt: examples, and earlier turns of a conversation.
    pub turns: Vec<Turn>,
    /// The tools that the model can call. They are the same in all requests with the same prompt.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tools: Vec<Tool>,
    /// The replies to the prompt that called tools, with the results of the calls.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rounds: Vec<ToolRound>,
    /// The messages after the prompt and before the rounds.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub follow_ups: Vec<Turn>,
    system: RequestText,
    prompt: RequestText,
    /// Whether the explanation of the reply format stays where decoding is constrained.
    keeps_format: bool,
    /// Whether the program reads the reply itself, so that nothing is added to the prompt.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    has_own_format: bool,
}

/// Texts and schemas by their size and name, since they are long.
impl fmt::Debug for ModelRequest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ModelRequest")
            .field("system_bytes", &self.system.text.len())
            .field("prompt_bytes", &self.prompt.text.len())
            .field("schema", &self.schema.as_ref().map(|schema| &schema.name))
            .field("settings", &self.settings)
            .field("turns", &self.turns.len())
            .field("tools", &self.tools.iter().map(|tool| tool.name()).collect::<Vec<_>>())
            .field("rounds", &self.rounds.len())
            .finish_non_exhaustive()
    }
}

/// What a request consists of.
#[derive(Debug)]
#[doc(hidden)]
pub struct RequestParts {
    pub schema: Option<Arc<ReplySchema>>,
    pub settings: Arc<ModelSettings>,
    pub turns: Vec<Turn>,
    pub tools: Vec<Tool>,
    pub rounds: Vec<ToolRound>,
    pub system: RequestText,
    pub prompt: RequestText,
    /// Whether the explanation of the reply format stays where decoding is constrained.
    pub keeps_format: bool,
    /// Whether the program reads the reply itself, so that nothing is added to the prompt.
    pub has_own_format: bool,
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
            settings: Arc::default(),
            turns: Vec::new(),
            tools: Vec::new(),
            rounds: Vec::new(),
            follow_ups: Vec::new(),
            system,
            prompt,
            keeps_format,
            has_own_format: false,
        }
    }

    /// Creates a request from all that an assembled prompt consists of.
    #[doc(hidden)]
    #[must_use]
    pub fn from_parts(parts: RequestParts) -> Self {
        let RequestParts { schema, settings, turns, tools, rounds, .. } = parts;
        let RequestParts { system, prompt, keeps_format, has_own_format, .. } = parts;
        Self {
            schema,
            settings,
            turns,
            tools,
            rounds,
            follow_ups: Vec::new(),
            system,
            prompt,
            keeps_format,
            has_own_format,
        }
    }

    /// Creates a request from the segments of its system message and its prompt. The explanation of the reply
    /// format stays where decoding is constrained. Tools and rounds are left out.
    #[doc(hidden)]
    #[must_use]
    pub fn from_segments(segments: &PromptSegments) -> Self {
        let (mut system, mut prompt) = (RequestText::default(), RequestText::default());
        for Segment { part, stability, text } in segments {
            match part {
                PartName::System => system.push_piece(text, *part, *stability),
                PartName::Tools | PartName::Rounds => {}
                _ => prompt.push_piece(text, *part, *stability),
            }
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
        self.prompt.push_piece(format, PartName::Output, Stability::Fixed);
        self
    }

    /// Sets the tools that the model can call.
    #[must_use]
    pub fn with_tools(mut self, tools: impl IntoIterator<Item = Tool>) -> Self {
        self.tools = tools.into_iter().collect();
        self
    }

    /// Sets the replies to the prompt that called tools.
    #[must_use]
    pub fn with_rounds(mut self, rounds: impl IntoIterator<Item = ToolRound>) -> Self {
        self.rounds = rounds.into_iter().collect();
        self
    }

    /// Returns the request in the form for engines that can't call tools. It has neither tools nor rounds.
    ///
    /// The prompt describes the tools and the JSON form of a call, `{"tool": "name", "arguments": {…}}`, and the
    /// schema accepts that form beside the reply. The rounds become [`follow_ups`](Self::follow_ups). The prompt and
    /// the schema of a task with `read` stay as they are, since they explain a format of their own.
    ///
    /// ```
    /// use std::sync::Arc;
    ///
    /// use cot_core::model::{ModelRequest, ReplySchema, Tool};
    /// use serde_json::json;
    ///
    /// let json = json!({ "type": "object", "properties": { "city": { "type": "string" } } });
    /// let schema = Arc::new(ReplySchema { name: "weather".to_owned(), json });
    /// let tool = Tool::new("Looks up the weather", schema);
    /// let request = ModelRequest::new("Is it raining in Paris?").with_tools([tool]);
    /// let request = request.with_tools_in_prompt();
    /// assert!(request.tools.is_empty());
    /// assert!(request.prompt().contains("- `weather`: Looks up the weather"));
    /// ```
    #[must_use]
    pub fn with_tools_in_prompt(&self) -> Self {
        let mut request = self.clone();
        let (tools, rounds) =
            (std::mem::take(&mut request.tools), std::mem::take(&mut request.rounds));
        if !tools.is_empty() && !self.has_own_format {
            request.prompt.push_piece(&prompt_text(&tools), PartName::Prompt, Stability::Fixed);
            request.schema = request.schema.map(|schema| {
                let json = reply_or_call(&schema.json, &tools);
                Arc::new(ReplySchema { name: schema.name.clone(), json })
            });
        }
        request.follow_ups.extend(rounds.iter().flat_map(round_turns));
        request
    }

    /// Appends an image or a document to the prompt.
    #[must_use]
    pub fn append_media(mut self, media: Media) -> Self {
        self.prompt.push_media(media, PartName::Prompt, Stability::Volatile);
        self
    }

    /// Returns the request itself for an engine that [calls tools](crate::LanguageModel::calls_tools), or if it has
    /// no tools and no rounds. Rounds without tools are shown in the prompt in any case; otherwise the request with its [tools in the prompt](Self::with_tools_in_prompt).
    #[must_use]
    pub fn in_form_for(&self, calls_tools: bool) -> Cow<'_, Self> {
        // Engines refuse calls in a conversation without tools.
        let has_all = !self.tools.is_empty() || self.rounds.is_empty();
        if has_all && (calls_tools || self.tools.is_empty()) {
            Cow::Borrowed(self)
        } else {
            Cow::Owned(self.with_tools_in_prompt())
        }
    }

    /// Returns whether the program reads the reply itself, in a format of its own: that of a task with `read`.
    #[must_use]
    pub const fn has_own_format(&self) -> bool {
        self.has_own_format
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

    /// Returns the messages in order: the system message if there is one, the turns, the prompt, the follow-ups,
    /// and for each round a message with the calls and one with their results.
    ///
    /// Adjacent texts of the same stability are one part. `with_format` tells whether the prompt includes the
    /// explanation of the reply format, which an engine that constrains decoding to
    /// [`schema`](Self::schema) does not need.
    #[must_use]
    pub fn messages(&self, with_format: bool) -> Vec<Message<'_>> {
        let others = self.turns.len() + self.follow_ups.len() + 2 * self.rounds.len();
        let mut messages = Vec::with_capacity(2 + others);
        if self.system().is_some() {
            messages.push(Message { role: Role::System, parts: self.system.parts(|_| true) });
        }
        messages.extend(turn_messages(&self.turns, PartName::Turns));
        let with_format = with_format || self.keeps_format;
        let parts = self.prompt.parts(|piece| with_format || piece.part != PartName::Output);
        if !parts.is_empty() {
            messages.push(Message { role: Role::User, parts });
        }
        messages.extend(turn_messages(&self.follow_ups, PartName::Rounds));
        let mut number = 0;
        for round in &self.rounds {
            messages.extend(round.messages(number));
            number += round.calls.len();
        }
        messages
    }

    /// Returns the tools, the system message, the prompt and the rounds as segments, which show how stable each
    /// text is.
    #[must_use]
    pub fn segments(&self) -> PromptSegments {
        let segment = |part, stability, text: String| {
            (!text.is_empty()).then_some(Segment { part, stability, text })
        };
        let tools = segment(PartName::Tools, Stability::Fixed, listed_tools(&self.tools));
        let mut rounds: String = self.follow_ups.iter().map(|turn| format!("{turn}\n")).collect();
        rounds.extend(self.rounds.iter().map(listed_round));
        let rounds = segment(PartName::Rounds, Stability::Growing, rounds);
        let texts = self.system.segments().chain(self.prompt.segments());
        tools.into_iter().chain(texts).chain(rounds).collect()
    }
}

/// Returns the turns with a text as messages.
fn turn_messages(turns: &[Turn], part: PartName) -> impl Iterator<Item = Message<'_>> {
    turns.iter().filter(|turn| !turn.text.is_empty()).map(move |turn| {
        let text = MessagePart::Text { text: &turn.text, part, stability: Stability::Growing };
        Message { role: turn.role.into(), parts: vec![text] }
    })
}
