//! What models are asked, and what their replies mean.

use std::{sync::Arc, time::Duration};

use cot_model::{FinishReason, ModelReply, ModelRequest, Usage};
use cot_reader::internal::{Chosen, Rejected, Repairs, choose};
use cot_schema::{Issues, internal::Given};
use serde_json::Value;

use super::{
    core::{Asked, Core},
    expected::Expected,
    failing::Tried,
    phase::{Ask, Phase, Visit},
    reply::{Answer, Menu, reasoned, shortened},
    typed::{Notice, Typed},
};
use crate::{
    Failure, HaltReason,
    blueprint::TaskIndex,
    engine::prompt::assemble::{Question, assemble},
};

/// Longest reply that is read: far beyond what a model writes at a time, and what a state could want.
const MAX_READ_BYTES: usize = 1 << 20;

/// What one reply was and cost.
#[derive(Clone, Copy)]
pub(super) struct Replied<'a> {
    pub(super) text: &'a str,
    pub(super) usage: Usage,
    pub(super) elapsed: Duration,
}

/// Questions.
impl Core {
    /// Writes the request of the call that is under way.
    pub(super) fn write_request(&mut self, host: &mut dyn Typed) {
        let Phase::Calling { visit, mut ask } = self.taken() else {
            return;
        };
        match self.prepare(&visit, &mut ask, host) {
            Ok(()) => self.phase = Phase::Calling { visit, ask },
            Err(why) => {
                self.halt(visit.task, HaltReason::Template(why), ask.tries.attempts, host);
            }
        }
    }

    /// Writes what is asked, and the synthetic answer where one stands for the model's.
    pub(super) fn prepare(
        &mut self,
        visit: &Visit,
        ask: &mut Ask,
        host: &mut dyn Typed,
    ) -> Result<(), String> {
        let request = Arc::new(self.request(visit, ask, host)?);
        let (task, item, attempt) = (visit.task, ask.item, ask.tries.number());
        self.prompt_sizes[task] = request.prompt().len();
        host.notify(Notice::Prompt { task, item, attempt, request: &request });
        ask.mock = self.mock(visit, ask.item, host)?;
        ask.request = Some(request);
        Ok(())
    }

    fn request(&self, visit: &Visit, ask: &Ask, host: &dyn Typed) -> Result<ModelRequest, String> {
        assemble(&self.asking(visit, ask), host)
    }

    /// What a prompt is to be written for.
    pub(super) fn asking<'a>(&'a self, visit: &'a Visit, ask: &'a Ask) -> Question<'a> {
        Question {
            definition: self.definition,
            task: visit.task,
            visible: &ask.visible,
            issues: ask.tries.last_rejected().map(|attempt| &attempt.issues),
            view: self.view(visit, ask.item),
            size: self.prompt_sizes[visit.task],
            records_segments: self.records_segments,
        }
    }
}

/// Replies.
impl Core {
    pub(super) fn replied(
        &mut self,
        asked: Asked,
        reply: &ModelReply,
        elapsed: Duration,
        host: &mut dyn Typed,
    ) {
        let usage = reply.usage.counted();
        self.usage += usage;
        let replied = Replied { text: &reply.text, usage, elapsed };
        let (failure, reason, what) = match reply.finish {
            FinishReason::Stop => return self.said(asked, replied, host),
            FinishReason::Length => {
                let what = "the reply was cut off by the limit of tokens";
                (Failure::Truncated, HaltReason::Truncated, what)
            }
            FinishReason::Refusal => {
                let reason = HaltReason::Refused(shortened(&reply.text));
                (Failure::Refused, reason, "the model refused to answer")
            }
        };
        let tried = Tried::of(failure, replied, Issues::at("$", what));
        self.not_answered(asked, tried, reason, host);
    }

    pub(super) fn no_reply(
        &mut self,
        asked: Asked,
        reason: HaltReason,
        elapsed: Duration,
        host: &mut dyn Typed,
    ) {
        let issues = Issues::at("$", reason.to_string());
        // It was a call, though nobody knows of how many tokens.
        let usage = Usage::of_call(0, 0);
        self.usage += usage;
        let failure = match reason {
            HaltReason::Unreachable(_) => Failure::Unreachable,
            _ => Failure::TimedOut,
        };
        let tried = Tried::of(failure, Replied { text: "", usage, elapsed }, issues);
        self.not_answered(asked, tried, reason, host);
    }

