//! The untyped state machine of one run.

use std::{fmt, mem};

use crate::{
    process::{
        child::{ChildRun, DueDirectives, Totals},
        host::{ProcessHost, TemplateId},
        tables::{TaskIndex, TaskKind},
    },
    protocol::{
        directive::CallId,
        event::{Event, EventOutcome},
        run_event::{event::RunEvent, route::Route},
    },
    run::{
        context::{Arrival, RunContext, RunFacts, Visit},
        end::{PhaseHandled, RouteTarget, TaskEnd, TaskFailure},
        phase::{phase::Phase, timer::TimerPhase},
    },
    template::writer::PromptWriter,
    values::{
        catch::catch_panic,
        outcome::{Ending, HaltReason},
        panicked::{Panic, PanicPlace, panic_message},
    },
};

/// Maximum number of consecutive gateways.
const MAX_HOPS: usize = 10_000;

/// One run of a process, without its types.
///
/// ```text
///            start                        end
///   BetweenTasks -> InTask (with a phase) -> BetweenTasks
///                        |
///                        v
///                     Finished
/// ```
pub(crate) struct Run {
    pub(crate) facts: RunFacts,
    pub(crate) position: Position,
}

/// The position of a run.
#[derive(Debug)]
pub(crate) enum Position {
    /// A task is about to start.
    BetweenTasks(Arrival),
    /// A task waits for its result.
    InTask { visit: Visit, phase: Phase },
    /// The run is over.
    Finished(Ending<TaskIndex>),
    /// The position was moved out while a task starts or ends. It stays only if code of the process panics
    /// meanwhile, which halts the run.
    Taken(TaskIndex),
}

/// Polls and events.
impl Run {
    /// Advances the run until it needs the driver, and adds the directives that should be in flight to `due`.
    /// Returns the ending once the run is over. A panic halts the run.
    pub(crate) fn poll(
        &mut self,
        host: &mut dyn ProcessHost,
        due: &mut DueDirectives<'_>,
    ) -> Option<Ending<TaskIndex>> {
        let before = due.len();
        catch_panic(|| self.advance(host, due)).unwrap_or_else(|payload| {
            self.halt_panicked(panic_message(&*payload).unwrap_or_default(), host);
            due.truncate(before);
            self.ending().cloned()
        })
    }

    /// Applies an event. A panic halts the run.
    pub(crate) fn handle(&mut self, event: Event, host: &mut dyn ProcessHost) -> EventOutcome {
        let handled = catch_panic(|| self.apply(event, host));
        handled.unwrap_or_else(|payload| {
            self.halt_panicked(panic_message(&*payload).unwrap_or_default(), host);
            EventOutcome::Applied
        })
    }

    /// Like [`poll`](Self::poll), but does not catch panics.
    pub(crate) fn advance(
        &mut self,
        host: &mut dyn ProcessHost,
        due: &mut DueDirectives<'_>,
    ) -> Option<Ending<TaskIndex>> {
        let mut hops = 0;
        loop {
            let end = match &mut self.position {
                Position::Finished(ending) => return Some(ending.clone()),
                Position::InTask { visit, phase } => {
                    let mut cx = RunContext { facts: &mut self.facts, visit, host };
                    phase.as_dyn_mut().poll(&mut cx, due)?
                }
                Position::BetweenTasks(_) => {
                    hops += 1;
                    self.start_task(hops, host);
                    continue;
                }
                Position::Taken(_) => {
                    self.halt_panicked("the engine lost the position of the run", host);
                    continue;
                }
            };
            self.end_task(end, host);
        }
    }

    /// Like [`handle`](Self::handle), but does not catch panics.
    pub(crate) fn apply(&mut self, event: Event, host: &mut dyn ProcessHost) -> EventOutcome {
        if let (Event::Cancelled { reason }, None) = (&event, self.ending()) {
            let reason = reason.clone();
            return self.cancel(reason, host);
        }
        match &mut self.position {
            Position::Finished(_) => EventOutcome::NotRunning,
            Position::InTask { visit, phase } => {
                let mut cx = RunContext { facts: &mut self.facts, visit, host };
                let PhaseHandled { handled, end } = phase.as_dyn_mut().handle(event, &mut cx);
                if let Some(end) = end {
                    self.end_task(end, host);
                }
                handled
            }
            Position::BetweenTasks(_) | Position::Taken(_) => EventOutcome::Stale,
        }
    }
}

/// Starting and ending tasks.
impl Run {
    /// Moves the position out, leaving [`Position::Taken`]. If code of the process panics before another
    /// position is set, the run halts at that task.
    fn take_position(&mut self) -> Position {
        let task = self.task();
        mem::replace(&mut self.position, Position::Taken(task))
    }

