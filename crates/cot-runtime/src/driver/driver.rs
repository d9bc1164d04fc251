//! The driver loop: obeys handles, performs the directives of the machine, submits the events that answer
//! them, and emits run events.

use std::{
    sync::Arc,
    task::{Context, Poll, Waker, ready},
};

use cot_engine::{Event, Machine, Process, ProcessEvent, RunEvent};
use cot_model::TraceContext;

use crate::{
    clock,
    driver::{
        announcement::AnnouncedCalls,
        driven_run::{DrivenRun, TypedRun},
        driver_trace::{DriverTrace, TraceStart},
        held_call::held_call_event,
        in_flight::InFlight,
        open_question::OpenQuestion,
        stream_events::StreamEvents,
        transactions::Transactions,
    },
    model::hold,
    persistence::{open_run::generate_run_id, persistence::Persistence},
    runner::{
        config::Config,
        error::RunError,
        handle::{AnswerAck, Command, Control, RunControl},
        report::RunReport,
        typed_config::TypedConfig,
    },
};

/// The number of steps after which a run yields to other tasks, however fast its models answer.
const STEPS_IN_A_ROW: u32 = 128;

/// Drives a machine: performs its directives and submits the answers.
///
/// The methods are those of the driver of any process. A driver becomes one by reference, since its run is its last
/// field.
pub(crate) struct Driver<R: ?Sized = dyn DrivenRun> {
    pub(crate) config: Arc<Config>,
    pub(crate) in_flight: InFlight,
    /// The question that waits for a person's answer. Boxed, since few runs ask people.
    pub(crate) question: Option<Box<OpenQuestion>>,
    /// The persistence of the run.
    pub(crate) persistence: Persistence,
    /// The events of streaming replies, if they are observed.
    pub(crate) stream_events: Option<Box<StreamEvents>>,
    /// The commands of handles, if the run has handles.
    pub(super) control: Option<RunControl>,
    steps_in_a_row: u32,
    pub(crate) announced: AnnouncedCalls,
    /// The calls in transactions of the store. Boxed, since few runs make such calls.
    pub(crate) transactions: Option<Box<Transactions>>,
    /// Whether the directives of the machine were dispatched since its last event.
    pub(crate) is_dispatched: bool,
    pub(crate) is_over: bool,
    /// Behind what is in flight, which ends its own spans when it is dropped.
    pub(crate) trace: DriverTrace,
    pub(crate) run: R,
}

impl<P: Process> Driver<TypedRun<P>> {
    /// Creates the driver of a started machine, in the context of its caller or the current one. A run without a
    /// store gets a generated name.
    pub(crate) fn new(
        mut machine: Machine<P>,
        (config, typed): (&Arc<Config>, &Arc<TypedConfig<P>>),
        caller: Option<&TraceContext>,
        persistence: Persistence,
    ) -> Self {
        typed.prepare_machine(config, &mut machine);
        let run_id = persistence.run_id().cloned().unwrap_or_else(generate_run_id);
        if machine.run_id().is_empty() {
            machine.set_run_id(run_id.as_str());
        }
        let mut trace = DriverTrace::new();
        trace.set_caller(caller);
        let options = config.stream_options(!typed.observers.is_empty(), persistence.is_enabled());
        Self {
            config: Arc::clone(config),
            in_flight: InFlight::Empty,
            question: None,
            persistence,
            stream_events: StreamEvents::new(options).map(Box::new),
            control: None,
            steps_in_a_row: 0,
            announced: AnnouncedCalls::default(),
            transactions: None,
            is_dispatched: false,
            is_over: false,
            trace,
            run: TypedRun::new(machine, run_id, typed),
        }
    }

    /// Returns the driver without the types of its process.
    pub(crate) fn erased(&mut self) -> &mut Driver {
        self
    }

    pub(crate) fn into_machine(self) -> Machine<P> {
        self.run.machine
    }

    /// Drives the run until the stream has an event or the run has ended.
    pub(crate) fn poll_event(&mut self, cx: &mut Context<'_>) -> Poll<Option<ProcessEvent<P>>> {
        ready!(self.erased().poll_has_event(cx));
        Poll::Ready(self.run.emitter.next())
    }

    /// Returns the report of the finished run, or the error that stopped it.
    pub(crate) fn into_run(self) -> Result<RunReport<P>, RunError> {
        if let Persistence::Failed(failed) = self.persistence {
            return Err(failed.1);
        }
        let run_id = self.run.emitter.run_id().clone();
        RunReport::from_machine(self.run.machine, run_id).ok_or(RunError::NotStarted)
    }
}

impl Driver {
    /// Obeys the commands of handles.
    pub(crate) fn set_control(&mut self, control: &Arc<Control>) {
        self.control = Some(RunControl::new(control));
    }

