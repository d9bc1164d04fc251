//! The calls of a for-each task that are in flight on other nodes.

use std::{collections::BTreeMap, time::Duration};

use cot_core::{
    CallId, Event, Machine, Process,
    model::{ModelError, ModelErrorKind},
};
use restate_sdk::{
    context::{CallFuture, DurableFuture, InvocationHandle, RequestTarget},
    prelude::{ContextClient, DurableFuturesUnordered, Json, TerminalError, WorkflowContext},
};

use crate::{pending_event::PendingEvent, request::Request};

/// The calls of a for-each task that are in flight.
#[derive(Default)]
pub(crate) struct InFlight<'a> {
    coming: DurableFuturesUnordered<PendingEvent<'a, (CallId, Event)>>,
    calls: BTreeMap<CallId, Call>,
    /// The newest call that was started; ids increase.
    newest: Option<CallId>,
}

struct Call {
    key: String,
    invocation: InvocationHandle,
}

impl<'a> InFlight<'a> {
    /// Returns the newest call that was started.
    pub(crate) const fn newest(&self) -> Option<CallId> {
        self.newest
    }

    /// Returns the number of calls in flight.
    pub(crate) fn len(&self) -> usize {
        self.calls.len()
    }

    /// Iterates over the keys of the calls in flight, oldest first.
    pub(crate) fn keys(&self) -> impl Iterator<Item = &str> {
        self.calls.values().map(|call| &*call.key)
    }

    /// Cancels the calls for which the machine no longer waits. `new` is the number of calls that are
    /// about to start; the counts tell whether there are stale ones.
    pub(crate) fn cancel_stale<P: Process>(&mut self, machine: &Machine<P>, new: usize) {
        if self.calls.len() + new > machine.pending_calls() {
            for (_, call) in self.calls.extract_if(.., |id, _| !machine.is_pending(*id)) {
                call.invocation.cancel();
            }
        }
        if self.calls.is_empty() {
            self.coming = DurableFuturesUnordered::new();
        }
    }

    /// Starts calls.
    pub(crate) async fn start(
        &mut self,
        ctx: &'a WorkflowContext<'a>,
        target: &RequestTarget,
        requests: Vec<Request>,
    ) -> Result<(), TerminalError> {
        let begin = |request: Request| {
            let (id, key) = (request.id, request.call.clone());
            (id, key, ctx.request::<_, Json<Event>>(target.clone(), Json(request)).call())
        };
        // All calls are sent before the first is awaited.
        let begun: Vec<_> = requests.into_iter().map(begin).collect();
        for (id, key, call) in begun {
            let invocation = call.invocation_handle().await?;
            self.calls.insert(id, Call { key, invocation });
            self.newest = self.newest.max(Some(id));
            self.coming.push(Box::pin(call.map(move |ended| Ok((id, event(id, ended))))));
        }
        Ok(())
    }

    /// Waits for the first call that returns an event.
    pub(crate) async fn next(&mut self) -> Result<Event, TerminalError> {
        while let Some((_, came)) = self.coming.next().await? {
            let (id, event) = came?;
            if self.calls.remove(&id).is_some() {
                return Ok(event);
            }
        }
        Err(TerminalError::new("no call is in flight"))
    }
}

/// Converts the result of a call to an event. A call that was ended manually counts as an unreachable
/// model.
fn event(id: CallId, ended: Result<Json<Event>, TerminalError>) -> Event {
    ended.map_or_else(
        |error| {
            let message = format!("the call was ended: {}", error.message());
            let error = ModelError::new(ModelErrorKind::Other, message);
            Event::Failed { id, error, elapsed: Duration::ZERO }
        },
        Json::into_inner,
    )
}
