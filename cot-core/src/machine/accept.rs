//! Replies, from the event to the state.

use std::time::Duration;

use super::{
    Typed,
    core::Core,
    host::Notice,
    phase::{Calling, Phase},
    reply::{Answer, Transition, bounded, interpret, shortened},
};
use crate::{
    Attempt, HaltReason, HistoryEntry, Issues, Usage,
    blueprint::TaskIndex,
    model::{FinishReason, ModelReply},
    reader,
};

/// Retries of a task when neither it nor its process says how many.
const DEFAULT_MAX_RETRIES: u32 = 2;

/// Longest reply that is read: far beyond what a model writes at a time, and what a state could want.
const MAX_READ_BYTES: usize = 1 << 20;

/// What one reply was and cost.
struct Replied<'a> {
    text: &'a str,
    usage: Usage,
    elapsed: Duration,
}

impl Core {
    pub(super) fn replied(
        &mut self,
        call: Calling,
        reply: &ModelReply,
        elapsed: Duration,
        host: &mut dyn Typed,
    ) {
        self.usage += reply.usage;
        let replied = Replied { text: &reply.text, usage: reply.usage, elapsed };
        let (reason, what) = match reply.finish {
            FinishReason::Stop => {
                if let Err(issues) = self.accept(&call, &replied, host) {
                    host.forget_output();
                    self.retry(call, &replied, issues, host);
                }
                return;
            }
            FinishReason::Length => {
                (HaltReason::Truncated, "the reply was cut off by the limit of tokens")
            }
            FinishReason::Refusal => {
                (HaltReason::Refused(shortened(&reply.text)), "the model refused to answer")
            }
        };
        self.give_up(call, &replied, Issues::at("$", what), reason, host);
    }

    pub(super) fn no_reply(
        &mut self,
        call: Calling,
        reason: HaltReason,
        elapsed: Duration,
        host: &mut dyn Typed,
    ) {
        let issues = Issues::at("$", reason.to_string());
        // It was a call, though nobody knows of how many tokens.
        let usage = Usage::of_call(0, 0);
        self.usage += usage;
        let replied = Replied { text: "", usage, elapsed };
        self.give_up(call, &replied, issues, reason, host);
    }

    /// Does what a reply says, wholly or not at all.
    fn accept(
        &mut self,
        call: &Calling,
        replied: &Replied<'_>,
        host: &mut dyn Typed,
    ) -> Result<(), Issues> {
        if replied.text.len() > MAX_READ_BYTES {
            let length = replied.text.len();
            let message =
                format!("the reply has {length} bytes: at most {MAX_READ_BYTES} are read");
            return Err(Issues::at("$", message));
        }
        let value = reader::read(replied.text)?;
        let schema = host.output_schema(call.task);
        let menu = self.menu(call, schema.is_some());
        match interpret(value, &menu)? {
            Answer::Transition(transition) => self.transition(call.task, transition, replied, host),
            Answer::Output(value) => {
                let value = match schema {
                    Some(schema) => schema.validate(&value).map(|()| schema.unwrap(value))?,
                    None => value,
                };
                host.read(call.task, value)?;
                self.commit(call.task, replied, host)
            }
        }
    }

    fn transition(
        &mut self,
        task: TaskIndex,
        transition: Transition,
        replied: &Replied<'_>,
        host: &mut dyn Typed,
    ) -> Result<(), Issues> {
        let Transition { go_to, intent, step_after } = transition;
        if let Some(max) = self.history_limit(task) {
            let (from, to) = (self.name(task), self.name(go_to));
            let entry = HistoryEntry::transition(from, to, &intent, &step_after);
            self.remember(entry.map_err(not_json)?, max, host);
        }
        let Replied { usage, elapsed, .. } = *replied;
        host.notify(Notice::Transitioned { task, go_to, intent, step_after, usage, elapsed });
        self.callers.call(task, go_to);
        self.phase = Phase::At { task: go_to };
        Ok(())
    }

    fn commit(
        &mut self,
        task: TaskIndex,
        replied: &Replied<'_>,
        host: &mut dyn Typed,
    ) -> Result<(), Issues> {
        let limit = self.history_limit(task);
        let entry = match limit {
            Some(_) => Some(self.output_entry(task, host).map_err(not_json)?),
            None => None,
        };
        let chosen = host.commit(task, &self.goal)?;
        if let (Some(entry), Some(max)) = (entry, limit) {
            self.remember(entry, max, host);
        }
        // Guards of `next` see the output, which the notice takes away.
        let next = self.next_task(task, chosen, host);
        host.notify(Notice::Committed { task, usage: replied.usage, elapsed: replied.elapsed });
        host.forget_output();
        self.go(task, next, host);
        Ok(())
    }

    fn retry(
        &mut self,
        mut call: Calling,
        replied: &Replied<'_>,
        issues: Issues,
        host: &mut dyn Typed,
    ) {
        let max_retries = self.ai(call.task).and_then(|ai| ai.max_retries);
        let max_retries =
            max_retries.or(self.definition.max_retries).unwrap_or(DEFAULT_MAX_RETRIES);
        if call.attempt() > max_retries {
            return self.give_up(call, replied, issues, HaltReason::Exhausted, host);
        }
        if let Some((_, reason)) = self.time_left(&call).filter(|(left, _)| left.is_zero()) {
            return self.give_up(call, replied, issues, reason, host);
        }
        note_attempt(&mut call, replied, issues, true, host);
        call.id = self.new_call();
        self.phase = Phase::Calling(call);
    }

    fn give_up(
        &mut self,
        mut call: Calling,
        replied: &Replied<'_>,
        issues: Issues,
        reason: HaltReason,
        host: &mut dyn Typed,
    ) {
        note_attempt(&mut call, replied, issues, false, host);
        self.halt(call.task, reason, call.attempts, host);
    }

    fn output_entry(
        &self,
        task: TaskIndex,
        host: &mut dyn Typed,
    ) -> serde_json::Result<HistoryEntry> {
        HistoryEntry::output(self.name(task), &host.output_json(task)?)
    }

    fn remember(&mut self, entry: HistoryEntry, max: Option<usize>, host: &mut dyn Typed) {
        if let Some(mirror) = host.mirror() {
            mirror.push(entry.clone(), self.definition.state_max_items.or(max));
        }
        self.history.push(entry, max);
    }
}

fn note_attempt(
    call: &mut Calling,
    replied: &Replied<'_>,
    issues: Issues,
    will_retry: bool,
    host: &mut dyn Typed,
) {
    let attempt = Attempt {
        number: call.attempt(),
        reply: shortened(replied.text),
        issues: bounded(issues),
        usage: replied.usage,
        elapsed: replied.elapsed,
    };
    host.notify(Notice::Failed { task: call.task, attempt: &attempt, will_retry });
    call.attempts.push(attempt);
}

fn not_json(error: serde_json::Error) -> Issues {
    Issues::at("$", format!("can't be kept as JSON: {error}"))
}