    /// A reply that came to its natural end.
    fn said(&mut self, asked: Asked, replied: Replied<'_>, host: &mut dyn Typed) {
        let accepted = match &asked.others {
            None => self.accept(&asked.visit, &asked.ask, replied, host),
            Some(_) => self.read_item(&asked, replied, host),
        };
        match (accepted, asked) {
            (Ok(Accepted::Left), _) => {}
            (Ok(Accepted::Item(value)), asked) => self.item_done(asked, value, replied, host),
            (Ok(Accepted::Unchecked(value)), asked) => self.check_reply(asked, value, replied),
            (Err(issues), asked) => {
                host.forget_output();
                self.rejected(asked, replied, issues, host);
            }
        }
    }

    /// Does what a reply says, wholly or not at all.
    fn accept(
        &mut self,
        visit: &Visit,
        ask: &Ask,
        replied: Replied<'_>,
        host: &mut dyn Typed,
    ) -> Result<Accepted, Issues> {
        match self.interpret(visit, ask, replied, host)? {
            Answer::Transition(transition) => self.transition(visit, transition, replied, host)?,
            Answer::Output(given) if host.checks_later(visit.task) => {
                let value = given.into_value();
                let given = Given::Value(value.clone());
                host.read(visit.task, given, &self.view(visit, None))?;
                host.forget_output();
                return Ok(Accepted::Unchecked(value));
            }
            Answer::Output(given) => {
                host.read(visit.task, given, &self.view(visit, None))?;
                self.commit(visit, replied.usage, replied.elapsed, host)?;
            }
        }
        Ok(Accepted::Left)
    }

    fn read_item(
        &self,
        asked: &Asked,
        replied: Replied<'_>,
        host: &mut dyn Typed,
    ) -> Result<Accepted, Issues> {
        let Asked { visit, ask, .. } = asked;
        match self.interpret(visit, ask, replied, host)? {
            // The menu of a for-each task offers none.
            Answer::Transition(_) => Err(Issues::at("$", "this task has no transitions")),
            Answer::Output(given) => {
                let value = given.into_value();
                let given = Given::Value(value.clone());
                host.check_item(visit.task, given, &self.view(visit, ask.item))?;
                Ok(Accepted::Item(value))
            }
        }
    }

    /// What a reply means; an output fits its schema then.
    fn interpret<'t>(
        &self,
        visit: &Visit,
        ask: &Ask,
        replied: Replied<'t>,
        host: &mut dyn Typed,
    ) -> Result<Answer<'t>, Issues> {
        if replied.text.len() > MAX_READ_BYTES {
            let length = replied.text.len();
            let message =
                format!("the reply has {length} bytes: at most {MAX_READ_BYTES} are read");
            return Err(Issues::at("$", message));
        }
        if self.reasons(visit.task) {
            return reasoned(replied.text);
        }
        let expected = self.expected(visit.task, ask, host);
        if let Some(answer) = expected.plain(replied.text) {
            return Ok(answer);
        }
        match choose(replied.text, &expected, true) {
            Ok(Chosen { value, repairs }) => {
                self.tell_repairs(visit, ask, repairs, host);
                expected.answer(value)
            }
            Err(Rejected { issues, repairs, value }) => {
                self.tell_repairs(visit, ask, repairs, host);
                let value = value.and_then(|value| expected.checkable(*value));
                Err(self.with_checks(visit, ask, issues, value, host))
            }
        }
    }

    fn expected<'a>(&self, task: TaskIndex, ask: &'a Ask, host: &dyn Typed) -> Expected<'a> {
        let output = host.output_schema(task);
        let transitions = self.ai(task).map_or(&[][..], |ai| ai.transitions);
        let (tasks, visible) = (self.definition.tasks, &*ask.visible);
        let menu = Menu { tasks, transitions, visible, has_output: output.is_some() };
        Expected { menu, output }
    }

    fn tell_repairs(&self, visit: &Visit, ask: &Ask, repairs: Repairs, host: &mut dyn Typed) {
        if !repairs.is_empty() {
            let (task, item, attempt) = (visit.task, ask.item, ask.tries.number());
            host.notify(Notice::Repaired { task, item, attempt, repairs });
        }
    }

    /// All that is wrong with a value, also what the process itself finds.
    fn with_checks(
        &self,
        visit: &Visit,
        ask: &Ask,
        mut issues: Issues,
        value: Option<Value>,
        host: &mut dyn Typed,
    ) -> Issues {
        let Some(value) = value else {
            return issues;
        };
        let view = self.view(visit, ask.item);
        let checked = match ask.item {
            Some(_) => host.check_item(visit.task, Given::Value(value), &view),
            None => host.read(visit.task, Given::Value(value), &view),
        };
        issues.extend(checked.err().into_iter().flatten());
        issues
    }
}

/// What became of a reply.
enum Accepted {
    /// The task has been left.
    Left,
    /// It is the output for one item.
    Item(Value),
    /// It is an output that an async `check` has yet to look at.
    Unchecked(Value),
}
