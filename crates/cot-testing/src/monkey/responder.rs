//! Generates the events that answer directives.

use std::{ptr::fn_addr_eq, sync::Arc, time::Duration};

use cot_engine::{
    Action, Directive, Effect, Event, FunctionCall, FunctionError, ModelCall, Process, Quantity,
    Question, TaskId,
};
use cot_model::{FinishReason, ReplySchema};
use cot_schema::{OutputSchema, internal::truncate};
use serde_json::Value;

use super::{poll, problem::Problem, replacements::Replacement, settings::Settings};
use crate::{mixture::ReplyKind, random::Random, replies::Replies};

/// Answers directives in place of models, people and functions.
pub(super) struct Responder {
    replies: Replies,
    random: Random,
    /// The schemas of answers by people, in the form that reply generation needs.
    schemas: Vec<(&'static OutputSchema, Arc<ReplySchema>)>,
    /// The schemas of results of functions.
    results: Vec<ResultSchema>,
}

/// The schema of the results of a function.
struct ResultSchema {
    create: fn() -> OutputSchema,
    schema: OutputSchema,
    reply: Arc<ReplySchema>,
}

/// An event that answers a directive, with its description.
pub(super) struct Answer {
    pub(super) event: Event,
    pub(super) summary: AnswerSummary,
}

impl Answer {
    /// Returns what the answered directive uses up.
    pub(super) fn used(&self, action: &Action) -> Option<Quantity> {
        match (action, &self.event) {
            // The start of a call that is made once is announced before the call.
            (Action::RunFunction(_), Event::Started { .. }) | (Action::Sleep { .. }, _) => None,
            (Action::CallModel(_), _) => Some(Quantity::ModelCalls),
            (Action::RunFunction(_), _) => Some(Quantity::FunctionCalls),
            // A question that is asked again counts once.
            (Action::AskHuman(question), _) => {
                question.issues.is_none().then_some(Quantity::Questions)
            }
        }
    }
}

/// The description of an answer in a failure report.
#[derive(Debug, Clone)]
pub(super) struct AnswerSummary {
    pub(super) task: &'static str,
    pub(super) attempt: u32,
    pub(super) item: Option<usize>,
    /// The kind of the answer, in words.
    pub(super) kind: &'static str,
    pub(super) text: String,
}

/// The maximum time of an answer that does not time out.
const MAX_MILLISECONDS: u64 = 2000;
/// The limit up to which an answer is quoted.
const MAX_QUOTED_BYTES: usize = 200;

impl Responder {
    pub(super) fn new(replies: Replies) -> Self {
        Self { replies, random: Random::seeded(0), schemas: Vec::new(), results: Vec::new() }
    }

    /// Resets the random numbers for a new run.
    pub(super) fn reseed(&mut self, replies: u64, random: u64) {
        self.replies.reseed(replies);
        self.random = Random::seeded(random);
    }

    /// Answers one of several directives; `None` if there are none.
    pub(super) fn answer<P: Process>(
        &mut self,
        settings: &Settings<P>,
        directives: &[Directive<P::Task>],
    ) -> Result<Option<Answer>, Problem> {
        let directive = match directives {
            [only] if only.key.item().is_none() => only,
            several => match self.random.pick(several) {
                Some(picked) => picked,
                None => return Ok(None),
            },
        };
        Ok(Some(match &directive.action {
            Action::CallModel(call) => self.answer_model(settings, directive, call),
            Action::AskHuman(question) => self.answer_human(settings, directive, question),
            Action::RunFunction(call) => self.answer_function(settings, directive, call)?,
            Action::Sleep { .. } => Answer {
                event: Event::Woken { id: directive.id },
                summary: AnswerSummary::new(directive, "woke up", ""),
            },
        }))
    }

