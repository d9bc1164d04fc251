//! Programs that are killed while functions write in transactions. The tests of all stores with transactions share them.

use std::{
    env,
    ops::Range,
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

use cot_core::store::{RunFilter, Store};

use super::shop::{self, Order, Shop};

/// The variable that says where the program finds its store.
pub(crate) const PLACE: &str = "COT_TEST_SHOP";

/// Works until it is killed.
pub(crate) async fn work(store: impl Store + 'static) {
    let worker = Shop::runner().worker(store).max_runs(8).max_crashes(u32::MAX);
    worker.run().await.unwrap();
}

/// Starts the test program as the one that is killed.
pub(crate) fn spawn(place: &str) -> Child {
    let name = "transactions::exactly_once::program";
    let mut command = Command::new(env::current_exe().unwrap());
    command.args(["--ignored", "--exact", name, "--test-threads=1"]).env(PLACE, place);
    command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
}

/// Kills the program at random, as often as is wanted, while it works on so many runs at once. Each call has written one row
/// then.
pub(crate) async fn survive(
    store: impl Store + Clone + 'static,
    rows: impl AsyncFn() -> Vec<String>,
    spawn: impl Fn() -> Child,
    (at_once, kills): (usize, usize),
) {
    let mut left = RunFilter::default();
    left.is_ended = Some(false);
    let (mut program, mut killed, mut runs) = (spawn(), 0, 0);
    let end = Instant::now() + Duration::from_secs(60 + 3 * kills as u64);
    loop {
        let is_over = store.count(&left).await.unwrap() == 0;
        if is_over && killed >= kills {
            break;
        } else if is_over {
            submit(&store, runs..runs + at_once).await;
            runs += at_once;
        }
        // A start takes longer than a run: the program is killed once it has written some rows more.
        let goal = rows().await.len() + fastrand::usize(1..=8);
        while rows().await.len() < goal && store.count(&left).await.unwrap() > 0 {
            assert!(Instant::now() < end, "{goal} rows after {killed} kills");
            tokio::time::sleep(Duration::from_micros(fastrand::u64(100..3000))).await;
        }
        if killed < kills {
            program.kill().unwrap();
            program.wait().unwrap();
            killed += 1;
            program = spawn();
        }
    }
    program.kill().unwrap();
    program.wait().unwrap();
    shop::check_rows(&rows().await, runs);
    println!("{runs} runs wrote exactly once, with {killed} kills");
}

async fn submit(store: &(impl Store + Clone + 'static), numbers: Range<usize>) {
    let runner = Shop::runner().store(store.clone());
    for number in numbers {
        let run = runner.clone().run_id(format!("run-{number}"));
        run.submit(&Order::of_three_items()).await.unwrap();
    }
}
