//! What models, people and functions answer.

use std::{sync::Arc, time::Duration};

use cot_engine::{
    Action, Directive, Event, FunctionCall, FunctionError, ModelCall, Process, Question, TaskId,
};
use cot_model::{FinishReason, ReplySchema};
use cot_schema::{OutputSchema, internal::truncate};
use serde_json::Value;

use super::{poll, problem::Problem, settings::Settings, stand_ins::Stand};
use crate::{mixture::ReplyKind, random::Random, replies::Replies};

/// What answers.
pub(super) struct Hands {
    replies: Replies,
    random: Random,
    /// The schemas of people's answers, as replies are made from them.
    schemas: Vec<(&'static OutputSchema, Arc<ReplySchema>)>,
}

/// An answer, and what is told of it.
pub(super) struct Answer {
    pub(super) event: Event,
    pub(super) told: Told,
}

/// What a failure tells of an answer.
#[derive(Debug, Clone)]
pub(super) struct Told {
    pub(super) task: &'static str,
    pub(super) attempt: u32,
    pub(super) item: Option<usize>,
    /// What kind of answer it was.
    pub(super) kind: &'static str,
    pub(super) text: String,
}

/// Most milliseconds that an answer takes, unless it takes too long.
const MAX_MILLISECONDS: u64 = 2000;
/// How much of an answer is told.
const MAX_TOLD_BYTES: usize = 200;

impl Hands {
    pub(super) fn new(replies: Replies) -> Self {
        Self { replies, random: Random::seeded(0), schemas: Vec::new() }
    }

    /// Begins anew for a run, as if it were the first one.
    pub(super) fn reseed(&mut self, replies: u64, random: u64) {
        self.replies.reseed(replies);
        self.random = Random::seeded(random);
    }