    /// Starts or ends the stream of events, and the recording of events that nothing else needs.
    pub(crate) fn set_stream(&mut self, on: bool) {
        self.run.set_stream(on);
        if on || !self.run.has_observers() {
            let has_store = self.persistence.is_enabled();
            self.run.machine_mut().record(on || has_store || self.config.is_traced());
            let options = self.config.stream_options(on, has_store);
            self.stream_events = StreamEvents::new(options).map(Box::new);
        }
    }

    /// Drives the run until the stream has an event or the run has ended.
    fn poll_has_event(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        while !self.run.has_event() && !self.is_over {
            if self.poll_step(cx).is_pending() && !self.run.has_event() {
                return Poll::Pending;
            }
        }
        Poll::Ready(())
    }

    /// Drives the run until it has ended.
    pub(crate) fn poll_over(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        while !self.is_over {
            ready!(self.poll_step(cx));
        }
        Poll::Ready(())
    }

    fn poll_step(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        if self.steps_in_a_row == STEPS_IN_A_ROW {
            self.steps_in_a_row = 0;
            cx.waker().wake_by_ref();
            return Poll::Pending;
        }
        if !self.trace.is_started() && matches!(self.persistence, Persistence::Disabled) {
            let is_resumed = self.run.machine().steps() > 0;
            let start = TraceStart::Unstored { is_resumed };
            self.trace.start(&self.config, self.run.run_id(), &start);
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
            self.trace.end(self.run.machine(), self.persistence.close_span());
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
                self.run.emit(&mut time, delta);
            }
        }
        for held in hold::take_held() {
            self.trace.held(held.0, held.1);
            if let Some(event) = held_call_event(self.run.machine_mut(), held) {
                self.run.emit(&mut time, event);
            }
        }
        if matches!(self.persistence, Persistence::Disabled) {
            self.run.emit_new(&mut time, &mut |event| self.trace.event(event));
            return self.trace.start_calls();
        }
        self.record_events();
        if !self.persistence.is_write_pending() {
            self.run.emit_held();
        }
        self.trace.start_calls();
    }

    /// Records the new events for the journal, and holds them back.
    pub(crate) fn record_events(&mut self) {
        let mut time = clock::read_once();
        let definition = self.config.definition();
        self.run.hold_new(&mut time, &mut |event| {
            self.trace.event(event);
            self.persistence.record_event(event, definition);
        });
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
                self.run.hold(clock::now(), RunEvent::Paused);
                if matches!(self.persistence, Persistence::Disabled) {
                    self.run.emit_held();
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
        self.submit_event(Event::Cancelled { reason, calls: 0 }, None);
        drop_calls(self);
    }

    fn next_command(&self, waker: &Waker) -> Command {
        let Some(control) = &self.control else {
            return Command::Continue;
        };
        let is_free = self.in_flight.is_empty();
        let machine = self.run.machine();
        let at_boundary = is_free && machine.at_task_boundary();
        let between_tasks = is_free && machine.is_between_tasks();
        control.next_command(waker, at_boundary, between_tasks)
    }

    /// Dispatches directives, or submits their answers.
    fn poll_directive(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        if self.transactions.is_some() {
            return self.poll_transaction(cx);
        }
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
            && !self.run.machine().at_task_boundary()
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
        if self.run.machine().at_task_boundary() {
            // The task has ended, perhaps by a failed item while other calls are still in flight.
            (self.in_flight, self.transactions) = (InFlight::Empty, None);
        } else if self.in_flight.is_concurrent() {
            self.dispatch();
        }
    }

    /// Submits the event of a directive, unless the machine no longer waits for it: a journal must not have it.
    fn submit_awaited(&mut self, event: Event) {
        if event.id().is_none_or(|id| self.run.machine().is_pending(id)) {
            self.submit_event(event, None);
        }
    }

    /// Submits an event to the machine; in a stored run, once the event is durable.
    pub(crate) fn submit_event(&mut self, mut event: Event, ack: Option<AnswerAck>) {
        if let Event::Cancelled { calls, .. } = &mut event {
            *calls = self.in_flight.model_calls();
        }
        match &mut self.persistence {
            Persistence::Writing(journal) => {
                journal.record_event(self.run.machine_mut(), event, ack);
            }
            _ => self.handle(event, ack),
        }
    }

    pub(crate) fn handle(&mut self, event: Event, ack: Option<AnswerAck>) {
        if matches!(event, Event::Cancelled { .. }) {
            self.close();
        }
        self.is_dispatched = false;
        let machine = self.run.machine_mut();
        let handled = self.trace.handle(machine, event);
        self.question.take_if(|open| !machine.is_pending(open.directive.id));
        self.announced.retain(|id| machine.is_pending(*id));
        if let Some(ack) = ack {
            ack.send(handled);
        }
    }

    pub(crate) fn end(&mut self) {
        drop_calls(self);
        self.is_over = true;
        self.persistence.close();
        self.close();
    }
}

/// Drops what is in flight.
pub(crate) fn drop_calls(driver: &mut Driver) {
    (driver.in_flight, driver.question, driver.transactions) = (InFlight::Empty, None, None);
}