    /// Starts the task at which the run has arrived. `hops` is the number of consecutive starts without a
    /// result, to detect loops.
    fn start_task(&mut self, hops: usize, host: &mut dyn ProcessHost) {
        let Position::BetweenTasks(arrival) = self.take_position() else { return };
        let Arrival { task, inputs, has_waited } = arrival;
        let definition = self.facts.definition.task(task);
        self.facts.current_inputs.clone_from(&inputs);
        if hops > MAX_HOPS {
            // The compiler rejects loops of gateways in which nothing can change, but inputs can change
            // without end.
            let reason = self.facts.exhausted_budget(0).unwrap_or(HaltReason::GatewayLoop);
            return self.halt(task, TaskFailure { reason, attempts: Vec::new() }, host);
        }
        let number = self.facts.visits[task].saturating_add(1);
        let visit = Visit { task, inputs, number };
        if let (Some(duration), false) = (definition.wait, has_waited) {
            host.emit(|| RunEvent::Waiting { task, duration });
            let phase = Phase::Timer(TimerPhase { id: self.facts.new_call() });
            self.position = Position::InTask { visit, phase };
            return;
        }
        if let Some(field) = host.unset_field(task) {
            let reason = HaltReason::Unwritten(field.to_owned());
            return self.halt(task, TaskFailure { reason, attempts: Vec::new() }, host);
        }
        match &definition.kind {
            TaskKind::Gateway => {
                let target = self.facts.route_from(&visit, None, host);
                self.leave_task(task, target, host);
            }
            TaskKind::End => self.end(Ending::End(task), host),
            TaskKind::Fail => self.fail_run(&visit, host),
            kind => self.start_phase(kind, visit, host),
        }
    }

    /// Starts the phase of a task, if the limits allow it.
    fn start_phase(&mut self, kind: &'static TaskKind, visit: Visit, host: &mut dyn ProcessHost) {
        let (facts, task) = (&mut self.facts, visit.task);
        if let Some(reason) = facts.reached_limit() {
            return self.halt(task, TaskFailure { reason, attempts: Vec::new() }, host);
        }
        if let Some(reason) = facts.exhausted_budget(0).filter(|_| kind.info().spends_budget) {
            return self.fail(task, TaskFailure { reason, attempts: Vec::new() }, host);
        }
        facts.visits[task] = visit.number;
        facts.attempt = 1;
        facts.steps += 1;
        host.emit(|| RunEvent::TaskStarted { task, step: facts.steps });
        match Phase::begin(kind, &mut RunContext { facts, visit: &visit, host }) {
            Ok(phase) => self.position = Position::InTask { visit, phase },
            Err(end) => self.end_visit(&visit, end, host),
        }
    }

    /// Ends the current task with the result of its phase.
    fn end_task(&mut self, end: TaskEnd, host: &mut dyn ProcessHost) {
        if let Position::InTask { visit, .. } = self.take_position() {
            self.end_visit(&visit, end, host);
        }
    }

    fn end_visit(&mut self, visit: &Visit, end: TaskEnd, host: &mut dyn ProcessHost) {
        let task = visit.task;
        match end {
            TaskEnd::Waited(arrival) => self.position = Position::BetweenTasks(arrival),
            TaskEnd::Done(target) => self.leave_task(task, target, host),
            TaskEnd::Transition(RouteTarget { target, inputs, route }) => {
                host.emit(|| RunEvent::TaskFinished { task, next: Some(target), route });
                if self.facts.is_alone {
                    return self.finish(Ending::RanOut(task), host);
                }
                self.facts.callers.call(task, visit.inputs.clone(), target);
                self.position = Position::BetweenTasks(Arrival::new(target, inputs));
            }
            TaskEnd::Failed(failure) => self.fail(task, failure, host),
            TaskEnd::Halted(failure) => self.halt(task, failure, host),
        }
    }

    /// Leaves a task after a success, or a gateway.
    fn leave_task(
        &mut self,
        task: TaskIndex,
        target: Option<RouteTarget>,
        host: &mut dyn ProcessHost,
    ) {
        let (next, route) = match &target {
            Some(target) => (Some(target.target), target.route),
            None => (None, Route::Return),
        };
        host.emit(|| RunEvent::TaskFinished { task, next, route });
        match target.filter(|_| !self.facts.is_alone) {
            Some(RouteTarget { target, inputs, .. }) => {
                self.facts.callers.unwind(target);
                self.position = Position::BetweenTasks(Arrival::new(target, inputs));
            }
            None => self.finish(Ending::RanOut(task), host),
        }
    }

