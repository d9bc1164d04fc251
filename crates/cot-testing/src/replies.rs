//! Generates replies from a seed.

use std::{sync::Arc, time::Duration};

use cot_engine::TaskId;
use cot_model::{
    FinishReason, ModelError, ModelErrorKind, ModelReply, ModelRequest, ReplySchema, ToolCall,
    Usage,
};
use serde_json::Value;

use super::{
    grammar::Grammar,
    hostile,
    mixture::{Mixture, ReplyKind},
    random::Random,
    reasoning_text,
};

/// Generates valid, nearly valid, invalid and hostile replies to a schema.
///
/// The same seed and the same calls produce the same replies on every platform. Compiled schemas are cached.
///
/// ```
/// use std::sync::Arc;
///
/// use cot_core::{model::ReplySchema, testing::Replies};
/// use serde_json::json;
///
/// let json = json!({
///     "type": "object",
///     "properties": { "quantity": { "type": "integer", "minimum": 1, "maximum": 9 } },
///     "required": ["quantity"],
/// });
/// let schema = Arc::new(ReplySchema { name: "order".into(), json });
///
/// let reply = Replies::seeded(42).valid(&schema);
/// assert!((1..=9).contains(&reply["quantity"].as_u64().unwrap()));
/// assert_eq!(Replies::seeded(42).valid(&schema), reply);
/// ```
#[derive(Debug, Clone)]
pub struct Replies {
    random: Random,
    names: Vec<String>,
    grammars: Vec<(Arc<ReplySchema>, Arc<Grammar>)>,
}

/// The maximum number of cached schemas.
const MAX_GRAMMARS: usize = 256;

impl Replies {
    /// Creates a generator with this seed.
    #[must_use]
    pub fn seeded(seed: u64) -> Self {
        Self { random: Random::seeded(seed), names: Vec::new(), grammars: Vec::new() }
    }

    /// Resets the generator to another seed and keeps the compiled schemas. Compiling a schema takes a
    /// hundred times as long as generating a reply.
    pub fn reseed(&mut self, seed: u64) {
        self.random = Random::seeded(seed);
    }

    /// Sets the names of the tasks. Nearly valid replies then choose tasks that exist but are not offered:
    /// `Replies::seeded(7).naming(TriageTask::ALL)`.
    #[must_use]
    pub fn naming<T: TaskId>(mut self, tasks: &[T]) -> Self {
        self.names = tasks.iter().map(|task| task.name().to_owned()).collect();
        self
    }

    /// Generates a reply that matches the schema. Values of recursive types are kept small.
    ///
    /// Types, `enum` and `const`, members, tuples, maps, references, alternatives, lengths, ranges,
    /// multiples, patterns and formats are supported, and the reply is validated. For a schema that is
    /// invalid or that no value matches, the reply is arbitrary.
    pub fn valid(&mut self, schema: &Arc<ReplySchema>) -> Value {
        self.grammar(schema).valid(&mut self.random)
    }

    /// Generates a reply with one mistake. It is invalid, unless the schema accepts every value.
    pub fn nearly_valid(&mut self, schema: &Arc<ReplySchema>) -> Value {
        self.grammar(schema).nearly_valid(&mut self.random, &self.names)
    }

    /// Generates JSON of another structure. It is invalid, unless the schema accepts every value.
    pub fn invalid(&mut self, schema: &Arc<ReplySchema>) -> Value {
        self.grammar(schema).invalid(&mut self.random)
    }

    /// Generates a hostile text; see [`ReplyKind::Hostile`].
    pub fn hostile(&mut self, schema: &Arc<ReplySchema>) -> String {
        let valid = self.valid(schema).to_string();
        hostile::reply(&valid, &mut self.random)
    }

    /// Answers a request with a kind of reply that the mixture draws.
    ///
    /// A request without a schema is treated as a `reason` task: a valid reply has steps or a conclusion, a
    /// nearly valid one has them in a form that is not recognized, an invalid one has neither.
    ///
    /// Half of the replies to a request with tools call some: with valid arguments where the reply would be valid,
    /// and with others where it would not.
    ///
    /// The usage is estimated from the lengths of prompt and reply, so that budgets take effect.
    ///
    /// # Errors
    ///
    /// Fails if the mixture draws a failed call.
    pub fn answer(
        &mut self,
        mixture: &Mixture,
        request: &ModelRequest,
    ) -> Result<ModelReply, ModelError> {
        let kind = mixture.draw(&mut self.random);
        self.answer_of(kind, request)
    }

