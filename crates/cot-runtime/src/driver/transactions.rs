//! The calls of a run that are made in transactions of its store: one at a time, while the run does nothing else.
//!
//! The store appends what the run records to the same transaction, so nothing else of the run may be recorded before it
//! ends; and a store with one writer would never end a write that waits for it.

use std::{
    collections::VecDeque,
    future::poll_fn,
    mem,
    panic::resume_unwind,
    pin::Pin,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    task::{Context, Poll, ready},
    time::Duration,
};

use cot_engine::{CallId, CallKey, Event, FunctionCall, FunctionError, internal::AnyMachine};
use cot_store::{Lease, Store, StoreError, Transaction};
use tokio::task::JoinHandle;

use crate::{clock, driver::directive_future::DirectiveFuture, trace::run_trace::RunTrace};

/// The calls with [`Effect::Transaction`](cot_engine::Effect::Transaction) that a run waits for.
#[derive(Default)]
pub(crate) struct Transactions {
    waiting: VecDeque<CallId>,
    open: Option<OpenTransaction>,
}

/// A call, from the begin of its transaction on.
pub(crate) struct OpenTransaction {
    pub(crate) key: CallKey,
    call: SpawnedCall,
    begun: Begun,
}

/// The event of a call, and its transaction if its function has returned a value.
pub(crate) type EndedCall = (CallKey, Event, Option<Box<dyn Transaction>>);

/// A call in a task of its own, since others wait for what it holds: its time limit ends it also while nobody polls the
/// driver. Dropping it aborts the call.
struct SpawnedCall(JoinHandle<Event>);

/// A transaction whose function has returned a value, or the error that there is none.
type Begun = Arc<Mutex<Option<Result<Box<dyn Transaction>, StoreError>>>>;

impl Transactions {
    pub(crate) fn add(&mut self, id: CallId) {
        self.waiting.push_back(id);
    }

    pub(crate) fn len(&self) -> usize {
        self.waiting.len() + usize::from(self.open.is_some())
    }

    /// Returns the calls that have not begun.
    pub(crate) fn waiting(&self) -> impl Iterator<Item = CallId> {
        self.waiting.iter().copied()
    }

    pub(crate) const fn is_open(&self) -> bool {
        self.open.is_some()
    }

    /// Begins the next call. Returns whether there is one.
    pub(crate) fn begin_next(
        &mut self,
        machine: &mut dyn AnyMachine,
        (store, lease): (Arc<dyn Store>, Arc<Lease>),
        trace: Option<&mut RunTrace>,
    ) -> bool {
        let Some(id) = self.waiting.pop_front() else { return false };
        // A call that the machine waits for no more is not listed.
        if let [directive] = machine.poll_only(Some(id)).directives()
            && let Some(function) = directive.as_function_call()
        {
            let begun = Begun::default();
            let (key, call) = (directive.key.clone(), (id, directive.timeout));
            let performed = perform(store, lease, function.clone(), call, Arc::clone(&begun));
            let cell = trace.map(|trace| trace.add_call(directive, None, false));
            let call = SpawnedCall::new(DirectiveFuture::Other(Box::pin(performed)).traced(cell));
            self.open = Some(OpenTransaction { key, call, begun });
        }
        true
    }

    /// Polls the call. Returns its event, and the transaction if its function has returned a value.
    pub(crate) fn poll(
        &mut self,
        cx: &mut Context<'_>,
    ) -> Poll<Result<Option<EndedCall>, StoreError>> {
        let Some(open) = &mut self.open else { return Poll::Ready(Ok(None)) };
        let event = ready!(open.call.poll(cx));
        let begun = lock(&open.begun).take().transpose();
        let key = mem::take(&mut self.open).map(|open| open.key);
        Poll::Ready(begun.map(|transaction| key.map(|key| (key, event, transaction))))
    }
}

impl SpawnedCall {
    fn new(mut call: DirectiveFuture) -> Self {
        Self(tokio::spawn(poll_fn(move |cx| call.poll(cx))))
    }

    fn poll(&mut self, cx: &mut Context<'_>) -> Poll<Event> {
        match ready!(Pin::new(&mut self.0).poll(cx)) {
            Ok(event) => Poll::Ready(event),
            Err(ended) => match ended.try_into_panic() {
                Ok(panic) => resume_unwind(panic),
                // The runtime shuts down, and drops the driver as well.
                Err(_) => Poll::Pending,
            },
        }
    }
}

impl Drop for SpawnedCall {
    fn drop(&mut self) {
        self.0.abort();
    }
}

/// Calls a function in a transaction, which is rolled back unless it returns a value.
async fn perform(
    store: Arc<dyn Store>,
    lease: Arc<Lease>,
    function: FunctionCall,
    (id, timeout): (CallId, Option<Duration>),
    begun: Begun,
) -> Event {
    let mut transaction = match store.begin(&lease).await {
        Ok(transaction) => transaction,
        Err(error) => {
            let result = Err(FunctionError::not_done(&error));
            *lock(&begun) = Some(Err(error));
            return Event::Ran { id, result, elapsed: Duration::ZERO };
        }
    };
    // A driver that is dropped has released its lease then, although this task ends a little later.
    drop(lease);
    let limit = store.transactions().map(|support| support.limit);
    let least = [limit, timeout].into_iter().flatten().min();
    let event = clock::run_function(id, least, function.run_in(transaction.connection())).await;
    let event = match event {
        // No timer ends a function that does not await.
        Event::Ran { elapsed, result: Ok(_), .. } if least.is_some_and(|least| elapsed > least) => {
            Event::TimedOut { id, elapsed }
        }
        event => event,
    };
    match (event, limit) {
        (Event::Ran { id, result: Ok(value), elapsed }, _) => {
            let checked = transaction.check().await.map(|()| value);
            let result = checked.map_err(|error| {
                FunctionError::not_done(FunctionError::from_error(&error).message())
            });
            *lock(&begun) = result.is_ok().then_some(Ok(transaction));
            Event::Ran { id, result, elapsed }
        }
        (Event::TimedOut { id, elapsed }, Some(limit)) if least < timeout || timeout.is_none() => {
            let why = format!(
                "the function kept its transaction open for longer than {limit:?}, while others wait for it: it was \
                 rolled back; call what takes long in a task before it"
            );
            Event::Ran { id, result: Err(FunctionError::not_done(why)), elapsed }
        }
        (event, _) => event,
    }
}

/// Locks a slot. It holds nothing that a panic could leave inconsistent.
fn lock<T>(slot: &Mutex<T>) -> MutexGuard<'_, T> {
    slot.lock().unwrap_or_else(PoisonError::into_inner)
}
