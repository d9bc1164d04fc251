//! The calls of a for-each task that are under way on other nodes.

use std::{
    collections::{BTreeMap, BTreeSet},
    time::Duration,
};

use cot_core::{
    CallId, Event,
    model::{ModelError, ModelErrorKind},
};
use restate_sdk::{
    context::{CallFuture, DurableFuture, InvocationHandle, RequestTarget},
    prelude::{ContextClient, DurableFuturesUnordered, Json, TerminalError, WorkflowContext},
};

use crate::{drive::Coming, request::Request};

/// The calls of a for-each task that are under way.
#[derive(Default)]
pub(crate) struct Flight<'a> {
    coming: DurableFuturesUnordered<Coming<'a, (CallId, Event)>>,
    under_way: BTreeMap<CallId, InvocationHandle>,
}

impl<'a> Flight<'a> {
    pub(crate) fn has(&self, id: CallId) -> bool {
        self.under_way.contains_key(&id)
    }

    /// Ends the calls that are not among these.
    pub(crate) fn keep(&mut self, wanted: &BTreeSet<CallId>) {
        for (_, call) in self.under_way.extract_if(.., |id, _| !wanted.contains(id)) {
            call.cancel();
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
            let id = request.id;
            (id, ctx.request::<_, Json<Event>>(target.clone(), Json(request)).call())
        };
        // All are on their way before the first is waited for.
        let begun: Vec<_> = requests.into_iter().map(begin).collect();
        for (id, call) in begun {
            self.under_way.insert(id, call.invocation_handle().await?);
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