    fn fail_run(&mut self, visit: &Visit, host: &mut dyn ProcessHost) {
        let mut writer = PromptWriter::default();
        let scope = self.facts.scope(visit, None);
        match host.write(TemplateId::Fail(visit.task), &scope, &mut writer) {
            Ok(_) => self.end(Ending::Fail(visit.task, writer.finish()), host),
            Err(fmt::Error) => {
                let reason = HaltReason::Template(writer.take_failure());
                self.halt(visit.task, TaskFailure { reason, attempts: Vec::new() }, host);
            }
        }
    }
}

/// Queries about the state of the run.
impl Run {
    pub(crate) const fn ending(&self) -> Option<&Ending<TaskIndex>> {
        match &self.position {
            Position::Finished(ending) => Some(ending),
            _ => None,
        }
    }

    /// Returns the task at which the run is or has ended.
    pub(crate) fn task(&self) -> TaskIndex {
        match &self.position {
            Position::BetweenTasks(arrival) => arrival.task,
            Position::InTask { visit, .. } => visit.task,
            Position::Finished(ending) => ending.task(),
            Position::Taken(task) => *task,
        }
    }

    /// Returns the phase of the current task.
    pub(crate) fn phase(&self) -> Option<&Phase> {
        match &self.position {
            Position::InTask { phase, .. } => Some(phase),
            _ => None,
        }
    }

    /// Returns the sub-process of the current task.
    pub(crate) fn child(&self) -> Option<&dyn ChildRun> {
        self.phase()?.as_dyn().child()
    }

    /// Switches the recording of events on or off in the sub-processes of the current task.
    pub(crate) fn record_children(&mut self, on: bool) {
        if let Position::InTask { phase, .. } = &mut self.position {
            phase.as_dyn_mut().record_children(on);
        }
    }

    /// Returns whether the run is between two tasks, in its sub-process too if it runs one.
    pub(crate) fn is_at_boundary(&self) -> bool {
        matches!(self.position, Position::BetweenTasks(_))
            || self.child().is_some_and(ChildRun::is_at_boundary)
    }

    /// Returns whether the run waits for the answer to a directive.
    pub(crate) fn is_pending(&self, id: CallId) -> bool {
        self.phase().is_some_and(|phase| phase.as_dyn().is_pending(id))
    }

    /// Returns the number of directives that the run waits for.
    pub(crate) fn pending_calls(&self) -> usize {
        self.phase().map_or(0, |phase| phase.as_dyn().pending_calls())
    }

    /// Returns the ids of these directives.
    pub(crate) fn pending_ids(&self) -> Vec<CallId> {
        self.phase().map_or_else(Vec::new, |phase| phase.as_dyn().pending_ids())
    }

    /// Returns the number of model calls in flight.
    pub(crate) fn model_calls(&self) -> usize {
        self.phase().map_or(0, |phase| phase.as_dyn().model_calls())
    }

    /// Returns whether the run or its sub-process waits for a person.
    pub(crate) fn waits_for_person(&self) -> bool {
        self.phase().is_some_and(|phase| phase.as_dyn().waits_for_person())
    }

    /// Returns the consumption of the run, including the running sub-process.
    pub(crate) fn totals(&self) -> Totals {
        let RunFacts { usage, steps, elapsed, last_call, .. } = self.facts;
        let own = Totals { usage, steps, elapsed, last_call };
        let Some(inner) = self.child().map(ChildRun::totals) else { return own };
        Totals {
            usage: usage + inner.usage,
            steps: steps.saturating_add(inner.steps),
            elapsed: elapsed.saturating_add(inner.elapsed),
            last_call,
        }
    }

    /// Returns the report of a panic that was just caught, located in the innermost process whose code was
    /// running.
    pub(crate) fn panic_report(&self, message: &str, place: PanicPlace) -> Panic {
        match self.phase().and_then(|phase| phase.as_dyn().running_child()) {
            Some(child) => child.panic_report(message),
            None => {
                let task = self.facts.name(self.task());
                Panic::new(self.facts.definition.about.name, task, place, message)
            }
        }
    }
}

impl fmt::Debug for Run {
    /// Shows the position only, since prompts and states are long.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Totals { usage, steps, .. } = self.totals();
        let position = match &self.position {
            Position::BetweenTasks(_) => "between tasks",
            Position::InTask { .. } => "in a task",
            Position::Finished(Ending::Halted(_)) => "halted",
            Position::Finished(_) => "finished",
            Position::Taken(_) => "taken",
        };
        f.debug_struct("Run")
            .field("position", &position)
            .field("task", &self.facts.name(self.task()))
            .field("steps", &steps)
            .field("usage", &usage)
            .finish_non_exhaustive()
    }
}
