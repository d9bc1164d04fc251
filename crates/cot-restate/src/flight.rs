//! The calls of a for-each task that are under way on other nodes.

use std::{collections::BTreeMap, time::Duration};

use cot_core::{
    CallId, Event, Machine, Process,
    model::{ModelError, ModelErrorKind},
};
use restate_sdk::{
    context::{CallFuture, DurableFuture, InvocationHandle, RequestTarget},
    prelude::{ContextClient, DurableFuturesUnordered, Json, TerminalError, WorkflowContext},
};

use crate::{coming::Coming, request::Request};

/// The calls of a for-each task that are under way.
#[derive(Default)]
pub(crate) struct Flight<'a> {
    coming: DurableFuturesUnordered<Coming<'a, (CallId, Event)>>,
    under_way: BTreeMap<CallId, Call>,
    /// The newest call that was begun; ids grow.
    newest: Option<CallId>,
}

struct Call {
    key: String,
    invocation: InvocationHandle,
}

impl<'a> Flight<'a> {
    /// The newest call that was begun.
    pub(crate) const fn newest(&self) -> Option<CallId> {
        self.newest
    }

    /// The number of calls under way.
    pub(crate) fn len(&self) -> usize {
        self.under_way.len()
    }

    /// The keys of the calls under way, the oldest first.
    pub(crate) fn keys(&self) -> impl Iterator<Item = &str> {
        self.under_way.values().map(|call| &*call.key)
    }

    /// Cancels the calls for which the machine no longer waits, before the ones that it directs now are begun.
    /// Mostly there are none, which their number tells.
    pub(crate) fn keep<P: Process>(&mut self, machine: &Machine<P>, new: usize) {
        if self.under_way.len() + new > machine.pending_calls() {
            for (_, call) in self.under_way.extract_if(.., |id, _| !machine.is_pending(*id)) {
                call.invocation.cancel();
            }
        }
        if self.under_way.is_empty() {
            self.coming = DurableFuturesUnordered::new();
        }
    }

    /// Begins calls.
    pub(crate) async fn begin(
        &mut self,
        ctx: &'a WorkflowContext<'a>,
        target: &RequestTarget,
        requests: Vec<Request>,
    ) -> Result<(), TerminalError> {
        let begin = |request: Request| {
            let (id, key) = (request.id, request.call.clone());
            (id, key, ctx.request::<_, Json<Event>>(target.clone(), Json(request)).call())
        };
        // All are on their way before the first is waited for.
        let begun: Vec<_> = requests.into_iter().map(begin).collect();
        for (id, key, call) in begun {
            let invocation = call.invocation_handle().await?;
            self.under_way.insert(id, Call { key, invocation });
            self.newest = self.newest.max(Some(id));
            self.coming.push(Box::pin(call.map(move |ended| Ok((id, event(id, ended))))));
        }
        Ok(())
    }

    /// The first call that comes back.
    pub(crate) async fn next(&mut self) -> Result<Event, TerminalError> {
        while let Some((_, came)) = self.coming.next().await? {
            let (id, event) = came?;
            if self.under_way.remove(&id).is_some() {
                return Ok(event);
            }
        }
        Err(TerminalError::new("no call is under way"))
    }
}

/// What came of a call. One that somebody has ended by hand is a model that could not be reached.
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
