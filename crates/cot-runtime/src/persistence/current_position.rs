//! Determines the position of a run.

use std::{
    collections::BTreeSet,
    time::{Duration, UNIX_EPOCH},
};

use cot_engine::{
    Action, CallId, Directive, MachinePoll,
    internal::{AnyMachine, Definition},
};
use cot_store::Status;

use super::{
    journal_writer::JournalWriter,
    parking::MIN_PARKED_TIME,
    position::{Position, RecordedWait, Seen},
    status::asking_status,
    wait::Wait,
};
use crate::clock;

/// The time since 1970 that represents times beyond the range of clocks and stores.
const FAR_FUTURE: Duration = Duration::from_millis(1 << 62);

/// What a poll lists.
#[derive(Default)]
struct Listed {
    /// The questions that are not closed, apart from the open one unless it is listed.
    questions: BTreeSet<CallId>,
    /// Whether a timer starts now.
    has_new_timer: bool,
    /// Whether that timer is long.
    has_new_long_timer: bool,
}

impl JournalWriter {
    /// Returns the position of a run. A run that asks is in that wait although other calls may be in flight.
    pub(crate) fn current_position(
        &mut self,
        machine: &mut dyn AnyMachine,
        seen: Seen<'_>,
    ) -> Position {
        let definition = machine.definition();
        let mut listed = Listed::default();
        match machine.poll_after(seen.newest) {
            MachinePoll::Finished(_) => return Position::Ended,
            poll => self.list(poll.directives(), definition, &mut listed),
        }
        listed.questions.extend(seen.held.iter().filter(|id| machine.is_pending(**id)));
        // Without concurrent calls, what follows the question makes a step due.
        self.is_due |= self.waits.retain_pending(machine) && seen.newest.is_some();
        self.is_due |= listed.has_new_long_timer;
        let mut is_new_question = false;
        if self.waits.question().is_none()
            && let Some(id) = listed.questions.first().copied()
            && let [directive] = machine.poll_only(Some(id)).directives()
        {
            is_new_question = true;
            self.waits.ask(id, question_wait(directive, definition));
        }
        let open = self.waits.question();
        let is_extra = open.is_some_and(|(id, _)| !listed.questions.contains(&id));
        let waiting = self.waits.timers().len() + listed.questions.len() + usize::from(is_extra);
        let is_busy = machine.pending_calls() > waiting;
        let next = self.waits.next_timer();
        let (status, recorded, is_new) = if let Some((id, wait)) = open
            && let [directive] = machine.poll_only(Some(id)).directives()
            && let Action::AskHuman(question) = &directive.action
        {
            let due = if is_busy { Some(wait.since) } else { next.and_then(|timer| timer.until) };
            let status = asking_status(directive, question, wait, due);
            (status, RecordedWait::Asking(id, due), is_new_question)
        } else if let Some(Wait { task, since, until, .. }) = next.filter(|_| !is_busy) {
            let (task, until) = (task.to_owned(), until.unwrap_or(since));
            let status = Status::Sleeping { task, until };
            (status, RecordedWait::Sleeping(until), listed.has_new_timer)
        } else {
            self.recorded = RecordedWait::None;
            return Position::Running;
        };
        self.is_due |= self.recorded != recorded;
        self.recorded = recorded;
        Position::Waiting(status, is_new)
    }

    /// Starts the waits for the timers among new directives, and collects the questions.
    fn list(
        &mut self,
        directives: &[Directive],
        definition: &'static Definition,
        listed: &mut Listed,
    ) {
        for directive in directives {
            match &directive.action {
                Action::AskHuman(_) => drop(listed.questions.insert(directive.id)),
                Action::Sleep { duration, jitter } => {
                    if self.waits.timers().contains_key(&directive.id) {
                        continue;
                    }
                    let longest = duration.saturating_add(*jitter);
                    listed.has_new_timer = true;
                    listed.has_new_long_timer |= longest > MIN_PARKED_TIME;
                    self.waits.add_timer(directive.id, timer_wait(directive, definition, longest));
                }
                Action::CallModel(_) | Action::RunFunction(_) => {}
            }
        }
    }
}

fn question_wait(directive: &Directive, definition: &'static Definition) -> Wait {
    let since = clock::now();
    let until = directive.timeout.and_then(|limit| since.checked_add(limit));
    let task = definition.task(directive.task).about.name;
    Wait { task, since, until, is_resumed: false }
}

fn timer_wait(directive: &Directive, definition: &'static Definition, longest: Duration) -> Wait {
    let since = clock::now();
    let far_future = || UNIX_EPOCH.checked_add(FAR_FUTURE);
    let until = since.checked_add(longest).or_else(far_future);
    let task = definition.task(directive.task).about.name;
    Wait { task, since, until, is_resumed: false }
}
