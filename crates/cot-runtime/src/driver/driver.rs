//! The driver loop: obeys handles, performs the directives of the machine, submits the events that answer
//! them, and emits run events.

use std::{
    sync::Arc,
    task::{Context, Poll, Waker, ready},
    time::Duration,
};

use cot_engine::{
    Action, Directive, Event, Handled, Machine, MachinePoll, Process, ProcessEvent, RunEvent,
};
use cot_store::RunId;

use crate::{
    clock::{self, Stopwatch},
    driver::{
        deltas::Deltas,
        flight::{Flight, Performed},
        perform::nobody,
    },
    persistence::{kept::Kept, opening::fresh_id},
    runner::{
        config::Config,
        emitter::Emitter,
        error::RunError,
        handle::{Answer, Control, Order, Steering, Told},
        report::Run,
    },
};

/// The number of steps after which a run yields to other tasks, however fast its models answer.
const STEPS_IN_A_ROW: u32 = 128;

/// Drives a machine: performs its directives and submits the answers.
pub(crate) struct Drive<P: Process> {
    pub(crate) machine: Machine<P>,
    pub(crate) config: Arc<Config<P>>,
    pub(crate) flight: Flight,
    /// The question that waits for a person's answer. Boxed, since few runs ask people.
    pub(crate) question: Option<Box<OpenQuestion<P>>>,
    /// The persistence of the run.
    pub(crate) kept: Kept,
    /// The events of streaming replies, if they are observed.
    deltas: Option<Deltas<P>>,
    /// The commands of handles, if the run has handles.
    control: Option<Steering>,
    /// Emits events to the observers and to the stream.
    emitter: Emitter<P>,
    steps_in_a_row: u32,
    pub(crate) is_over: bool,
}

/// A question that waits for a person's answer.
pub(crate) struct OpenQuestion<P: Process> {
    pub(crate) directive: Directive<P::Task>,
    /// The part of the time limit that elapsed in earlier drivers.
    before: Duration,
    /// Measures the time since this driver asked the question.
    stopwatch: Stopwatch,
}

impl<P: Process> OpenQuestion<P> {
    /// Opens a question, with the remaining time of its limit.
    fn new(directive: &Directive<P::Task>, kept: &Kept) -> Self {
        let Directive { id, timeout: whole, .. } = *directive;
        let before = kept.passed_for_person(id, whole);
        let timeout = kept.left_for_person(id, whole).or(whole);
        let mut directive = directive.clone();
        directive.timeout = timeout;
        Self { directive, before, stopwatch: Stopwatch::start() }
    }

    pub(crate) fn elapsed(&self) -> Duration {
        self.before.saturating_add(self.stopwatch.elapsed())
    }
}

impl<P: Process> Drive<P> {
    /// Creates the driver of a started machine. A run without a store gets a generated name.
    pub(crate) fn new(mut machine: Machine<P>, config: &Arc<Config<P>>, kept: Kept) -> Self {
        config.prepare(&mut machine);
        let run_id = kept.run_id().cloned().unwrap_or_else(fresh_id);
        Self {
            machine,
            config: Arc::clone(config),
            flight: Flight::Nothing,
            question: None,
            kept,
            deltas: if config.is_observed() { Deltas::new(config.told) } else { None },
            control: None,
            emitter: Emitter::new(run_id),
            steps_in_a_row: 0,
            is_over: false,
        }
    }

    /// Obeys the commands of handles.
    pub(crate) fn steered_by(mut self, control: &Arc<Control>) -> Self {
        self.control = Some(Steering::new(control));
        self
    }

    /// Enables the stream of events.
    pub(crate) fn streamed(mut self) -> Self {
        self.emitter.stream(true);
        self.machine.record(true);
        self.deltas = Deltas::new(self.config.told);
        self
    }

    /// Disables the stream of events, and the events of the machine if nothing else needs them.
    pub(crate) fn unstreamed(mut self) -> Self {
        self.emitter.stream(false);
        if !self.config.is_observed() {
            self.machine.record(self.kept.is_somewhere());
            self.deltas = None;
        }
        self
    }

    pub(crate) const fn machine(&self) -> &Machine<P> {
        &self.machine
    }

    pub(crate) const fn run_id(&self) -> &RunId {
        self.emitter.run_id()
    }

