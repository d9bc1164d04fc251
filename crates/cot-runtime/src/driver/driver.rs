//! The loop: look at the orders, do what the machine directs, hand in what came of it, tell what
//! happened.

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

/// Steps after which a run lets others have the thread, however fast its models answer.
const STEPS_IN_A_ROW: u32 = 128;

/// A machine with what performs its directives.
pub(crate) struct Drive<P: Process> {
    pub(crate) machine: Machine<P>,
    pub(crate) config: Arc<Config<P>>,
    pub(crate) flight: Flight,
    /// The person's answer that the machine waits for. In a box, since few runs ask people.
    pub(crate) question: Option<Box<OpenQuestion<P>>>,
    /// Where the run is kept, if it is.
    pub(crate) kept: Kept,
    /// Replies that are being written, where somebody wants to know.
    deltas: Option<Deltas<P>>,
    /// Orders from handles, of a run that can have some.
    control: Option<Steering>,
    /// Events on their way to observers and to the stream.
    emitter: Emitter<P>,
    steps_in_a_row: u32,
    pub(crate) is_over: bool,
}

/// A question that a person has been asked.
pub(crate) struct OpenQuestion<P: Process> {
    pub(crate) directive: Directive<P::Task>,
    /// The part of the time limit that passed in earlier drivers.
    before: Duration,
    /// Runs since this driver has asked it.
    stopwatch: Stopwatch,
}

impl<P: Process> OpenQuestion<P> {
    /// Opens a question, with the time for it that earlier drivers have left.
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
    /// Takes on a machine that has been started. A run that no store keeps gets a name of its own.
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

    /// Obeys handles.
    pub(crate) fn steered_by(mut self, control: &Arc<Control>) -> Self {
        self.control = Some(Steering::new(control));
        self
    }

    /// Keeps events for a stream.
    pub(crate) fn streamed(mut self) -> Self {
        self.emitter.stream(true);
        self.machine.record(true);
        self.deltas = Deltas::new(self.config.told);
        self
    }

    /// Keeps no more events, as nobody will take them.
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

    /// Goes on until there is an event for the stream, or none will come any more.
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

    /// Goes on until the run is over.
    pub(crate) fn poll_over(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        while !self.is_over {
            ready!(self.poll_step(cx));
        }
        Poll::Ready(())
    }

    /// What there is to tell at the end.
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

    /// Tells what has happened; of a run that is kept, once that is written for which it waits.
    fn tell(&mut self) {
        let mut time = clock::read_once();
        // A reply is written before anything comes of it.
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

    /// Takes note of what has happened, for the journal.
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
                // Behind the events of a stored run that wait for the journal.
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

    /// Takes up a directive, or hands in its answer.
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
            // A person is asked who may take as long as it takes.
            return Poll::Pending;
        }
        let Some(event) = ready!(self.flight.poll(cx)) else {
            self.flight = Flight::Nothing;
            return Poll::Ready(());
        };
        self.hand_in(event, None);
        // Of calls that came back together, all are handed in before others are begun.
        while self.flight.is_many()
            && !self.machine.at_task_boundary()
            && let Poll::Ready(Some(event)) = self.flight.poll(cx)
        {
            self.hand_in(event, None);
            // The machine keeps only so many events that nobody has fetched.
            self.tell();
        }
        if !self.kept.is_writing() {
            self.settle();
        }
        Poll::Ready(())
    }

    /// Begins what follows from events at once.
    pub(crate) fn settle(&mut self) {
        if self.machine.at_task_boundary() {
            // The task is over, whether it was finished or has failed at an item; others may still fly.
            self.flight = Flight::Nothing;
        } else if self.flight.is_many() {
            self.dispatch();
        }
    }

    /// Tells the machine what happened, once that is written where the run is kept.
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

    /// Hands in what somebody has answered through a handle.
    fn take(&mut self, Answer { value, told }: Answer) {
        // Somebody may have read the question before this run has come to ask it.
        let asked = self.question.take().map(|open| (open.elapsed(), open.directive));
        let unasked = || Some((Duration::ZERO, self.machine.question()?));
        let Some((elapsed, Directive { id, key, .. })) = asked.or_else(unasked) else {
            return told.tell(Handled::Stale);
        };
        self.flight = Flight::Nothing;
        self.config.note_answer(&key, &value);
        self.hand_in(Event::Answered { id, answer: value, elapsed }, Some(told));
    }

    /// Hears no more of handles.
    fn close(&self) {
        if let Some(control) = &self.control {
            control.close();
        }
    }

    /// A run that is paused asks nothing.
    fn turn_answers_away(&self) {
        while let Some(answer) = self.control.as_ref().and_then(|control| control.take_answer()) {
            answer.told.tell(Handled::Stale);
        }
    }
}
