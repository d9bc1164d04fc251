//! Starts the directives of a machine.

use std::{collections::BTreeSet, sync::Arc};

use cot_engine::{Action, CallId, Directive, Event, MachinePoll, ModelCall, internal::AnyMachine};

use crate::{
    clock,
    driver::{
        announcement::announcement,
        directive_future::DirectiveFuture,
        driver::Driver,
        in_flight::{ConcurrentCalls, InFlight, ListedDirective},
        open_question::OpenQuestion,
        perform::cancel_unanswered,
        stream_events::StreamEvents,
    },
    persistence::persistence::Persistence,
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
    fn open_question(&self) -> Option<CallId> {
        self.question.as_ref().map(|open| open.directive.id)
    }

    /// Starts the directives that were listed before and not started: the calls that were announced, and the next
    /// question if none is open. Returns the events that precede calls.
    fn start_listed(
        &mut self,
        machine: &mut dyn AnyMachine,
        calls: &mut ConcurrentCalls,
        announced: &mut BTreeSet<CallId>,
        starts_no_more: bool,
    ) -> Vec<Event> {
        let mut events = Vec::new();
        for id in announced.clone() {
            match machine.poll_only(Some(id)).directives() {
                [directive] => match announcement(directive, announced) {
                    Some(event) => events.push(event),
                    None => calls.start_if_some(id, self.perform(directive)),
                },
                _ => drop(announced.remove(&id)),
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

impl Driver {
    /// Starts the directives that are not in flight, and drops what is in flight and no longer listed.
    ///
    /// One question is open at a time, the oldest first. Calls with [`Effect::Once`](cot_engine::Effect::Once)
    /// are announced together, and made once that is durable.
    pub(crate) fn dispatch(&mut self) {
        if self.persist_before_dispatch() {
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
            in_flight.retain_pending(machine, announced, performer.open_question());
            return;
        }
        let is_alone = directives.len() == 1 && !in_flight.is_concurrent();
        for directive in directives {
            let listed = if let Some(event) = announcement(directive, announced) {
                events.push(event);
                ListedDirective::Pending
            } else if directive.as_question().is_some() && performer.question.is_some() {
                ListedDirective::Held
            } else {
                let future = performer.perform(directive);
                future.map_or(ListedDirective::Pending, ListedDirective::Started)
            };
            match listed {
                ListedDirective::Started(future) if is_alone => in_flight.start_one(future),
                _ if is_alone => {}
                listed => in_flight.add(directive.id, listed),
            }
        }
        in_flight.retain_pending(machine, announced, performer.open_question());
        if persistence.is_enabled() {
            // The events before the calls were recorded, and the calls may be polled before the next ones are.
            self.trace.start_calls();
        }
        for event in events {
            self.submit_event(event, None);
        }
    }
}