    pub(crate) const fn machine_mut(&mut self) -> &mut Machine<P> {
        &mut self.machine
    }

    pub(crate) fn into_machine(self) -> Machine<P> {
        self.machine
    }

    /// Drives the run until the stream has an event or the run has ended.
    pub(crate) fn poll_event(&mut self, cx: &mut Context<'_>) -> Poll<Option<ProcessEvent<P>>> {
        loop {
            if let Some(event) = self.emitter.next() {
                return Poll::Ready(Some(event));
            }
            if self.is_over {
                return Poll::Ready(None);
            }
            let step = self.poll_step(cx);
            if step.is_pending() && !self.emitter.has_next() {
                return Poll::Pending;
            }
        }
    }

    /// Drives the run until it has ended.
    pub(crate) fn poll_over(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        while !self.is_over {
            ready!(self.poll_step(cx));
        }
        Poll::Ready(())
    }

    /// Returns the report of the finished run, or the error that stopped it.
    pub(crate) fn into_run(self) -> Result<Run<P>, RunError> {
        let run_id = self.run_id().clone();
        if let Kept::Failed(failed) = self.kept {
            return Err(failed.1);
        }
        Run::from_machine(self.machine, run_id).ok_or(RunError::NotStarted)
    }

    fn poll_step(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        if self.steps_in_a_row == STEPS_IN_A_ROW {
            self.steps_in_a_row = 0;
            cx.waker().wake_by_ref();
            return Poll::Pending;
        }
        let done = match self.kept {
            Kept::Nowhere => self.poll_order(cx),
            _ => self.poll_kept(cx),
        };
        self.steps_in_a_row = if done.is_ready() { self.steps_in_a_row + 1 } else { 0 };
        self.tell();
        done
    }

    /// Emits the new events; of a stored run, once the entries that the run waits for are durable.
    fn tell(&mut self) {
        let mut time = clock::read_once();
        // The chunks of a reply precede the events of its result.
        for delta in self.deltas.iter().flat_map(Deltas::take) {
            self.emitter.emit(&self.config.observers, &mut time, delta);
        }
        if matches!(self.kept, Kept::Nowhere) {
            for event in self.machine.drain_events() {
                self.emitter.emit(&self.config.observers, &mut time, event);
            }
            return;
        }
        self.note();
        if !self.kept.is_writing() {
            self.emitter.emit_held(&self.config.observers);
        }
    }

    /// Records the new events for the journal, and holds them back.
    pub(crate) fn note(&mut self) {
        let mut time = clock::read_once();
        for event in self.machine.drain_events() {
            self.kept.note(&event);
            self.emitter.hold(time(), event);
        }
    }

    pub(crate) fn poll_order(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        match self.order(cx.waker()) {
            Order::GoOn => ready!(self.poll_directive(cx)),
            Order::Change(change) => {
                if let Err(error) = self.change_state(change) {
                    self.fail(error);
                }
            }
            Order::SayPaused => {
                // After the held events of a stored run.
                self.emitter.hold(clock::now(), RunEvent::Paused);
                if matches!(self.kept, Kept::Nowhere) {
                    self.emitter.emit_held(&self.config.observers);
                }
            }
            Order::Wait => {
                self.turn_answers_away();
                return Poll::Pending;
            }
            Order::Cancel(reason) => {
                self.flight = Flight::Nothing;
                self.hand_in(Event::Cancelled { reason }, None);
            }
        }
        Poll::Ready(())
    }

    fn order(&self, waker: &Waker) -> Order {
        let is_free = self.flight.is_nothing();
        let at_boundary = is_free && self.machine.at_task_boundary();
        let between_tasks = is_free && self.machine.is_between_tasks();
        match &self.control {
            Some(control) => control.consult(waker, at_boundary, between_tasks),
            None => Order::GoOn,
        }
    }

    /// Dispatches directives, or submits their answers.
    fn poll_directive(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        if let Some(answer) = self.control.as_ref().and_then(|control| control.take_answer()) {
            self.take(answer);
        } else if self.flight.is_nothing() && self.question.is_none() {
            self.dispatch();
        } else {
            return self.poll_flight(cx);
        }
        Poll::Ready(())
    }

