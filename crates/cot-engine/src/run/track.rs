//! Moves a run, or one of its branches, from task to task.

use std::{fmt, mem};

use cot_model::internal::panic_message;

use crate::{
    process::{
        child::DueDirectives,
        host::{ProcessHost, TemplateId},
        tables::{TaskIndex, TaskKind},
    },
    protocol::{
        event::{Event, EventOutcome},
        run_event::{event::RunEvent, route::Route},
    },
    run::{
        context::{Arrival, RunContext, RunFacts, Visit},
        end::{PhaseHandled, RouteTarget, TaskEnd, TaskFailure},
        phase::{phase::Phase, timer::TimerPhase},
        position::Position,
    },
    values::{
        catch::catch_panic,
        outcome::{Ending, HaltReason},
    },
};
use cot_template::PromptWriter;

/// Maximum number of consecutive gateways.
const MAX_HOPS: usize = 10_000;

/// The moving part of a run: a position over the facts of the run.
///
/// ```text
///            start                        end
///   BetweenTasks -> InTask (with a phase) -> BetweenTasks
///                        |
///                        v
///                     Finished
/// ```
///
/// A run has one track, and one more for each branch in flight. That of a branch stops before the task at which
/// the branches join.
pub(crate) struct Track<'a> {
    pub(crate) facts: &'a mut RunFacts,
    pub(crate) position: &'a mut Position,
    /// The task at which a branch ends; `None` for the track of the run.
    pub(crate) join: Option<TaskIndex>,
}

/// How far a track has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Progress {
    /// It waits for the driver.
    Waiting,
    /// The branch has arrived at the join.
    Joined,
    /// It is over.
    Over,
}

/// Polls and events.
impl Track<'_> {
    /// Advances until the driver is needed, and adds the directives that should be in flight to `due`. A panic
    /// halts the track.
    pub(crate) fn poll(
        &mut self,
        host: &mut dyn ProcessHost,
        due: &mut DueDirectives<'_>,
    ) -> Progress {
        let before = due.len();
        catch_panic(|| self.advance(host, due)).unwrap_or_else(|payload| {
            self.halt_panicked(panic_message(&*payload).unwrap_or_default(), host);
            due.truncate(before);
            Progress::Over
        })
    }

    /// Applies an event. A panic halts the track.
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
    ) -> Progress {
        let mut hops = 0;
        loop {
            let end = match &mut *self.position {
                Position::Finished(_) => return Progress::Over,
                Position::InTask { visit, phase } => {
                    let mut cx = RunContext { facts: self.facts, visit, host };
                    match phase.as_dyn_mut().poll(&mut cx, due) {
                        Some(end) => end,
                        None => return Progress::Waiting,
                    }
                }
                Position::BetweenTasks(arrival) if self.join == Some(arrival.task) => {
                    return Progress::Joined;
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
        if let (Event::Cancelled { reason, calls }, None) = (&event, self.position.ending()) {
            self.facts.drop_model_calls(*calls);
            return self.cancel(reason.clone(), host);
        }
        match &mut *self.position {
            Position::Finished(_) => EventOutcome::NotRunning,
            Position::InTask { visit, phase } => {
                let once = self.facts.once.after(&event);
                let is_answer = matches!(event, Event::Answered { .. });
                let mut cx = RunContext { facts: self.facts, visit, host };
                let PhaseHandled { handled, end } = phase.as_dyn_mut().handle(event, &mut cx);
                if let Some(once) = once.filter(|_| handled == EventOutcome::Applied) {
                    self.facts.once = once;
                }
                if is_answer && handled == EventOutcome::Applied {
                    let unsettled = phase.as_dyn().unsettled(self.facts).steps;
                    self.facts.note_attended(unsettled);
                }
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
impl Track<'_> {
    /// Moves the position out, leaving [`Position::Taken`]. If code of the process panics before another
    /// position is set, the run halts at that task.
    fn take_position(&mut self) -> Position {
        let task = self.position.task();
        mem::replace(self.position, Position::Taken(task))
    }

    /// Starts the task at which the run has arrived. `hops` is the number of consecutive starts without a
    /// result, to detect loops.
    fn start_task(&mut self, hops: usize, host: &mut dyn ProcessHost) {
        let Position::BetweenTasks(arrival) = self.take_position() else { return };
        let Arrival { task, inputs, has_waited, is_interrupted, key } = arrival;
        let definition = self.facts.definition.task(task);
        self.facts.current_inputs.clone_from(&inputs);
        if is_interrupted {
            let reason = HaltReason::Interrupted;
            return self.fail(task, TaskFailure { reason, attempts: Vec::new() }, host);
        }
        if hops > MAX_HOPS {
            // The compiler rejects loops of gateways in which nothing can change, but inputs can change
            // without end.
            let reason = self.facts.exhausted_budget(0).unwrap_or(HaltReason::GatewayLoop);
            return self.halt(task, TaskFailure { reason, attempts: Vec::new() }, host);
        }
        let number = self.facts.visits[task].saturating_add(1);
        let visit = Visit { task, inputs, number, key };
        if let (Some(duration), false) = (definition.wait, has_waited) {
            host.emit(|| RunEvent::Waiting { task, duration });
            let phase = Phase::Timer(TimerPhase { id: self.facts.new_call() });
            *self.position = Position::InTask { visit, phase };
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
        let (facts, task) = (&mut *self.facts, visit.task);
        if let Some(reason) = facts.reached_limit() {
            return self.halt(task, TaskFailure { reason, attempts: Vec::new() }, host);
        }
        if let Some(reason) = facts.exhausted_budget(0).filter(|_| kind.info().spends_budget) {
            return self.fail(task, TaskFailure { reason, attempts: Vec::new() }, host);
        }
        if self.join.is_none() {
            facts.once.begin_task();
        }
        facts.visits[task] = visit.number;
        facts.attempt = 1;
        facts.steps += 1;
        host.emit(|| RunEvent::TaskStarted { task, step: facts.steps, visit: visit.number });
        let steps = facts.steps_with_branches();
        let own = facts.unattended.as_mut().and_then(|limits| limits.own.as_mut());
        if let Some(own) = own
            && own.comes_near(steps)
        {
            let limit = own.limit;
            host.emit(|| RunEvent::StepsRunLow { task, steps, limit });
        }
        let mut cx = RunContext { facts, visit: &visit, host };
        let begun = match kind {
            TaskKind::Parallel(parallel) => {
                Ok(Phase::Branches(Self::begin_branches(parallel, &mut cx)))
            }
            kind => Phase::begin(kind, &mut cx),
        };
        match begun {
            Ok(phase) => *self.position = Position::InTask { visit, phase },
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
            TaskEnd::Waited(arrival) => *self.position = Position::BetweenTasks(arrival),
            TaskEnd::Done(target) => self.leave_task(task, target, host),
            TaskEnd::Transition(RouteTarget { target, inputs, route }) => {
                host.emit(|| RunEvent::TaskFinished { task, next: Some(target), route });
                if self.facts.is_alone {
                    return self.finish(Ending::RanOut(task), host);
                }
                self.facts.callers.call(task, visit.inputs.clone(), target);
                *self.position = Position::BetweenTasks(Arrival::new(target, inputs));
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
                *self.position = Position::BetweenTasks(Arrival::new(target, inputs));
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
