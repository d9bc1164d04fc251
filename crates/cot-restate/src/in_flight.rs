//! The directives that are in flight at the same time.

use std::{
    collections::{BTreeMap, VecDeque},
    time::Duration,
};

use cot_core::{
    CallId, Directive, Event, Machine, Process,
    model::{ModelError, ModelErrorKind},
};
use restate_sdk::{
    context::{CallFuture, DurableFuture, InvocationHandle, RequestTarget},
    prelude::{ContextClient, DurableFuturesUnordered, Json, TerminalError, WorkflowContext},
};

use crate::{pending_event::PendingEvent, request::Request};

/// The directives in flight: model calls on other nodes, timers, and the open question. Functions wait here until
/// they are performed together.
pub(crate) struct InFlight<'a, T> {
    coming: DurableFuturesUnordered<PendingEvent<'a, (CallId, Event)>>,
    calls: BTreeMap<CallId, Call>,
    /// The functions that are to be performed.
    functions: Vec<Directive<T>>,
    /// The questions that are asked after the open one.
    questions: VecDeque<Directive<T>>,
    /// The open question, and its key.
    open: Option<(CallId, String)>,
    /// The events of functions that were performed together.
    ready: VecDeque<Event>,
    /// The newest directive that was listed; ids increase.
    newest: Option<CallId>,
}

/// A directive whose event is awaited.
struct Call {
    key: String,
    /// The invocation on another node, if it is one.
    invocation: Option<InvocationHandle>,
}

impl<T> Default for InFlight<'_, T> {
    fn default() -> Self {
        Self {
            coming: DurableFuturesUnordered::new(),
            calls: BTreeMap::new(),
            functions: Vec::new(),
            questions: VecDeque::new(),
            open: None,
            ready: VecDeque::new(),
            newest: None,
        }
    }
}

impl<'a, T> InFlight<'a, T> {
    /// Returns the newest directive that was listed.
    pub(crate) const fn newest(&self) -> Option<CallId> {
        self.newest
    }

    /// Returns whether no directive is in flight or held.
    pub(crate) fn is_idle(&self) -> bool {
        self.calls.is_empty()
            && self.functions.is_empty()
            && self.questions.is_empty()
            && self.ready.is_empty()
    }

    /// Returns the number of directives whose events are awaited.
    pub(crate) fn len(&self) -> usize {
        self.calls.len()
    }

    /// Iterates over the keys of the directives whose events are awaited, oldest first.
    pub(crate) fn keys(&self) -> impl Iterator<Item = &str> {
        self.calls.values().map(|call| &*call.key)
    }

    /// Marks a directive as listed.
    pub(crate) fn see(&mut self, id: CallId) {
        self.newest = self.newest.max(Some(id));
    }

    /// Holds a function until functions are performed.
    pub(crate) fn hold_function(&mut self, directive: Directive<T>) {
        self.functions.push(directive);
    }

    /// Takes the functions that are to be performed.
    pub(crate) fn take_functions(&mut self) -> Vec<Directive<T>> {
        std::mem::take(&mut self.functions)
    }

    /// Holds a question until the earlier ones are closed.
    pub(crate) fn hold_question(&mut self, directive: Directive<T>) {
        self.questions.push_back(directive);
    }

    /// Takes the oldest question, unless one is open.
    pub(crate) fn next_question(&mut self) -> Option<Directive<T>> {
        if self.open.is_some() { None } else { self.questions.pop_front() }
    }

    /// Opens a question.
    pub(crate) fn open_question(&mut self, id: CallId, key: String) {
        self.open = Some((id, key));
    }

    /// Closes the open question if the machine does not wait for its answer any more, and returns its key.
    pub(crate) fn close_question<P: Process>(&mut self, machine: &Machine<P>) -> Option<String> {
        self.open.take_if(|(id, _)| !machine.is_pending(*id)).map(|(_, key)| key)
    }

    /// Cancels the directives for which the machine no longer waits. `new` is the number of directives that are
    /// about to start; the counts tell whether there are stale ones.
    pub(crate) fn cancel_stale<P: Process>(&mut self, machine: &Machine<P>, new: usize) {
        let held = self.functions.len() + self.questions.len() + self.ready.len();
        if self.calls.len() + held + new > machine.pending_calls() {
            for (_, call) in self.calls.extract_if(.., |id, _| !machine.is_pending(*id)) {
                if let Some(invocation) = call.invocation {
                    invocation.cancel();
                }
            }
        }
        self.functions.retain(|directive| machine.is_pending(directive.id));
        self.questions.retain(|directive| machine.is_pending(directive.id));
        self.ready.retain(|event| event.id().is_some_and(|id| machine.is_pending(id)));
        if self.calls.is_empty() {
            self.coming = DurableFuturesUnordered::new();
        }
    }

    /// Starts model calls on other nodes.
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
            let invocation = Some(call.invocation_handle().await?);
            self.calls.insert(id, Call { key, invocation });
            self.coming.push(Box::pin(call.map(move |ended| Ok((id, event(id, ended))))));
        }
        Ok(())
    }

    /// Awaits the event of a directive of this node.
    pub(crate) fn await_event(
        &mut self,
        (id, key): (CallId, String),
        coming: PendingEvent<'a, (CallId, Event)>,
    ) {
        self.calls.entry(id).or_insert(Call { key, invocation: None });
        self.coming.push(coming);
    }

    /// Adds events that have occurred.
    pub(crate) fn add_ready(&mut self, events: Vec<Event>) {
        self.ready.extend(events);
    }

    /// Takes an event that has occurred.
    pub(crate) fn take_ready(&mut self) -> Option<Event> {
        self.ready.pop_front()
    }

    /// Waits for the first event for which the machine waits.
    pub(crate) async fn next<P: Process>(
        &mut self,
        machine: &Machine<P>,
    ) -> Result<Event, TerminalError> {
        while let Some((_, came)) = self.coming.next().await? {
            let (id, event) = came?;
            if self.calls.remove(&id).is_some() && machine.is_pending(id) {
                return Ok(event);
            }
        }
        Err(TerminalError::new("nothing is in flight"))
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
