//! Starts the directives of a machine.

use std::{
    sync::Arc,
    task::{Context, Poll, ready},
};

use cot_engine::{
    Action, CallId, CallKey, Directive, Effect, Event, MachinePoll, ModelCall, internal::AnyMachine,
};
use cot_store::Transaction;

use crate::{
    clock,
    driver::{
        announcement::{AnnouncedCalls, announcement},
        directive_future::DirectiveFuture,
        driver::Driver,
        in_flight::{ConcurrentCalls, InFlight, ListedDirective},
        open_question::OpenQuestion,
        perform::cancel_unanswered,
        stream_events::StreamEvents,
        transactions::Transactions,
    },
    persistence::{persistence::Persistence, transaction},
    preflight::transactions_error::{NO_STORE, TransactionsError},
    runner::config::Config,
    trace::{call_cell::CallCell, run_trace::RunTrace},
};

/// What the futures of directives are made from.
struct Performer<'a> {
    config: &'a Config,
    persistence: &'a Persistence,
    stream_events: Option<&'a StreamEvents>,
    has_handles: bool,
    question: &'a mut Option<Box<OpenQuestion>>,
    trace: Option<&'a mut RunTrace>,
}

impl Performer<'_> {
    /// Adds the span of a call, if the run is followed.
    fn cell(&mut self, directive: &Directive) -> Option<Arc<CallCell>> {
        Some(self.trace.as_mut()?.add_call(directive, None, false))
    }

    fn model_cell(&mut self, directive: &Directive, call: &ModelCall) -> Option<Arc<CallCell>> {
        let trace = self.trace.as_mut()?;
        let model = self.config.models.find(call.engine);
        let model = model.filter(|_| self.config.replay.is_none()).cloned();
        let is_streamed = model.is_some() && (self.stream_events.is_some() || call.until.is_some());
        Some(trace.add_call(directive, model, is_streamed))
    }

    /// Returns the future of a directive; `None` for a question that only a handle or the store answers.
    fn perform(&mut self, directive: &Directive) -> Option<DirectiveFuture> {
        let (config, id) = (self.config, directive.id);
        Some(match &directive.action {
            Action::CallModel(call) => {
                let cell = self.model_cell(directive, call);
                let stream_events = self.stream_events;
                let reply = config.model_future(directive, call, stream_events, cell.as_ref());
                DirectiveFuture::Model(reply).traced(cell)
            }
            Action::RunFunction(call) => {
                let cell = self.cell(directive);
                DirectiveFuture::Other(config.function_future(directive, call)).traced(cell)
            }
            Action::Sleep { duration, jitter } => {
                let left = self.persistence.remaining_time(id, *duration);
                let left = left.unwrap_or_else(|| clock::add_jitter(*duration, *jitter));
                DirectiveFuture::Other(clock::wake_after(id, left))
            }
            Action::AskHuman(asked) => {
                let open = OpenQuestion::new(directive, self.persistence);
                let can_be_answered = self.has_handles || self.persistence.is_enabled();
                let answer = config.answer_future(&open.directive, asked);
                *self.question = Some(Box::new(open));
                let unanswered = || {
                    (!can_be_answered).then(|| {
                        cancel_unanswered(config.definition().task(directive.task).about.name)
                    })
                };
                let cell = if config.answers_people() { self.cell(directive) } else { None };
                DirectiveFuture::Other(answer.or_else(unanswered)?).traced(cell)
            }
        })
    }
}

impl Performer<'_> {
    /// Starts a directive that is listed for the first time, unless it is begun later.
    fn list(
        &mut self,
        directive: &Directive,
        (announced, transactions): (&mut AnnouncedCalls, &mut Option<Box<Transactions>>),
        events: &mut Vec<Event>,
    ) -> ListedDirective {
        if let Some(event) = announcement(directive, announced) {
            events.push(event);
            ListedDirective::Pending
        } else if is_transaction(directive) {
            transactions.get_or_insert_default().add(directive.id);
            ListedDirective::Pending
        } else if directive.as_question().is_some() && self.question.is_some() {
            ListedDirective::Held
        } else {
            self.perform(directive).map_or(ListedDirective::Pending, ListedDirective::Started)
        }
    }

    fn open_question(&self) -> Option<CallId> {
        self.question.as_ref().map(|open| open.directive.id)
    }

    /// Starts the directives that were listed before and not started: the calls that were announced, and the next
    /// question if none is open. Returns the events that precede calls.
    fn start_listed(
        &mut self,
        machine: &mut dyn AnyMachine,
        calls: &mut ConcurrentCalls,
        announced: &mut AnnouncedCalls,
        starts_no_more: bool,
    ) -> Vec<Event> {
        let mut events = Vec::new();
        for id in announced.iter().collect::<Vec<_>>() {
            match machine.poll_only(Some(id)).directives() {
                [directive] => match announcement(directive, announced) {
                    Some(event) => events.push(event),
                    None => calls.start_if_some(id, self.perform(directive)),
                },
                _ => drop(announced.remove(id)),
            }
        }
        while self.question.is_none()
            && !starts_no_more
            && let Some(id) = calls.next_held()
        {
            if let [directive] = machine.poll_only(Some(id)).directives() {
                calls.start_if_some(id, self.perform(directive));
            }
        }
        events
    }
}

