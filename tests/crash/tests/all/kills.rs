//! A program with twenty runs of twenty steps, killed again and again.

use std::time::Duration;

use cot_crash_tests::{RUNS, STEPS};

use crate::{
    ledger::{Ledger, check_life},
    server::ModelServer,
    worker,
};

const KILLS: usize = 100;

/// What chance begins with, so that a failure can be had again as far as the machine allows.
const SEED: u64 = 20;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_hundred_kills_lose_nothing_and_pay_for_nothing_twice() {
    let folder = tempfile::tempdir().unwrap();
    let database = folder.path().join("runs.sqlite");
    let server = ModelServer::start().await;
    let mut random = fastrand::Rng::with_seed(SEED);
    let mut ledgers = vec![Ledger::read(&database).await];
    for life in 0..KILLS {
        let answers = server.answered() + random.usize(0..=5);
        // Few enough that a hundred lives can't finish the work.
        server.hold_after(answers + 1);
        let mut child = worker::start(&database, &server.url(life));
        server.has_answered(answers).await;
        tokio::time::sleep(Duration::from_micros(random.u64(0..3000))).await;
        child.kill().await.unwrap();
        ledgers.push(Ledger::read(&database).await);
    }
    server.release();
    assert!(ledgers[KILLS].ended < RUNS as usize, "nothing was left to do before the last kill");

    let output = worker::run(&database, &server.url(KILLS)).await;
    assert!(output.status.success(), "{}", worker::complaint(&output));
    ledgers.push(Ledger::read(&database).await);
    let last = &ledgers[KILLS + 1];
    assert_eq!(last.ended, RUNS as usize);
    assert_eq!(last.replies.len(), (RUNS * STEPS) as usize);

    let asked = server.asked();
    let lives = ledgers.windows(2).enumerate();
    let lost: usize = lives.map(|(life, pair)| check_life(life, &asked, &pair[0], &pair[1])).sum();
    assert!(lost > 0, "no kill hit a call in flight");
    println!("{KILLS} kills, {} replies, {lost} calls in flight lost", last.replies.len());
}
