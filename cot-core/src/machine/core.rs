//! What decides: one run of any process, without its types.

use std::{collections::BTreeSet, fmt, sync::Arc, time::Duration};

use cot_model::Usage;

use super::{
    Action, CallId, Directive, Event, FunctionCall, Handled, MachineOptions,
    calls::Named,
    due::Advanced,
    limits::Limits,
    phase::{Arrival, Ask, Each, Phase, Visit},
    routing::Callers,
    typed::{Notice, Typed},
};
use crate::{
    Attempt, Halt, HaltReason, History, Inputs, Route,
    blueprint::{Definition, TaskIndex},
    outcome::Ending,
};

/// One run of a process.
pub(super) struct Core {
    pub(super) definition: &'static Definition,
    pub(super) options: MachineOptions,
    /// What the process that runs this one has left.
    pub(super) inherited: Limits,
    /// What the run may consume in all.
    pub(super) limits: Limits,
    pub(super) phase: Phase,
    pub(super) goal: String,
    /// Shared with the snapshots of the run for as long as there are any.
    pub(super) history: Arc<History>,
    pub(super) callers: Callers,
    /// How many times the run has come to each task.
    pub(super) visits: Vec<u32>,
    /// Whether the run is of one task alone.
    pub(super) is_alone: bool,
    /// What was delivered to the task that is being run.
    pub(super) delivered: Option<Inputs>,
    /// The last failure for which there was a route.
    pub(super) last_failure: Option<Halt<TaskIndex>>,
    /// The tasks that have gone elsewhere because the budget is used up. It stays so: a second time
    /// would be the beginning of a circle.
    pub(super) out_of_budget: BTreeSet<TaskIndex>,
    pub(super) usage: Usage,
    pub(super) steps: u64,
    pub(super) elapsed: Duration,
    pub(super) last_call: u64,
    /// Size of the last prompt of each task: the next one will be about as long.
    pub(super) prompt_sizes: Vec<usize>,
    /// Whether requests tell the segments of their prompts.
    pub(super) records_segments: bool,
}

impl Core {
    pub(super) fn ending(&self) -> Option<&Ending<TaskIndex>> {
        match &self.phase {
            Phase::Finished { ending } => Some(ending),
            _ => None,
        }
    }

    /// Whether the run, and a process within it, is between two tasks.
    pub(super) fn is_at_boundary(&self) -> bool {
        match &self.phase {
            Phase::At(_) => true,
            Phase::Within { child, .. } => child.core.as_ref().is_some_and(Self::is_at_boundary),
            _ => false,
        }
    }

    /// Whether the run, or a process within it, waits for a person.
    pub(super) fn waits_for_person(&self) -> bool {
        match &self.phase {
            Phase::Asking { .. } => self.checking().is_none(),
            Phase::Within { child, .. } => child.core.as_ref().is_some_and(Self::waits_for_person),
            _ => false,
        }
    }

    /// Advances until the driver is needed, and adds the named directives that it waits for to `due`.
    pub(super) fn advance(
        &mut self,
        named: Named,
        host: &mut dyn Typed,
        due: &mut Vec<Directive>,
    ) -> Advanced {
        let mut hops = 0;
        loop {
            if let Some(advanced) = self.poll_phase(named, host, due) {
                return advanced;
            }
            match self.arrived() {
                Some(arrival) => {
                    hops += 1;
                    self.enter(arrival, hops, host);
                }
                None => hops = 0,
            }
        }
    }

    /// The task that is about to start, if the run stands between two.
    fn arrived(&mut self) -> Option<Arrival> {
        if !matches!(self.phase, Phase::At(_)) {
            return None;
        }
        match self.taken() {
            Phase::At(arrival) => Some(arrival),
            _ => None,
        }
    }

