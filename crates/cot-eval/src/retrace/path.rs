//! The course of one run in this build, driven by the events of its journal.

use cot_engine::{
    Action, CallId, Directive, Event, EventOutcome, Machine, MachinePoll, Process, TaskId as _,
};
use cot_model::{PartName, PromptSegments};
use cot_store::{CallInfo, EventRecord};
use serde_json::Value;

use super::retraced::{Course, Divergence};

/// A run of this build that receives what a run of another build received.
pub(super) struct Path<P: Process> {
    machine: Machine<P>,
    /// The task that was asked last, for what follows it.
    last: Option<(String, u32)>,
}

/// What is wrong with an event, as the end of the path.
type Left = Course;

impl<P: Process> Path<P> {
    pub(super) const fn new(machine: Machine<P>) -> Self {
        Self { machine, last: None }
    }

    /// Tells the run the next event of the journal. An error is where the path is left.
    pub(super) fn follow(&mut self, record: EventRecord) -> Result<(), Left> {
        let EventRecord { asked, event, .. } = record;
        let directive = match (&asked, &event) {
            (_, Event::Cancelled { .. }) => None,
            (Some(asked), _) => Some(self.asked(asked)?),
            (None, _) => Some(self.sleeping()?),
        };
        if let (Some(asked), Some(directive)) = (&asked, &directive) {
            self.last = Some((asked.key.task().to_owned(), asked.key.attempt()));
            if let (Some(then), Action::CallModel(call)) = (&asked.prompt, &directive.action) {
                compare(asked, then, &call.request.segments())?;
            }
        }
        let event = match directive {
            Some(directive) => with_id(event, directive.id),
            None => event,
        };
        match self.machine.handle(event) {
            EventOutcome::Applied | EventOutcome::Refused(_) => Ok(()),
            _ => Err(Course::Unclear("an event of its journal has no effect".to_owned())),
        }
    }

    /// Compares the end of the run, or where it stands. `ended` is the task at which it ended, and its last state.
    pub(super) fn arrive(mut self, ended: Option<(String, Value)>) -> Course {
        let (ended, state) = ended.unzip();
        let ended = ended.as_deref();
        let now = match self.machine.poll() {
            MachinePoll::Finished(_) => None,
            other => Some(described(other.directives())),
        };
        let end = self.machine.ending().map(|ending| ending.task().name());
        let (then, now) = match (ended, end, now) {
            (Some(then), Some(now), _) if then != now => {
                (format!("it ended at `{then}`"), format!("it ends at `{now}`"))
            }
            (Some(then), None, Some(asks)) => (format!("it ended at `{then}`"), asks),
            (None, Some(now), _) => ("it had not ended".to_owned(), format!("it ends at `{now}`")),
            (Some(_), Some(_), _) => match (state, self.state()) {
                (Some(then), Some(now)) if then != now => (then.to_string(), now.to_string()),
                _ => return Course::Same,
            },
            _ => return Course::Same,
        };
        self.differs(then, now)
    }

    /// Returns the state of the run as JSON.
    fn state(&self) -> Option<Value> {
        let snapshot = self.machine.snapshot().ok()?;
        serde_json::from_str(snapshot.state().get()).ok()
    }

    /// Finds the call that an event answers.
    fn asked(&mut self, asked: &CallInfo) -> Result<Directive<P::Task>, Left> {
        let directives = self.machine.poll().directives();
        if let Some(found) = directives.iter().find(|known| known.key == asked.key) {
            return Ok(found.clone());
        }
        let (task, attempt) = (asked.key.task().to_owned(), asked.key.attempt());
        let now = match directives {
            [] => match self.machine.ending().map(|ending| ending.task().name()) {
                Some(end) => format!("it ends at `{end}`"),
                None => "it asks nothing".to_owned(),
            },
            directives => described(directives),
        };
        let then = format!("it asked {}", asked.key);
        Err(Course::Differs(Divergence { task, attempt, part: None, then, now }))
    }

    /// Finds the timer that has ended. Journals do not say which one.
    fn sleeping(&mut self) -> Result<Directive<P::Task>, Left> {
        let directives = self.machine.poll().directives();
        if let Some(found) = directives.iter().find(|known| known.is_sleep()) {
            return Ok(found.clone());
        }
        let now = described(directives);
        Err(self.differs("it waited for a timer".to_owned(), now))
    }

    fn differs(&self, then: String, now: String) -> Course {
        let (task, attempt) = self.last.clone().unwrap_or_else(|| (String::from("the start"), 1));
        Course::Differs(Divergence { task, attempt, part: None, then, now })
    }
}

/// Describes what a run asks.
fn described<T>(directives: &[Directive<T>]) -> String {
    match directives {
        [] => "it asks nothing".to_owned(),
        [first] => format!("it asks {}", first.key),
        [first, others @ ..] => format!("it asks {} and {} more", first.key, others.len()),
    }
}

/// Compares the prompt of a call with that of this build, part by part.
fn compare(asked: &CallInfo, then: &PromptSegments, now: &PromptSegments) -> Result<(), Left> {
    let differs = |part, then, now| {
        let (task, attempt) = (asked.key.task().to_owned(), asked.key.attempt());
        Err(Course::Differs(Divergence { task, attempt, part, then, now }))
    };
    let [parts, parts_now] = [then, now].map(parts);
    // A part that moves has other line breaks around it, which say less than its place.
    if parts != parts_now && parts.iter().all(|part| parts_now.contains(part)) {
        let order = |parts: &[PartName]| {
            let names: Vec<&str> = parts.iter().map(|part| part.as_str()).collect();
            format!("the parts are in the order {}", names.join(", "))
        };
        return differs(None, order(&parts), order(&parts_now));
    }
    for part in parts.into_iter().chain(parts_now) {
        let text = |prompt: &PromptSegments| -> String {
            let segments = prompt.iter().filter(|segment| segment.part == part);
            segments.map(|segment| &*segment.text).collect()
        };
        let (then, now) = (text(then), text(now));
        if then != now {
            return differs(Some(part), then, now);
        }
    }
    Ok(())
}

/// Returns the parts of a prompt in their order.
fn parts(prompt: &PromptSegments) -> Vec<PartName> {
    let mut parts: Vec<PartName> = prompt.iter().map(|segment| segment.part).collect();
    parts.dedup();
    parts
}

/// Returns an event as the answer to a call of this run.
fn with_id(mut event: Event, call: CallId) -> Event {
    match &mut event {
        Event::Replied { id, .. }
        | Event::Failed { id, .. }
        | Event::Ran { id, .. }
        | Event::Answered { id, .. }
        | Event::TimedOut { id, .. }
        | Event::Woken { id }
        | Event::Started { id }
        | Event::Interrupted { id } => *id = call,
        Event::Cancelled { .. } => {}
    }
    event
}