    /// An answer to one of some directives; none where nothing is asked.
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
            Action::CallModel(call) => self.model(settings, directive, call),
            Action::AskHuman(question) => self.person(settings, directive, question),
            Action::RunFunction(call) => self.function(settings, directive, call)?,
            Action::Sleep { .. } => Answer {
                event: Event::Woken { id: directive.id },
                told: Told::new(directive, "time passed", ""),
            },
        }))
    }

    fn model<P: Process>(
        &mut self,
        settings: &Settings<P>,
        directive: &Directive<P::Task>,
        call: &ModelCall,
    ) -> Answer {
        let (id, kind) = (directive.id, settings.mixture.draw(&mut self.random));
        let told = |kind, text: &str| Told::new(directive, kind, text);
        if let (ReplyKind::TimedOut, Some(elapsed)) = (kind, directive.timeout) {
            let event = Event::TimedOut { id, elapsed };
            return Answer { event, told: told("took too long", "") };
        }
        let elapsed = self.elapsed(directive.timeout);
        let reply = self.replies.answer_of(kind, &call.request).map(|mut reply| {
            if let (ReplyKind::Valid, Some(make)) = (kind, settings.replies.of(directive.task))
                && let Ok(value) = serde_json::from_str(&reply.text)
            {
                reply.text = make(value).to_string();
            }
            reply
        });
        match reply {
            Ok(reply) => {
                let told = told(describe_panic(kind, &reply.finish), &reply.text);
                Answer { event: Event::Replied { id, reply, elapsed }, told }
            }
            Err(error) => {
                let told = told("could not be reached", &error.to_string());
                Answer { event: Event::Failed { id, error, elapsed }, told }
            }
        }
    }

    fn person<P: Process>(
        &mut self,
        settings: &Settings<P>,
        directive: &Directive<P::Task>,
        question: &Question,
    ) -> Answer {
        let (id, kind) = (directive.id, settings.people.draw(&mut self.random));
        let told = |kind, text: &str| Told::new(directive, kind, text);
        if let (ReplyKind::TimedOut, Some(elapsed)) = (kind, directive.timeout) {
            let event = Event::TimedOut { id, elapsed };
            return Answer { event, told: told("a person took too long", "") };
        }
        let schema = self.schema_of(question.schema);
        let answer = match kind {
            ReplyKind::Valid => {
                let valid = self.replies.valid(&schema);
                settings
                    .replies
                    .of(directive.task)
                    .map_or_else(|| valid.clone(), |make| make(valid.clone()))
            }
            ReplyKind::NearlyValid => self.replies.nearly_valid(&schema),
            ReplyKind::Invalid => self.replies.invalid(&schema),
            ReplyKind::Hostile => Value::String(self.replies.hostile(&schema)),
            _ => Value::Null,
        };
        let told = told("a person answered", &answer.to_string());
        Answer { event: Event::Answered { id, answer, elapsed: Duration::ZERO }, told }
    }

    fn schema_of(&mut self, schema: &'static OutputSchema) -> Arc<ReplySchema> {
        if let Some((_, known)) =
            self.schemas.iter().find(|(known, _)| std::ptr::eq(*known, schema))
        {
            return Arc::clone(known);
        }
        let (name, json) = (schema.name().to_owned(), schema.json().clone());
        let made = Arc::new(ReplySchema { name, json });
        self.schemas.push((schema, Arc::clone(&made)));
        made
    }

    fn function<P: Process>(
        &mut self,
        settings: &Settings<P>,
        directive: &Directive<P::Task>,
        call: &FunctionCall,
    ) -> Result<Answer, Problem> {
        let (id, limit) = (directive.id, directive.timeout);
        let told = |kind, text: &str| Told::new(directive, kind, text);
        if self.random.percent(settings.faults.into()) {
            if let (Some(elapsed), true) = (limit, self.random.percent(50)) {
                let event = Event::TimedOut { id, elapsed };
                return Ok(Answer { event, told: told("took too long", "") });
            }
            let (result, elapsed) = (Err(FunctionError::new(FAULT)), self.elapsed(limit));
            let event = Event::Ran { id, result, elapsed };
            return Ok(Answer { event, told: told("failed", FAULT) });
        }
        let elapsed = self.elapsed(limit);
        let result = self.result(settings, directive, call)?;
        let told = match &result {
            Ok(output) => told("returned", &output.to_string()),
            Err(error) => told("failed", &error.to_string()),
        };
        Ok(Answer { event: Event::Ran { id, result, elapsed }, told })
    }

    fn result<P: Process>(
        &mut self,
        settings: &Settings<P>,
        directive: &Directive<P::Task>,
        call: &FunctionCall,
    ) -> Result<Result<Value, FunctionError>, Problem> {
        match settings.functions.of(directive.task) {
            Some(Stand::Function(stand)) => Ok(stand(directive)),
            Some(Stand::Generated(schema)) if !directive.key.is_check() => {
                let known = self.schema_of(schema);
                Ok(Ok(schema.unwrap(self.replies.valid(&known))))
            }
            // It may ask a server: here it accepts.
            _ if directive.key.is_check() => Ok(Ok(Value::Null)),
            _ => match poll::to_the_end(call.run()) {
                Some(Err(error)) if error.is_panic() => {
                    Err(Problem::FunctionPanicked(error.message().to_owned()))
                }
                ended => ended.ok_or(Problem::FunctionWaits),
            },
        }
    }

    fn elapsed(&mut self, limit: Option<Duration>) -> Duration {
        let elapsed = Duration::from_millis(self.random.between(0, MAX_MILLISECONDS));
        limit.map_or(elapsed, |limit| elapsed.min(limit))
    }
}

/// What a function that fails on purpose says.
const FAULT: &str = "the monkey made it fail";

fn describe_panic(kind: ReplyKind, finish: &FinishReason) -> &'static str {
    match (finish, kind) {
        (FinishReason::Length, _) => "was cut off",
        (FinishReason::Refusal, _) => "refused",
        (_, ReplyKind::Valid) => "replied well",
        (_, ReplyKind::NearlyValid) => "replied nearly well",
        (_, ReplyKind::Hostile) => "replied with hostile text",
        _ => "replied wrongly",
    }
}

impl Told {
    fn new(directive: &Directive<impl TaskId>, kind: &'static str, text: &str) -> Self {
        let (attempt, item) = (directive.key.attempt(), directive.key.item());
        let text = truncate(text, MAX_TOLD_BYTES).to_owned();
        Self { task: directive.task.name(), attempt, item, kind, text }
    }
}