    fn poll_flight(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        if self.poll_answer_kept(cx).is_ready() {
            return Poll::Ready(());
        }
        if self.flight.is_nothing() {
            // A question without a time limit: only a handle or the store can answer it.
            return Poll::Pending;
        }
        let Some(event) = ready!(self.flight.poll(cx)) else {
            self.flight = Flight::Nothing;
            return Poll::Ready(());
        };
        self.hand_in(event, None);
        // The events of calls that completed together are all submitted before further calls start.
        while self.flight.is_many()
            && !self.machine.at_task_boundary()
            && let Poll::Ready(Some(event)) = self.flight.poll(cx)
        {
            self.hand_in(event, None);
            // The machine buffers only a limited number of events.
            self.tell();
        }
        if !self.kept.is_writing() {
            self.settle();
        }
        Poll::Ready(())
    }

    /// Dispatches the directives that follow from submitted events.
    pub(crate) fn settle(&mut self) {
        if self.machine.at_task_boundary() {
            // The task has ended, perhaps by a failed item while other calls are still in flight.
            self.flight = Flight::Nothing;
        } else if self.flight.is_many() {
            self.dispatch();
        }
    }

    /// Submits an event to the machine; in a stored run, once the event is durable.
    pub(crate) fn hand_in(&mut self, event: Event, told: Option<Told>) {
        match &mut self.kept {
            Kept::In(journal) => journal.log(&mut self.machine, event, told),
            _ => self.handle(event, told),
        }
    }

    pub(crate) fn handle(&mut self, event: Event, told: Option<Told>) {
        if matches!(event, Event::Cancelled { .. }) {
            self.close();
        }
        self.question = None;
        let handled = self.machine.handle(event);
        if let Some(told) = told {
            told.tell(handled);
        }
    }

    /// Starts the directives that are not in flight, and drops what is in flight and no longer listed.
    pub(crate) fn dispatch(&mut self) {
        if self.is_kept_first() {
            return;
        }
        let Self { machine, config, kept, deltas, control, flight, question, .. } = self;
        let MachinePoll::Waiting(directives) = machine.poll_after(flight.newest()) else {
            return self.end();
        };
        let is_alone = directives.len() == 1 && !flight.is_many();
        for directive in directives {
            let id = directive.id;
            let performed = match &directive.action {
                Action::CallModel(call) => {
                    Performed::Call(config.call(directive, call, deltas.as_ref()))
                }
                Action::RunFunction(call) => Performed::Other(config.run(directive, call)),
                Action::Sleep { duration, jitter } => {
                    let left = kept.left(id, *duration);
                    let left = left.unwrap_or_else(|| clock::with_jitter(*duration, *jitter));
                    Performed::Other(clock::timer(id, left))
                }
                Action::AskHuman(asked) => {
                    let open = OpenQuestion::new(directive, kept);
                    let is_heard = control.is_some() || kept.is_somewhere();
                    let answer = config.ask(&open.directive, asked);
                    *question = Some(Box::new(open));
                    match answer.or_else(|| (!is_heard).then(|| nobody(directive.task))) {
                        Some(answer) => Performed::Other(answer),
                        None => continue,
                    }
                }
            };
            match is_alone {
                true => flight.start_one(performed),
                false => flight.add(id, performed),
            }
        }
        flight.retain_pending(machine);
    }

    pub(crate) fn end(&mut self) {
        self.flight = Flight::Nothing;
        self.question = None;
        self.is_over = true;
        self.kept.close();
        self.close();
    }

    /// Submits an answer from a handle.
    fn take(&mut self, Answer { value, told }: Answer) {
        // The caller may know the question from the store, before this driver has asked it.
        let asked = self.question.take().map(|open| (open.elapsed(), open.directive));
        let unasked = || Some((Duration::ZERO, self.machine.question()?));
        let Some((elapsed, Directive { id, key, .. })) = asked.or_else(unasked) else {
            return told.tell(Handled::Stale);
        };
        self.flight = Flight::Nothing;
        self.config.note_answer(&key, &value);
        self.hand_in(Event::Answered { id, answer: value, elapsed }, Some(told));
    }

    /// Rejects further commands of handles.
    fn close(&self) {
        if let Some(control) = &self.control {
            control.close();
        }
    }

    /// Rejects all answers, since a paused run asks no question.
    fn turn_answers_away(&self) {
        while let Some(answer) = self.control.as_ref().and_then(|control| control.take_answer()) {
            answer.told.tell(Handled::Stale);
        }
    }
}