    fn answer_model<P: Process>(
        &mut self,
        settings: &Settings<P>,
        directive: &Directive<P::Task>,
        call: &ModelCall,
    ) -> Answer {
        let (id, kind) = (directive.id, settings.mixture.draw(&mut self.random));
        let summary = |kind, text: &str| AnswerSummary::new(directive, kind, text);
        if let (ReplyKind::TimedOut, Some(elapsed)) = (kind, directive.timeout) {
            let event = Event::TimedOut { id, elapsed };
            return Answer { event, summary: summary("timed out", "") };
        }
        let elapsed = self.draw_elapsed(directive.timeout);
        let reply = self.replies.answer_of(kind, &call.request).map(|mut reply| {
            if let (ReplyKind::Valid, Some(make)) = (kind, settings.replies.get(directive.task)) {
                let is_text = call.request.has_own_format();
                match serde_json::from_str(&reply.text) {
                    Ok(value) => reply.text = written(make(value), is_text),
                    Err(_) if is_text && reply.tool_calls.is_empty() => {
                        reply.text = written(make(Value::String(reply.text)), is_text);
                    }
                    Err(_) => {}
                }
            }
            reply
        });
        match reply {
            Ok(reply) => {
                let calls = reply.tool_calls.iter();
                let calls = calls.map(|call| format!("{}({})", call.name, call.arguments));
                let calls = calls.collect::<Vec<_>>().join(", ");
                let summary = match calls.is_empty() {
                    true => summary(describe_reply(kind, &reply.finish), &reply.text),
                    false => summary("called tools", &calls),
                };
                Answer { event: Event::Replied { id, reply, elapsed }, summary }
            }
            Err(error) => {
                let summary = summary("failed", &error.to_string());
                Answer { event: Event::Failed { id, error, elapsed }, summary }
            }
        }
    }

    fn answer_human<P: Process>(
        &mut self,
        settings: &Settings<P>,
        directive: &Directive<P::Task>,
        question: &Question,
    ) -> Answer {
        let (id, kind) = (directive.id, settings.people.draw(&mut self.random));
        let summary = |kind, text: &str| AnswerSummary::new(directive, kind, text);
        if let (ReplyKind::TimedOut, Some(elapsed)) = (kind, directive.timeout) {
            let event = Event::TimedOut { id, elapsed };
            return Answer { event, summary: summary("the person timed out", "") };
        }
        let schema = self.reply_schema(question.schema);
        let answer = match kind {
            ReplyKind::Valid => {
                let valid = self.replies.valid(&schema);
                // The replies of a task do not approve its tools.
                let own = settings.replies.get(directive.task);
                own.filter(|_| directive.key.approval().is_none())
                    .map_or_else(|| valid.clone(), |make| make(valid.clone()))
            }
            ReplyKind::NearlyValid => self.replies.nearly_valid(&schema),
            ReplyKind::Invalid => self.replies.invalid(&schema),
            ReplyKind::Hostile => Value::String(self.replies.hostile(&schema)),
            _ => Value::Null,
        };
        let summary = summary("the person answered", &answer.to_string());
        Answer { event: Event::Answered { id, answer, elapsed: Duration::ZERO }, summary }
    }

    fn reply_schema(&mut self, schema: &'static OutputSchema) -> Arc<ReplySchema> {
        if let Some((_, known)) =
            self.schemas.iter().find(|(known, _)| std::ptr::eq(*known, schema))
        {
            return Arc::clone(known);
        }
        let made = for_replies(schema);
        self.schemas.push((schema, Arc::clone(&made)));
        made
    }

    fn answer_function<P: Process>(
        &mut self,
        settings: &Settings<P>,
        directive: &Directive<P::Task>,
        call: &FunctionCall,
    ) -> Result<Answer, Problem> {
        let (id, limit) = (directive.id, directive.timeout);
        let summary = |kind, text: &str| AnswerSummary::new(directive, kind, text);
        if call.effect() == Effect::Once {
            if !call.is_started() {
                let event = Event::Started { id };
                return Ok(Answer { event, summary: summary("started", "") });
            }
            if self.random.percent(settings.faults.into()) {
                let event = Event::Interrupted { id };
                return Ok(Answer { event, summary: summary("was interrupted", "") });
            }
        }
        if self.random.percent(settings.faults.into()) {
            if let (Some(elapsed), true) = (limit, self.random.percent(50)) {
                let event = Event::TimedOut { id, elapsed };
                return Ok(Answer { event, summary: summary("timed out", "") });
            }
            let (result, elapsed) = (Err(FunctionError::new(FAULT)), self.draw_elapsed(limit));
            let event = Event::Ran { id, result, elapsed };
            return Ok(Answer { event, summary: summary("failed", FAULT) });
        }
        let elapsed = self.draw_elapsed(limit);
        let result = self.function_result(settings, directive, call)?;
        let summary = match &result {
            Ok(output) => summary("returned", &output.to_string()),
            Err(error) => summary("failed", &error.to_string()),
        };
        Ok(Answer { event: Event::Ran { id, result, elapsed }, summary })
    }

