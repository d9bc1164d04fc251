//! A process that a task of another process runs: a run within the run.

use std::{any::Any, fmt, time::Duration};

use cot_model::Usage;
use cot_schema::Issues;

use super::{
    Directive, Event, Handled, MachineOptions, ResumeOptions, Snapshot, SnapshotError,
    calls::Named,
    core::Core,
    due::Advanced,
    failing::Failed,
    host::Host,
    phase::{Phase, Tries, Visit},
    resume,
    typed::{Notice, Typed},
};
use crate::{
    Failure, Halt, HaltReason, Nested, PanicPlace, Process, blueprint::Definition, outcome::Ending,
};

/// A process that a task runs.
pub struct Child {
    definition: &'static Definition,
    pub(super) host: Box<dyn Typed + Send + Sync>,
    /// What decides; none before it has begun.
    pub(super) core: Option<Core>,
}

impl Child {
    /// A process at its start.
    pub fn new<P: Process>(state: P::State) -> Self {
        let host = Host::<P>::new(state, false);
        Self { definition: P::DEFINITION, host: Box::new(host), core: None }
    }

    /// A process where a snapshot left it.
    ///
    /// # Errors
    ///
    /// As [`Machine::resume`](super::Machine::resume).
    pub fn resume<P: Process>(
        snapshot: Snapshot,
        options: &ResumeOptions,
    ) -> Result<Self, SnapshotError> {
        let (core, host) = resume::restore::<P>(snapshot, options)?;
        Ok(Self { definition: P::DEFINITION, host: Box::new(host), core: Some(core) })
    }

    /// The run as data.
    pub(super) fn snapshot(&self) -> Option<Result<Snapshot, SnapshotError>> {
        Some(self.core.as_ref()?.snapshot(&*self.host))
    }

    fn record(&mut self, on: bool) {
        self.host.record(on);
        if let Some(core) = &mut self.core {
            core.record_child(on);
        }
    }
}

impl fmt::Debug for Child {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Child")
            .field("process", &self.definition.about.name)
            .field("run", &self.core)
            .finish()
    }
}

/// A process within, from its start to its end.
impl Core {
    /// Switches the recording of events of the process within on or off.
    pub(super) fn record_child(&mut self, on: bool) {
        if let Phase::Within { child, .. } = &mut self.phase {
            child.record(on);
        }
    }

    /// Whether requests tell the segments of their prompts, in the process within too.
    pub(super) fn record_segments(&mut self, on: bool) {
        self.records_segments = on;
        if let Phase::Within { child, .. } = &mut self.phase
            && let Some(core) = &mut child.core
        {
            core.record_segments(on);
        }
    }

    /// Begins the process of a task, once more after an attempt that failed.
    pub(super) fn begin_child(&mut self, visit: Visit, tries: Tries, host: &mut dyn Typed) {
        let child = host.begin_process(visit.task, &self.view(&visit, None));
        let Some(mut child) = child else {
            let reason = HaltReason::Template("the start of its process reads inputs".to_owned());
            return self.fail(visit.task, reason, tries.attempts, host);
        };
        child.host.record(host.is_recording());
        let mode = self.options.mock_mode.as_ref();
        let options = MachineOptions {
            mock_mode: mode.map(|mode| mode.within(self.definition.task(visit.task)).clone()),
            fallback: self.options.fallback,
            ..MachineOptions::default()
        };
        let started = Self::start(child.definition, &options, &*child.host, &self.goal);
        match started {
            Ok(mut core) => {
                core.last_call = self.last_call;
                core.inherit(self.left_for(&visit, &tries));
                core.records_segments = self.records_segments;
                child.core = Some(core);
                self.phase = Phase::Within { visit, tries, child: Box::new(child) };
            }
            Err(error) => {
                let reason = HaltReason::Template(format!(
                    "its process {} can't start: {error}",
                    child.definition.about.name
                ));
                self.fail(visit.task, reason, tries.attempts, host);
            }
        }
    }

