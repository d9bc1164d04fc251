//! The driver loop: obeys handles, performs the directives of the machine, submits the events that answer
//! them, and emits run events.

use std::{
    collections::BTreeSet,
    sync::Arc,
    task::{Context, Poll, Waker, ready},
};

use cot_engine::{CallId, Event, Machine, Process, ProcessEvent, RunEvent};
use cot_store::RunId;

use crate::{
    clock,
    driver::{
        driver_trace::{DriverTrace, TraceStart},
        held_call::held_call_event,
        in_flight::InFlight,
        open_question::OpenQuestion,
        stream_events::StreamEvents,
    },
    model::hold,
    persistence::{open_run::generate_run_id, persistence::Persistence},
    runner::{
        config::Config,
        emitter::Emitter,
        error::RunError,
        handle::{AnswerAck, Command, Control, RunControl},
        report::RunReport,
    },
};

/// The number of steps after which a run yields to other tasks, however fast its models answer.
const STEPS_IN_A_ROW: u32 = 128;

/// Drives a machine: performs its directives and submits the answers.
pub(crate) struct Driver<P: Process> {
    pub(crate) machine: Machine<P>,
    pub(crate) config: Arc<Config<P>>,
    pub(crate) in_flight: InFlight,
    /// The question that waits for a person's answer. Boxed, since few runs ask people.
    pub(crate) question: Option<Box<OpenQuestion<P>>>,
    /// The persistence of the run.
    pub(crate) persistence: Persistence,
    /// The events of streaming replies, if they are observed.
    pub(crate) stream_events: Option<Box<StreamEvents<P>>>,
    /// The commands of handles, if the run has handles.
    pub(super) control: Option<RunControl>,
    /// Emits events to the observers and to the stream.
    emitter: Emitter<P>,
    steps_in_a_row: u32,
    /// The calls with [`Effect::Once`](cot_engine::Effect::Once) that this driver has announced and not made
    /// yet.
    pub(crate) announced: BTreeSet<CallId>,
    /// Whether the directives of the machine were dispatched since its last event.
    pub(crate) is_dispatched: bool,
    pub(crate) is_over: bool,
    /// The last field, since what is in flight ends its own spans when it is dropped.
    pub(crate) trace: DriverTrace,
}

impl<P: Process> Driver<P> {
    /// Creates the driver of a started machine. A run without a store gets a generated name.
    pub(crate) fn new(
        mut machine: Machine<P>,
        config: &Arc<Config<P>>,
        persistence: Persistence,
    ) -> Self {
        config.prepare_machine(&mut machine);
        let run_id = persistence.run_id().cloned().unwrap_or_else(generate_run_id);
        if machine.run_id().is_empty() {
            machine.set_run_id(run_id.as_str());
        }
        let has_store = persistence.is_enabled();
        Self {
            machine,
            config: Arc::clone(config),
            in_flight: InFlight::Empty,
            question: None,
            persistence,
            stream_events: StreamEvents::new(
                config.stream_options(config.is_observed(), has_store),
            )
            .map(Box::new),
            control: None,
            emitter: Emitter::new(run_id, config),
            steps_in_a_row: 0,
            announced: BTreeSet::new(),
            is_dispatched: false,
            is_over: false,
            trace: DriverTrace::new(),
        }
    }

    /// Obeys the commands of handles.
    pub(crate) fn controlled_by(mut self, control: &Arc<Control>) -> Self {
        self.control = Some(RunControl::new(control));
        self
    }

    /// Enables the stream of events.
    pub(crate) fn with_stream(mut self) -> Self {
        self.emitter.stream(true);
        self.machine.record(true);
        let options = self.config.stream_options(true, self.persistence.is_enabled());
        self.stream_events = StreamEvents::new(options).map(Box::new);
        self
    }

    /// Disables the stream of events, and the events of the machine if nothing else needs them.
    pub(crate) fn without_stream(mut self) -> Self {
        self.emitter.stream(false);
        if !self.config.is_observed() {
            self.machine.record(self.persistence.is_enabled() || self.config.is_traced());
            let options = self.config.stream_options(false, self.persistence.is_enabled());
            self.stream_events = StreamEvents::new(options).map(Box::new);
        }
        self
    }