    fn function_result<P: Process>(
        &mut self,
        settings: &Settings<P>,
        directive: &Directive<P::Task>,
        call: &FunctionCall,
    ) -> Result<Result<Value, FunctionError>, Problem> {
        if call.tool_call().is_some() {
            return Ok(self.tool_result());
        }
        // A check could call a server, so it is not executed and always accepts.
        if directive.key.is_check() {
            return Ok(Ok(Value::Null));
        }
        match settings.functions.get(directive.task) {
            _ if call.is_ready() => called(call),
            Some(Replacement::Function(replacement)) => Ok(replacement(directive)),
            Some(Replacement::Called) => called(call),
            None => match call.result_schema() {
                Some(create) => Ok(Ok(self.generated(create))),
                None => Err(Problem::NoSchema),
            },
        }
    }

    /// Generates the result of a function.
    fn generated(&mut self, create: fn() -> OutputSchema) -> Value {
        let known = self.results.iter().position(|known| fn_addr_eq(known.create, create));
        let index = known.unwrap_or_else(|| {
            let schema = create();
            self.results.push(ResultSchema { create, reply: for_replies(&schema), schema });
            self.results.len() - 1
        });
        let ResultSchema { schema, reply, .. } = &self.results[index];
        schema.unwrap(self.replies.valid(reply))
    }

    /// Generates the result of a tool. A tool could call a server, so it is not executed.
    fn tool_result(&mut self) -> Result<Value, FunctionError> {
        let length = self.random.below(20);
        match self.random.below(4) {
            0 => Ok(Value::Null),
            1 => Ok((0..length).collect()),
            2 => Ok("found ".repeat(usize::try_from(length).unwrap_or_default()).into()),
            _ => Ok(serde_json::json!({ "count": length, "found": length > 0 })),
        }
    }

    fn draw_elapsed(&mut self, limit: Option<Duration>) -> Duration {
        let elapsed = Duration::from_millis(self.random.between(0, MAX_MILLISECONDS));
        limit.map_or(elapsed, |limit| elapsed.min(limit))
    }
}

/// Calls a function.
fn called(call: &FunctionCall) -> Result<Result<Value, FunctionError>, Problem> {
    match poll::poll_to_completion(call.run()) {
        Some(Err(error)) if error.is_panic() => {
            Err(Problem::FunctionPanicked(error.message().to_owned()))
        }
        ended => ended.ok_or(Problem::FunctionWaits),
    }
}

/// Returns a schema in the form that reply generation needs.
fn for_replies(schema: &OutputSchema) -> Arc<ReplySchema> {
    let (name, json) = (schema.name().to_owned(), schema.json().clone());
    Arc::new(ReplySchema { name, json })
}

/// Returns the text of a reply. A reply that the program reads itself is given as a string.
fn written(value: Value, is_text: bool) -> String {
    match value {
        Value::String(text) if is_text => text,
        value => value.to_string(),
    }
}

/// The error of a function that fails by injection.
const FAULT: &str = "the monkey made it fail";

fn describe_reply(kind: ReplyKind, finish: &FinishReason) -> &'static str {
    match (finish, kind) {
        (FinishReason::Length, _) => "was cut off",
        (FinishReason::Refusal, _) => "refused",
        (_, ReplyKind::Valid) => "replied correctly",
        (_, ReplyKind::NearlyValid) => "replied almost correctly",
        (_, ReplyKind::Hostile) => "replied with hostile text",
        _ => "replied incorrectly",
    }
}

impl AnswerSummary {
    fn new(directive: &Directive<impl TaskId>, kind: &'static str, text: &str) -> Self {
        let (attempt, item) = (directive.key.attempt(), directive.key.item());
        let text = truncate(text, MAX_QUOTED_BYTES).to_owned();
        Self { task: directive.task.name(), attempt, item, kind, text }
    }
}
