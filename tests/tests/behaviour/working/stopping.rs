//! Workers that shut down.

use std::{sync::Arc, time::Duration};

use cot_core::store::{MemoryStore, Status, Store};
use tokio::sync::{Notify, oneshot};

use super::{Desk, always, answered, approval, draft, id, seen::Seen, submit, summary};
use crate::{drive::note, running::Asked};

/// A model that has been called, and that answers when it is let.
struct Gate {
    model: Asked,
    called: Arc<Notify>,
    open: Arc<Notify>,
}

impl Gate {
    fn new() -> Self {
        let (called, open) = (Arc::<Notify>::default(), Arc::<Notify>::default());
        let (here, opened) = (Arc::clone(&called), Arc::clone(&open));
        let model = Asked::new(move |_| {
            let (here, opened) = (Arc::clone(&here), Arc::clone(&opened));
            async move {
                here.notify_one();
                opened.notified().await;
                Ok(note("a", 1).into())
            }
        });
        Self { model, called, open }
    }
}

#[tokio::test]
async fn a_reply_in_flight_is_stored_before_the_worker_ends() {
    let (store, gate) = (MemoryStore::default(), Gate::new());
    submit(approval(&gate.model), &store, &["one"]).await;
    // A question is answered before the worker begins: it asks the model twice.
    let (stop, stopped) = oneshot::channel::<()>();
    let seen = Seen::default();
    let worker = approval(&gate.model).worker(store.clone()).observe(seen.listen());
    let worker = tokio::spawn(worker.run_until(async { drop(stopped.await) }));
    gate.called.notified().await;
    drop(stop);
    // The worker has begun to stop, or will: either way it waits for the reply.
    tokio::task::yield_now().await;
    gate.open.notify_one();
    worker.await.unwrap().unwrap();

    assert_eq!(seen.runs("claimed"), ["one"]);
    let left = summary(&store, "one").await;
    assert!(!left.is_driven);
    assert_eq!(gate.model.calls.all(), 1);
    // The reply is durable: another worker does not ask for it again.
    let model = always();
    approval(&model).worker(store.clone()).run_until_idle().await.unwrap();
    assert_eq!(model.calls.all(), 0);
    let Status::Asking { key, .. } = summary(&store, "one").await.status else { panic!() };
    store.put_answer(&id("one"), &key, answered()).await.unwrap();
    approval(&model).worker(store.clone()).run_until_idle().await.unwrap();
    assert_eq!((model.calls.all(), summary(&store, "one").await.status.word()), (1, "end"));
}

#[tokio::test(start_paused = true)]
async fn runs_that_take_too_long_are_dropped_and_continue_elsewhere() {
    let store = MemoryStore::default();
    submit(draft(&always()), &store, &["one"]).await;
    let gate = Gate::new();
    let (stop, stopped) = oneshot::channel::<()>();
    let seen = Seen::default();
    let worker = draft(&gate.model).worker(store.clone()).grace(Duration::from_secs(5));
    let worker = worker.observe(seen.listen()).run_until(async { drop(stopped.await) });
    let worker = tokio::spawn(worker);
    gate.called.notified().await;
    drop(stop);
    let began = tokio::time::Instant::now();
    worker.await.unwrap().unwrap();
    assert!(began.elapsed() >= Duration::from_secs(5), "{:?}", began.elapsed());
    assert_eq!(seen.runs("released"), ["one"]);
    assert!(!summary(&store, "one").await.is_driven);

    draft(&always()).worker(store.clone()).run_until_idle().await.unwrap();
    assert_eq!(summary(&store, "one").await.status.word(), "end");
}

#[tokio::test]
async fn a_worker_that_stops_claims_nothing_more() {
    let store = MemoryStore::default();
    let worker = draft(&always()).worker(store.clone());
    worker.run_until(std::future::ready(())).await.unwrap();
    let (stop, stopped) = oneshot::channel::<()>();
    let seen = Seen::default();
    let worker = draft(&always()).worker(store.clone()).observe(seen.listen());
    let worker = tokio::spawn(worker.run_until(async { drop(stopped.await) }));
    drop(stop);
    worker.await.unwrap().unwrap();
    draft(&always()).store(store.clone()).submit(&Desk::default()).await.unwrap();
    assert!(seen.runs("claimed").is_empty());
}

/// Dropping the future of a worker is like a crash without its death.
#[tokio::test]
async fn a_dropped_worker_releases_its_runs() {
    let (store, gate) = (MemoryStore::default(), Gate::new());
    submit(draft(&gate.model), &store, &["one"]).await;
    let worker = tokio::spawn(draft(&gate.model).worker(store.clone()).run());
    gate.called.notified().await;
    worker.abort();
    assert!(worker.await.unwrap_err().is_cancelled());
    while summary(&store, "one").await.is_driven {
        tokio::task::yield_now().await;
    }
    draft(&always()).worker(store.clone()).run_until_idle().await.unwrap();
    assert_eq!(summary(&store, "one").await.status.word(), "end");
}