    /// Lets the process within go on. `None` when it has ended, and its task has been left.
    pub(super) fn advance_child(
        &mut self,
        named: Named,
        host: &mut dyn Typed,
        due: &mut Vec<Directive>,
    ) -> Option<Advanced> {
        let Phase::Within { visit, tries, child } = &mut self.phase else {
            return None;
        };
        let (task, number, attempt) = (visit.task, visit.number, tries.number());
        let core = child.core.as_mut()?;
        let before = due.len();
        let advanced = core.advance(named, &mut *child.host, due);
        self.last_call = core.last_call;
        self.tell_nested(host);
        if let Advanced::Finished(ending) = advanced {
            self.end_child(ending, host);
            return None;
        }
        for directive in &mut due[before..] {
            directive.nest(task, self.visit_key(task, number, attempt));
        }
        Some(advanced)
    }

    /// Hands an event to the process within.
    pub(super) fn handle_child(&mut self, event: Event, host: &mut dyn Typed) -> Handled {
        let Phase::Within { child, .. } = &mut self.phase else {
            return Handled::Stale;
        };
        let Some(core) = child.core.as_mut() else {
            return Handled::Stale;
        };
        let handled = core.handle(event, &mut *child.host);
        self.last_call = core.last_call;
        self.tell_nested(host);
        match handled {
            // It has ended, and the run around it goes on at the next poll.
            Handled::NotRunning => Handled::Stale,
            handled => handled,
        }
    }

    fn tell_nested(&mut self, host: &mut dyn Typed) {
        if let Phase::Within { visit, child, .. } = &mut self.phase {
            for event in child.host.drain_nested() {
                host.notify(Notice::Nested { task: visit.task, event });
            }
        }
    }

    /// Takes over what a process left behind.
    fn end_child(&mut self, ending: Ending<usize>, host: &mut dyn Typed) {
        let Phase::Within { visit, mut tries, child } = self.taken() else {
            return;
        };
        let Child { definition, host: inner, core } = *child;
        let Some(core) = core else {
            return;
        };
        let (usage, elapsed) = (core.usage, core.elapsed);
        self.usage += usage;
        self.steps = self.steps.saturating_add(core.steps);
        self.elapsed = self.elapsed.saturating_add(elapsed);
        tries.spent = tries.spent.saturating_add(elapsed);
        match failure(definition, ending) {
            None => self.take_over(visit, tries, inner.into_state(), (usage, elapsed), host),
            // A function that panics fails, as one with an error does.
            Some(Nested { reason: Some(HaltReason::Panicked(panic)), .. })
                if panic.place != PanicPlace::Function =>
            {
                self.halt(visit.task, HaltReason::Panicked(panic), tries.attempts, host);
            }
            Some(nested) => {
                let issues = Issues::at("$", nested.why.clone());
                let reason = HaltReason::ProcessFailed(Box::new(nested));
                let failed = Failed { failure: Failure::Failed, issues, reason, usage, elapsed };
                self.work_failed(visit, tries, failed, host);
            }
        }
    }

    fn take_over(
        &mut self,
        visit: Visit,
        tries: Tries,
        state: Box<dyn Any>,
        (usage, elapsed): (Usage, Duration),
        host: &mut dyn Typed,
    ) {
        host.take_state(visit.task, state);
        if let Err(issues) = self.commit(&visit, usage, elapsed, host) {
            host.forget_output();
            let (failure, reason) = (Failure::Rejected, HaltReason::Exhausted);
            let failed = Failed { failure, issues, reason, usage, elapsed };
            self.work_failed(visit, tries, failed, host);
        }
    }
}

/// Why the end of a process is a failure of the task that runs it, if it is one.
fn failure(definition: &'static Definition, ending: Ending<usize>) -> Option<Nested> {
    let process = definition.about.name.to_owned();
    let name = |task: usize| definition.task(task).about.name.to_owned();
    match ending {
        Ending::End(_) | Ending::RanOut(_) => None,
        Ending::Fail(task, why) => {
            Some(Nested { process, task: name(task), reason: None, why, attempts: Vec::new() })
        }
        Ending::Halted(Halt { task, reason, attempts }) => Some(Nested {
            process,
            task: name(task),
            why: reason.to_string(),
            reason: Some(reason),
            attempts,
        }),
    }
}
