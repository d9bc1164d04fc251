//! A program with twenty runs of twenty steps, killed again and again.

use std::{collections::BTreeSet, path::Path, time::Duration};

use cot_crash_tests::{RUNS, STEPS};
use tokio::process::Child;

use crate::{
    ledger::{Ledger, check_life},
    server::{ModelServer, Step},
    worker,
};

/// What chance begins with, so that a failure can be had again as far as the machine allows.
const SEED: u64 = 20;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn kills_lose_nothing_and_pay_for_nothing_twice() {
    survives(worker::kills(100), worker::start).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn runs_that_write_for_themselves_lose_nothing_either() {
    survives(worker::kills(50), worker::start_one_by_one).await;
}

async fn survives(kills: usize, start: fn(&Path, &str) -> Child) {
    let folder = tempfile::tempdir().unwrap();
    let database = folder.path().join("runs.sqlite");
    let server = ModelServer::start().await;
    let mut random = fastrand::Rng::with_seed(SEED);
    let mut ledgers = vec![Ledger::read(&database).await];
    for life in 0..kills {
        let answers = server.answered() + random.usize(0..=5);
        // Few enough that so many lives can't finish the work.
        server.hold_after(answers + 1);
        let mut child = start(&database, &server.url(life));
        server.has_answered(answers).await;
        tokio::time::sleep(Duration::from_micros(random.u64(0..3000))).await;
        child.kill().await.unwrap();
        ledgers.push(Ledger::read(&database).await);
    }
    server.release();
    assert!(ledgers[kills].ended < RUNS as usize, "nothing was left to do before the last kill");

    let output = start(&database, &server.url(kills)).wait_with_output().await.unwrap();
    assert!(output.status.success(), "{}", worker::complaint(&output));
    ledgers.push(Ledger::read(&database).await);
    let last = &ledgers[kills + 1];
    assert_eq!(last.ended, RUNS as usize);
    assert_eq!(last.replies.len(), (RUNS * STEPS) as usize);

    let asked = server.asked();
    let lives = ledgers.windows(2).enumerate();
    let lost: usize = lives.map(|(life, pair)| check_life(life, &asked, &pair[0], &pair[1])).sum();
    assert!(lost > 0 || !worker::is_long(), "no kill hit a call in flight");
    println!("{kills} kills, {} replies, {lost} calls in flight lost", last.replies.len());
}

/// How many calls are answered in each life, fewer in all than any run needs: so all runs are left.
const ANSWERS: [usize; 4] = [7, 0, 12, 0];

/// Nothing is being written when the program dies: each of its runs waits for a call that hangs.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn calls_that_hang_are_made_once_more_and_nothing_else() {
    let folder = tempfile::tempdir().unwrap();
    let database = folder.path().join("runs.sqlite");
    let server = ModelServer::start().await;
    let mut ledgers = vec![Ledger::read(&database).await];
    let mut hanging = BTreeSet::new();
    for (life, answers) in ANSWERS.into_iter().enumerate() {
        server.answer_from(life);
        server.hold_after(server.answered() + answers);
        let mut child = worker::start(&database, &server.url(life));
        server.has_asked(life, RUNS as usize + answers).await;
        ledgers.push(at_rest(&database, server.answered()).await);
        child.kill().await.unwrap();

        let asked = steps_of_life(&server, life);
        assert!(hanging.is_subset(&asked), "life {life} has not asked again for {hanging:?}");
        assert_eq!(asked.len(), RUNS as usize + answers, "life {life}");
        hanging = asked.difference(&ledgers[life + 1].replies).copied().collect();
        assert_eq!(hanging.len(), RUNS as usize, "a call of each run hangs in life {life}");
    }
    server.answer_from(ANSWERS.len());
    server.release();
    let output = worker::run(&database, &server.url(ANSWERS.len())).await;
    assert!(output.status.success(), "{}", worker::complaint(&output));
    ledgers.push(Ledger::read(&database).await);

    let asked = server.asked();
    let lives = ledgers.windows(2).enumerate();
    let lost: Vec<_> =
        lives.map(|(life, pair)| check_life(life, &asked, &pair[0], &pair[1])).collect();
    let runs = RUNS as usize;
    assert_eq!(lost, [runs, runs, runs, runs, 0]);
    assert_eq!(asked.len(), (RUNS * STEPS) as usize + ANSWERS.len() * runs);
}

/// What the journals say once all that was answered is committed: then nothing more is written.
async fn at_rest(database: &Path, answered: usize) -> Ledger {
    loop {
        let ledger = Ledger::read(database).await;
        if ledger.commits == answered {
            return ledger;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

fn steps_of_life(server: &ModelServer, life: usize) -> BTreeSet<Step> {
    let asked = server.asked().into_iter().filter(|call| call.life == life);
    asked.map(|call| call.step).collect()
}
