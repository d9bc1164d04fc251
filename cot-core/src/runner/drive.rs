//! The loop: look at the orders, do what the machine directs, hand in what came of it, tell what
//! happened.

use std::{
    collections::VecDeque,
    sync::Arc,
    task::{Context, Poll, Waker, ready},
};

use super::{
    Run, RunError,
    builder::Config,
    handle::{Control, Order},
};
use crate::{Directive, Event, Machine, Process, RunEvent, model::BoxFuture};

/// Steps after which a run lets others have the thread, however fast its models answer.
const STEPS_IN_A_ROW: u32 = 128;

/// A machine with what performs its directives.
pub(super) struct Drive<P: Process> {
    machine: Machine<P>,
    config: Arc<Config<P>>,
    /// The call in flight; dropping it stops it.
    call: Option<BoxFuture<'static, Event>>,
    /// Orders from handles, of a run that can have some.
    control: Option<Arc<Control>>,
    /// Events for the stream, of a run that is one.
    queue: Option<VecDeque<RunEvent<P>>>,
    steps_in_a_row: u32,
    is_over: bool,
}

impl<P: Process> Drive<P> {
    /// Takes on a machine that has been started.
    pub(super) fn new(mut machine: Machine<P>, config: &Arc<Config<P>>) -> Self {
        machine.record(config.is_observed());
        Self {
            machine,
            config: Arc::clone(config),
            call: None,
            control: None,
            queue: None,
            steps_in_a_row: 0,
            is_over: false,
        }
    }

    /// Obeys handles, and keeps events for a stream.
    pub(super) fn steered_by(mut self, control: &Arc<Control>) -> Self {
        self.control = Some(Arc::clone(control));
        self.queue = Some(VecDeque::new());
        self.machine.record(true);
        self
    }

    /// Keeps no more events, as nobody will take them.
    pub(super) fn unstreamed(mut self) -> Self {
        self.queue = None;
        self.machine.record(self.config.is_observed());
        self
    }

    pub(super) const fn machine(&self) -> &Machine<P> {
        &self.machine
    }

    /// Goes on until there is an event for the stream, or none will come any more.
    pub(super) fn poll_event(&mut self, cx: &mut Context<'_>) -> Poll<Option<RunEvent<P>>> {
        loop {
            if let Some(event) = self.queue.as_mut().and_then(VecDeque::pop_front) {
                return Poll::Ready(Some(event));
            }
            if self.is_over {
                return Poll::Ready(None);
            }
            ready!(self.poll_step(cx));
        }
    }

    /// Goes on until the run is over.
    pub(super) fn poll_over(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        while !self.is_over {
            ready!(self.poll_step(cx));
        }
        Poll::Ready(())
    }

    /// What there is to tell at the end.
    pub(super) fn into_run(self) -> Result<Run<P>, RunError> {
        Run::of(self.machine).ok_or(RunError::NotStarted)
    }

    fn poll_step(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        if self.steps_in_a_row == STEPS_IN_A_ROW {
            self.steps_in_a_row = 0;
            cx.waker().wake_by_ref();
            return Poll::Pending;
        }
        let done = self.poll_order(cx);
        self.steps_in_a_row = if done.is_ready() { self.steps_in_a_row + 1 } else { 0 };
        done
    }

    fn poll_order(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        match self.order(cx.waker()) {
            Order::GoOn => ready!(self.poll_directive(cx)),
            Order::SayPaused => self.config.tell(RunEvent::Paused, &mut self.queue),
            Order::Wait => return Poll::Pending,
            Order::Cancel(reason) => {
                self.call = None;
                self.machine.handle(Event::Cancelled { reason });
            }
        }
        for event in self.machine.drain_events() {
            self.config.tell(event, &mut self.queue);
        }
        Poll::Ready(())
    }

    fn order(&self, waker: &Waker) -> Order {
        let at_boundary = self.call.is_none() && self.machine.at_task_boundary();
        match &self.control {
            Some(control) => control.consult(waker, at_boundary),
            None => Order::GoOn,
        }
    }

    /// Takes up a directive, or hands in its answer.
    fn poll_directive(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        if let Some(call) = &mut self.call {
            let event = ready!(call.as_mut().poll(cx));
            self.call = None;
            self.machine.handle(event);
            return Poll::Ready(());
        }
        match self.machine.poll() {
            Directive::CallModel(call) => self.call = Some(self.config.perform(&call)),
            Directive::Finished(_) | Directive::Idle => self.is_over = true,
        }
        Poll::Ready(())
    }
}