    pub(crate) const fn run_id(&self) -> &RunId {
        self.emitter.run_id()
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
    pub(crate) fn into_run(self) -> Result<RunReport<P>, RunError> {
        let run_id = self.run_id().clone();
        if let Persistence::Failed(failed) = self.persistence {
            return Err(failed.1);
        }
        RunReport::from_machine(self.machine, run_id).ok_or(RunError::NotStarted)
    }

    fn poll_step(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        if self.steps_in_a_row == STEPS_IN_A_ROW {
            self.steps_in_a_row = 0;
            cx.waker().wake_by_ref();
            return Poll::Pending;
        }
        if !self.trace.is_started() && matches!(self.persistence, Persistence::Disabled) {
            let is_resumed = self.machine.steps() > 0;
            let start = TraceStart::Unstored { is_resumed };
            self.trace.start(&self.config, self.emitter.run_id(), &start);
        }
        let done = match self.trace.root() {
            None => self.poll_in_span(cx),
            Some(span) => {
                let mut done = Poll::Pending;
                span.enter(&mut || done = self.poll_in_span(cx));
                done
            }
        };
        self.steps_in_a_row = if done.is_ready() { self.steps_in_a_row + 1 } else { 0 };
        if self.is_over {
            self.trace.end(&self.machine, self.persistence.close_span());
        }
        done
    }

    fn poll_in_span(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        let done = match self.persistence {
            Persistence::Disabled => self.poll_command(cx),
            _ => self.poll_persisted(cx),
        };
        self.notify_observers();
        done
    }

    /// Emits the new events; of a stored run, once the entries that the run waits for are durable.
    fn notify_observers(&mut self) {
        let mut time = clock::read_once();
        // The chunks of a reply precede the events of its result.
        if let Some(stream_events) = &self.stream_events {
            for delta in stream_events.take() {
                self.emitter.emit(&self.config.observers, &mut time, delta);
            }
        }
        for held in hold::take_held() {
            self.trace.held(held.0, held.1);
            if let Some(event) = held_call_event(&mut self.machine, held) {
                self.emitter.emit(&self.config.observers, &mut time, event);
            }
        }
        if matches!(self.persistence, Persistence::Disabled) {
            for event in self.machine.drain_events() {
                self.trace.event::<P>(&event);
                self.emitter.emit(&self.config.observers, &mut time, event);
            }
            return self.trace.start_calls();
        }
        self.record_events();
        if !self.persistence.is_write_pending() {
            self.emitter.emit_held(&self.config.observers);
        }
        self.trace.start_calls();
    }

    /// Records the new events for the journal, and holds them back.
    pub(crate) fn record_events(&mut self) {
        let mut time = clock::read_once();
        for event in self.machine.drain_events() {
            self.trace.event::<P>(&event);
            self.persistence.record_event::<P>(&event);
            self.emitter.hold(time(), event);
        }
    }

    pub(crate) fn poll_command(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        match self.next_command(cx.waker()) {
            Command::Continue => ready!(self.poll_directive(cx)),
            Command::ChangeState(change) => {
                if let Err(error) = self.change_state(change) {
                    self.fail(error);
                }
            }
            Command::EmitPaused => {
                // After the held events of a stored run.
                self.emitter.hold(clock::now(), RunEvent::Paused);
                if matches!(self.persistence, Persistence::Disabled) {
                    self.emitter.emit_held(&self.config.observers);
                }
            }
            Command::Wait => {
                if let Some(control) = &self.control {
                    control.reject_answers();
                }
                return Poll::Pending;
            }
            Command::Cancel(reason) => self.cancel(reason),
        }
        Poll::Ready(())
    }

    /// Cancels the run, and drops what is in flight.
    pub(crate) fn cancel(&mut self, reason: String) {
        (self.in_flight, self.question) = (InFlight::Empty, None);
        self.submit_event(Event::Cancelled { reason }, None);
    }

    fn next_command(&self, waker: &Waker) -> Command {
        let Some(control) = &self.control else {
            return Command::Continue;
        };
        let is_free = self.in_flight.is_empty();
        let at_boundary = is_free && self.machine.at_task_boundary();
        let between_tasks = is_free && self.machine.is_between_tasks();
        control.next_command(waker, at_boundary, between_tasks)
    }

    /// Dispatches directives, or submits their answers.
    fn poll_directive(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        if let Some(answer) = self.control.as_ref().and_then(|control| control.take_answer()) {
            self.submit_answer(answer);
        } else if !self.is_dispatched || (self.in_flight.is_empty() && self.question.is_none()) {
            self.dispatch();
        } else {
            return self.poll_in_flight(cx);
        }
        Poll::Ready(())
    }

    fn poll_in_flight(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        if self.poll_stored_answer(cx).is_ready() {
            return Poll::Ready(());
        }
        if self.in_flight.is_empty() {
            // A question without a time limit: only a handle or the store can answer it.
            return Poll::Pending;
        }
        let Some(event) = ready!(self.in_flight.poll(cx)) else {
            if self.question.is_some() {
                return Poll::Pending;
            }
            self.in_flight = InFlight::Empty;
            return Poll::Ready(());
        };
        self.submit_awaited(event);
        // The events of calls that completed together are all submitted before further calls start.
        while self.in_flight.is_concurrent()
            && !self.machine.at_task_boundary()
            && let Poll::Ready(Some(event)) = self.in_flight.poll(cx)
        {
            self.submit_awaited(event);
            // The machine buffers only a limited number of events.
            self.notify_observers();
        }
        if !self.persistence.is_write_pending() {
            self.dispatch_next();
        }
        Poll::Ready(())
    }

    /// Dispatches the directives that follow from submitted events.
    pub(crate) fn dispatch_next(&mut self) {
        if self.machine.at_task_boundary() {
            // The task has ended, perhaps by a failed item while other calls are still in flight.
            self.in_flight = InFlight::Empty;
        } else if self.in_flight.is_concurrent() {
            self.dispatch();
        }
    }

    /// Submits the event of a directive, unless the machine no longer waits for it: a journal must not have it.
    fn submit_awaited(&mut self, event: Event) {
        if event.id().is_none_or(|id| self.machine.is_pending(id)) {
            self.submit_event(event, None);
        }
    }

    /// Submits an event to the machine; in a stored run, once the event is durable.
    pub(crate) fn submit_event(&mut self, event: Event, ack: Option<AnswerAck>) {
        match &mut self.persistence {
            Persistence::Writing(journal) => journal.record_event(&mut self.machine, event, ack),
            _ => self.handle(event, ack),
        }
    }

    pub(crate) fn handle(&mut self, event: Event, ack: Option<AnswerAck>) {
        if matches!(event, Event::Cancelled { .. }) {
            self.close();
        }
        self.is_dispatched = false;
        let handled = self.trace.handle(&mut self.machine, event);
        self.question.take_if(|open| !self.machine.is_pending(open.directive.id));
        if !self.announced.is_empty() {
            self.announced.retain(|id| self.machine.is_pending(*id));
        }
        if let Some(ack) = ack {
            ack.send(handled);
        }
    }

    pub(crate) fn end(&mut self) {
        self.in_flight = InFlight::Empty;
        self.question = None;
        self.is_over = true;
        self.persistence.close();
        self.close();
    }
}