/// Returns whether a call is made in a transaction of the store.
fn is_transaction(directive: &Directive) -> bool {
    directive.as_function_call().is_some_and(|call| call.effect() == Effect::Transaction)
}

impl Driver {
    /// Starts the directives that are not in flight, and drops what is in flight and no longer listed.
    ///
    /// One question is open at a time, the oldest first. Calls with [`Effect::Once`](cot_engine::Effect::Once)
    /// are announced together, and made once that is durable.
    pub(crate) fn dispatch(&mut self) {
        let must_wait = self.record_position().unwrap_or_else(|error| {
            self.fail(error);
            true
        });
        if must_wait {
            return;
        }
        self.is_dispatched = true;
        let starts_no_more = self.in_flight.is_concurrent() && self.persistence.is_stopping();
        let Self {
            run,
            config,
            persistence,
            stream_events,
            control,
            in_flight,
            question,
            announced,
            transactions,
            trace,
            ..
        } = self;
        let (machine, has_handles) = (run.machine_mut(), control.is_some());
        let stream_events = stream_events.as_deref();
        let trace = trace.run_mut();
        let mut performer =
            Performer { config, persistence, stream_events, has_handles, question, trace };
        let mut events: Vec<Event> = Vec::new();
        if let InFlight::Concurrent(calls) = in_flight {
            events = performer.start_listed(machine, calls, announced, starts_no_more);
        }
        let MachinePoll::Waiting(directives) = machine.poll_after(in_flight.seen().newest) else {
            return self.end();
        };
        if starts_no_more {
            in_flight.retain_pending(machine, (announced, 0), performer.open_question());
            return;
        }
        let is_alone = directives.len() == 1 && !in_flight.is_concurrent();
        for directive in directives {
            let listed = performer.list(directive, (announced, transactions), &mut events);
            match listed {
                ListedDirective::Started(future) if is_alone => in_flight.start_one(future),
                _ if is_alone => {}
                listed => in_flight.add(directive.id, listed),
            }
        }
        let waiting = transactions.as_ref().map_or(0, |transactions| transactions.len());
        in_flight.retain_pending(machine, (announced, waiting), performer.open_question());
        if persistence.is_enabled() {
            // The events before the calls were recorded, and the calls may be polled before the next ones are.
            self.trace.start_calls();
        }
        for event in events {
            self.submit_event(event, None);
        }
    }

    /// Begins the next call in a transaction once all is durable that precedes it, or polls the one that has begun.
    pub(crate) fn poll_transaction(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        let Self { transactions: Some(calls), persistence: Persistence::Writing(journal), .. } =
            self
        else {
            refuse_transactions(self);
            return Poll::Ready(());
        };
        if !calls.is_open() {
            let parts = transaction::parts(journal);
            let (machine, trace) = (self.run.machine_mut(), self.trace.run_mut());
            let begins = |parts| calls.begin_next(machine, parts, trace);
            if !journal.must_write() && !parts.is_some_and(begins) {
                self.transactions = None;
            }
            return Poll::Ready(());
        }
        match ready!(calls.poll(cx)) {
            Ok(Some((key, event, Some(transaction)))) => commit(self, &key, event, transaction),
            Ok(Some((_, event, None))) => self.submit_event(event, None),
            Ok(None) => {}
            Err(error) => self.fail(error.into()),
        }
        Poll::Ready(())
    }
}

/// Stops a run without a store that waits for calls in transactions, which a check before the run can't see if the mocks of
/// its machine are not those of the runner.
fn refuse_transactions(driver: &mut Driver) {
    let Some(calls) = driver.transactions.take() else { return };
    let (machine, definition) = (driver.run.machine_mut(), driver.config.definition());
    let mut tasks = Vec::new();
    for id in calls.waiting() {
        for directive in machine.poll_only(Some(id)).directives() {
            tasks.push(definition.task(directive.task).about.name);
        }
    }
    tasks.dedup();
    driver.fail(TransactionsError::None { tasks, reason: NO_STORE }.into());
}

/// Lets the machine process the result of a function, and commits the result and the step after it together with what the
/// function has written. All is rolled back but the result if the machine does not accept it.
fn commit(driver: &mut Driver, key: &CallKey, event: Event, transaction: Box<dyn Transaction>) {
    let Persistence::Writing(journal) = &mut driver.persistence else { return };
    let since = transaction::record(journal, driver.run.machine_mut(), &event);
    driver.handle(event, None);
    driver.record_events();
    if driver.run.machine().at_task_boundary() {
        (driver.in_flight, driver.transactions) = (InFlight::Empty, None);
    }
    if let Persistence::Writing(journal) = &mut driver.persistence {
        transaction::commit(journal, key, since, transaction);
    }
    if let Err(error) = driver.record_due_position() {
        driver.fail(error);
    }
}