    /// Answers a request with one kind of reply.
    ///
    /// # Errors
    ///
    /// Fails if the kind is a failed call.
    pub fn answer_of(
        &mut self,
        kind: ReplyKind,
        request: &ModelRequest,
    ) -> Result<ModelReply, ModelError> {
        if let Some(calls) = self.tool_calls(kind, request) {
            let usage = Usage::for_call(tokens(request.prompt()), tokens(""));
            return Ok(ModelReply::calling(calls).usage(usage));
        }
        let schema = request.schema.as_ref();
        let (text, finish) = match kind {
            ReplyKind::Failed => return Err(self.failure()),
            ReplyKind::TimedOut => {
                return Err(ModelError::new(ModelErrorKind::Timeout, "no answer in time"));
            }
            ReplyKind::Refused => (REFUSAL.to_owned(), FinishReason::Refusal),
            ReplyKind::Truncated => (self.truncated(schema), FinishReason::Length),
            ReplyKind::Hostile => (self.hostile_text(schema), FinishReason::Stop),
            ReplyKind::Valid => (self.valid_text(schema), FinishReason::Stop),
            ReplyKind::NearlyValid => {
                let text = self.written(schema, Self::nearly_valid, reasoning_text::nearly_valid);
                (text, FinishReason::Stop)
            }
            ReplyKind::Invalid => {
                (self.written(schema, Self::invalid, reasoning_text::invalid), FinishReason::Stop)
            }
        };
        let usage = Usage::for_call(tokens(request.prompt()), tokens(&text));
        Ok(ModelReply::new(text).finish(finish).usage(usage))
    }

    /// Generates calls of tools for a share of the requests with tools: with arguments of the same kind as the
    /// reply, and at times of a tool that does not exist.
    fn tool_calls(&mut self, kind: ReplyKind, request: &ModelRequest) -> Option<Vec<ToolCall>> {
        let replies =
            [ReplyKind::Valid, ReplyKind::NearlyValid, ReplyKind::Invalid, ReplyKind::Hostile];
        if request.tools.is_empty() || !replies.contains(&kind) || !self.random.percent(CALLS) {
            return None;
        }
        let count = self.random.between(1, MAX_CALLS);
        let calls = (0..count).map(|number| {
            let tool = self.random.pick(&request.tools)?;
            let schema = &tool.schema;
            let arguments = match kind {
                ReplyKind::Valid => self.valid(schema).to_string(),
                ReplyKind::NearlyValid => self.nearly_valid(schema).to_string(),
                ReplyKind::Invalid => self.invalid(schema).to_string(),
                _ => self.hostile(schema),
            };
            let is_unknown = kind == ReplyKind::Invalid && self.random.percent(50);
            let name = if is_unknown { "no_such_tool" } else { tool.name() };
            Some(ToolCall::new(name, arguments).with_id(format!("call-{number}")))
        });
        calls.collect()
    }

    fn written(
        &mut self,
        schema: Option<&Arc<ReplySchema>>,
        make: impl FnOnce(&mut Self, &Arc<ReplySchema>) -> Value,
        otherwise: fn(&mut Random) -> String,
    ) -> String {
        match schema {
            Some(schema) => {
                let value = make(self, schema);
                if self.random.percent(10) { format!("{value:#}") } else { value.to_string() }
            }
            None => otherwise(&mut self.random),
        }
    }

    fn valid_text(&mut self, schema: Option<&Arc<ReplySchema>>) -> String {
        self.written(schema, Self::valid, reasoning_text::valid)
    }

    fn truncated(&mut self, schema: Option<&Arc<ReplySchema>>) -> String {
        let whole = self.valid_text(schema);
        hostile::cut(&whole, &mut self.random).to_owned()
    }

    fn hostile_text(&mut self, schema: Option<&Arc<ReplySchema>>) -> String {
        match schema {
            Some(schema) => self.hostile(schema),
            None => hostile::reply(&reasoning_text::valid(&mut self.random), &mut self.random),
        }
    }

    fn failure(&mut self) -> ModelError {
        let retry_after = Some(Duration::from_secs(1));
        let (kind, message) = match self.random.below(6) {
            0 => (ModelErrorKind::Status { code: 429, retry_after }, "too many requests"),
            1 => (ModelErrorKind::Status { code: 503, retry_after: None }, "overloaded"),
            2 => (ModelErrorKind::Status { code: 401, retry_after: None }, "wrong key"),
            3 => (ModelErrorKind::Timeout, "no answer in time"),
            4 => (ModelErrorKind::Protocol, "the answer is not what the protocol says"),
            _ => (ModelErrorKind::Connection, "the connection broke"),
        };
        ModelError::new(kind, message)
    }

    fn grammar(&mut self, schema: &Arc<ReplySchema>) -> Arc<Grammar> {
        let mut known = self.grammars.iter();
        let same = known.find(|(known, _)| Arc::ptr_eq(known, schema));
        let equal = || self.grammars.iter().find(|(known, _)| known.json == schema.json);
        if let Some((_, grammar)) = same.or_else(equal) {
            return Arc::clone(grammar);
        }
        let grammar = Arc::new(Grammar::compile(&schema.json));
        if self.grammars.len() == MAX_GRAMMARS {
            self.grammars.clear();
        }
        self.grammars.push((Arc::clone(schema), Arc::clone(&grammar)));
        grammar
    }
}

/// The share of requests with tools that are answered with calls, in percent.
const CALLS: u64 = 50;
/// The maximum number of calls in a reply.
const MAX_CALLS: u64 = 3;

/// The text of a refusal.
const REFUSAL: &str = "I can't help with that.";

/// Estimates the tokens of a text at four bytes each.
fn tokens(text: &str) -> u64 {
    text.len().div_ceil(4) as u64
}