    /// Adds what the driver has to do to `due`, if the run waits for it or is over; prepares it otherwise.
    fn poll_phase(
        &mut self,
        named: Named,
        host: &mut dyn Typed,
        due: &mut Vec<Directive>,
    ) -> Option<Advanced> {
        match &self.phase {
            Phase::Finished { ending } => return Some(Advanced::Finished(ending.clone())),
            Phase::Each(_) => return self.due_each(named, host, due),
            Phase::Within { .. } => return self.advance_child(named, host, due),
            _ => {}
        }
        let directive = self.due(host)?;
        if named.includes(directive.id) {
            due.push(directive);
        }
        Some(Advanced::Waiting)
    }

    /// What the driver has to do for a task that does one thing at a time.
    fn due(&mut self, host: &mut dyn Typed) -> Option<Directive> {
        if self.checking().is_some() {
            return self.due_check(host);
        }
        match &self.phase {
            Phase::Waiting { arrival, id } => Some(self.timer(arrival.task, *id)),
            Phase::Calling { visit, ask } => match (&ask.request, &ask.mock) {
                (Some(_), Some(mock)) => {
                    let mocked = Action::RunFunction(FunctionCall::ready(Ok(mock.clone())));
                    Some(self.directive(visit, (ask.id, ask.tries.number()), None, mocked))
                }
                (Some(request), None) => {
                    Some(self.model_call(visit, ask, request, self.elapsed, host))
                }
                (None, _) => {
                    self.write_request(host);
                    None
                }
            },
            Phase::Running { .. } => self.due_code(host),
            Phase::Asking { .. } => self.due_question(host),
            Phase::Taken { .. } => {
                self.halt_panicked("the engine did not put back where the run stands", host);
                None
            }
            Phase::At(_) | Phase::Finished { .. } | Phase::Each(_) | Phase::Within { .. } => None,
        }
    }

    /// Takes in what happened.
    pub(super) fn handle(&mut self, event: Event, host: &mut dyn Typed) -> Handled {
        if self.ending().is_some() {
            return Handled::NotRunning;
        }
        if let Event::Cancelled { reason } = event {
            return self.cancel(reason, host);
        }
        if matches!(self.phase, Phase::Within { .. }) {
            return self.handle_child(event, host);
        }
        if let (Some(_), Event::Replied { .. } | Event::Failed { .. } | Event::Answered { .. }) =
            (self.checking(), &event)
        {
            // The reply was taken in: its check is waited for.
            return Handled::Stale;
        }
        match event {
            Event::Replied { id, reply, elapsed } => self.asked(id, elapsed, |core, asked| {
                core.replied(asked, &reply, elapsed, host);
            }),
            Event::Failed { id, error, elapsed } => self.asked(id, elapsed, |core, asked| {
                core.no_reply(asked, HaltReason::Unreachable(error), elapsed, host);
            }),
            Event::Ran { id, result, elapsed } => self.ran(id, result, elapsed, host),
            Event::Answered { id, answer, elapsed } => self.answered(id, answer, elapsed, host),
            Event::Woken { id } => self.woken(id),
            Event::TimedOut { id, elapsed } => self.timed_out(id, elapsed, host),
            // Handled above.
            Event::Cancelled { .. } => Handled::Stale,
        }
    }

    fn timed_out(&mut self, id: CallId, elapsed: Duration, host: &mut dyn Typed) -> Handled {
        // Said before the time is added up, from the limits that the driver was given.
        let reason = self.what_times_out(id);
        match &self.phase {
            Phase::Calling { ask, .. } if ask.checking.is_some() => {
                self.check_timed_out(id, reason, elapsed, host)
            }
            Phase::Calling { .. } | Phase::Each(_) => self.asked(id, elapsed, |core, asked| {
                core.no_reply(asked, reason, elapsed, host);
            }),
            _ => self.work_timed_out(id, reason, elapsed, host),
        }
    }

