//! Leases that are lost, runs beside each other, and connections that are cut, while functions write in transactions.

use std::time::{Duration, Instant};

use cot_core::{
    RunError, RunEvent,
    store::{RunFilter, Store, StoreError},
};

use super::{
    exactly_once::{LONG, Place, open},
    shop::{self, Fault, Faults, Order, Shop, Trouble, Try},
};
use crate::proxy;

/// Another driver takes the run while the function writes.
#[tokio::test]
async fn a_driver_that_lost_its_lease_commits_nothing() {
    let Some(place) = Place::new(LONG).await else { return };
    let faults = Faults::new(&[Fault::Wait]);
    let runner = Trouble::runner(faults.clone()).store(place.store.clone()).run_id("run");
    let mut run = runner.start(Try::default()).unwrap();
    let watched = async {
        while let Some(event) = run.next().await {
            assert!(!matches!(event, RunEvent::Committed { .. }), "it was rolled back");
        }
        run.finish().await
    };
    let (ended, ()) = tokio::join!(watched, async {
        faults.hangs.notified().await;
        let taken = sqlx::query("UPDATE runs SET epoch = epoch + 1, owner = NULL");
        taken.execute(&place.pool).await.unwrap();
        faults.waits.notify_one();
    });
    let error = ended.unwrap_err();
    assert!(matches!(error, RunError::Store(StoreError::LeaseLost { .. })), "{error:?}");
    assert!(place.rows().await.is_empty());
}

#[tokio::test]
async fn other_runs_do_not_wait_for_a_slow_function() {
    let Some(place) = Place::new(LONG).await else { return };
    let slow = Faults::new(&[Fault::Wait]);
    let runner = Trouble::runner(slow.clone()).store(place.store.clone()).run_id("slow");
    let (ended, ()) = tokio::join!(runner.run(Try::default()), async {
        slow.hangs.notified().await;
        let runner = Trouble::runner(Faults::new(&[])).store(place.store.clone());
        runner.run_id("fast").run(Try::default()).await.unwrap();
        assert_eq!(place.rows().await, ["None"], "the slow one has not committed");
        slow.waits.notify_one();
    });
    assert_eq!(ended.unwrap().state.result, "Wait");
}

/// The outcome of a commit that is cut is not known: the function is called again only if it was not done.
#[tokio::test(flavor = "multi_thread")]
async fn connections_that_are_cut_double_and_lose_no_row() {
    let Some(place) = Place::new(LONG).await else { return };
    let (through, faults) = proxy::start(&place.address).await;
    let (_pool, store) = open(&through, &place.schema, LONG).await;
    let runner = Shop::runner();
    let submitting = runner.clone().store(place.store.clone());
    for number in 0..RUNS {
        let run = submitting.clone().run_id(format!("run-{number}"));
        run.submit(&Order::of_three_items()).await.unwrap();
    }
    let worker = tokio::spawn(runner.worker(store).max_runs(4).max_crashes(u32::MAX).run());
    let mut left = RunFilter::default();
    left.is_ended = Some(false);
    for _ in 0..CUTS {
        tokio::time::sleep(Duration::from_millis(fastrand::u64(5..60))).await;
        faults.cut(Duration::from_millis(fastrand::u64(0..4))).await;
    }
    // A worker whose store has failed often waits longer and longer.
    let end = Instant::now() + Duration::from_secs(90);
    while place.store.count(&left).await.unwrap() > 0 {
        assert!(Instant::now() < end, "the runs end once nothing is cut");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    worker.abort();
    shop::check_rows(&place.rows().await, RUNS);
}

const RUNS: usize = 12;
const CUTS: usize = 80;