    fn woken(&mut self, woken: CallId) -> Handled {
        let Phase::Waiting { arrival, id } = &self.phase else {
            return self.paused(woken);
        };
        if *id != woken {
            return Handled::Stale;
        }
        let mut arrival = arrival.clone();
        arrival.has_waited = true;
        self.phase = Phase::At(arrival);
        Handled::Applied
    }

    /// Runs `then` with what an event answers, if that is under way.
    pub(super) fn asked(
        &mut self,
        id: CallId,
        elapsed: Duration,
        then: impl FnOnce(&mut Self, Asked),
    ) -> Handled {
        let asked = match &mut self.phase {
            Phase::Calling { ask, .. } if ask.id == id => self.take_asked(elapsed),
            Phase::Each(each) if each.ask(id).is_some() => self.take_asked_of_each(id, elapsed),
            _ => None,
        };
        let Some(asked) = asked else {
            return Handled::Stale;
        };
        then(self, asked);
        Handled::Applied
    }

    fn take_asked(&mut self, elapsed: Duration) -> Option<Asked> {
        let Phase::Calling { visit, mut ask } = self.taken() else {
            return None;
        };
        ask.tries.spent = ask.tries.spent.saturating_add(elapsed);
        ask.request = None;
        self.elapsed = self.elapsed.saturating_add(elapsed);
        Some(Asked { visit, ask, others: None })
    }
}

/// What an event answers.
pub(super) struct Asked {
    pub(super) visit: Visit,
    pub(super) ask: Ask,
    /// The rest of a for-each task, and the lane of the call.
    pub(super) others: Option<(Each, usize)>,
}

/// The end.
impl Core {
    fn cancel(&mut self, reason: String, host: &mut dyn Typed) -> Handled {
        self.add_up();
        self.delivered = self.phase.inputs().cloned();
        let task = self.phase.task();
        let attempts = self.taken().into_attempts();
        self.halt(task, HaltReason::Cancelled(reason), attempts, host);
        Handled::Applied
    }

    /// Takes over what a process within has consumed so far.
    pub(super) fn add_up(&mut self) {
        (self.usage, self.steps) = (self.total_usage(), self.total_steps());
        self.elapsed = self.total_elapsed();
    }

    /// Takes the phase out.
    pub(super) fn taken(&mut self) -> Phase {
        let (task, attempts) = (self.phase.task(), self.phase.attempts().to_vec());
        std::mem::replace(&mut self.phase, Phase::Taken { task, attempts })
    }

    pub(super) fn halt(
        &mut self,
        task: TaskIndex,
        reason: HaltReason,
        attempts: Vec<Attempt>,
        host: &mut dyn Typed,
    ) {
        host.notify(Notice::Left { task, next: None, route: Route::End });
        self.finish(Ending::Halted(Halt { task, reason, attempts }), host);
    }

    pub(super) fn finish(&mut self, ending: Ending<TaskIndex>, host: &mut dyn Typed) {
        let (usage, elapsed) = (self.usage, self.elapsed);
        host.notify(Notice::Finished { ending: &ending, usage, elapsed });
        self.phase = Phase::Finished { ending };
    }
}

impl fmt::Debug for Core {
    /// Where the run stands; prompts and states are too long to be shown.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let phase = match &self.phase {
            Phase::At(_) => "at",
            Phase::Waiting { .. } => "waiting",
            Phase::Calling { .. } | Phase::Each(_) => "calling",
            Phase::Running { .. } => "running",
            Phase::Asking { .. } => "asking",
            Phase::Within { .. } => "within",
            Phase::Finished { ending: Ending::Halted(_) } => "halted",
            Phase::Finished { .. } => "finished",
            Phase::Taken { .. } => "taken",
        };
        f.debug_struct("Run")
            .field("phase", &phase)
            .field("task", &self.name(self.phase.task()))
            .field("steps", &self.total_steps())
            .field("usage", &self.total_usage())
            .finish_non_exhaustive()
    }
}
