//! People and timers that outlast the program.

use std::time::{Duration, SystemTime};

use cot_core::{
    RunError, RunReport, Runner,
    prelude::*,
    store::{Record, Status, Store, StoreError},
};
use serde::{Deserialize, Serialize};
use serde_json::json;
use tokio::time::Instant;

use super::ledger::Ledger;
use crate::{
    drive::{Note, note},
    running::{Asked, until_waiting},
};

const HOUR: Duration = Duration::from_secs(3600);
const RUN: &str = "a-run";

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Desk {
    notes: Vec<Note>,
    is_late: bool,
}

cot_process! {
    pub(crate) process Nap {
        state: Desk,
        task sleep -> Note { wait: 1h, prompt: "Awake?", update: { notes[] = output }, next: done }
        task done { end }
    }
}

/// What no schema says.
fn is_no_rubbish(note: &Note, _: &Desk) -> Result<(), Issues> {
    if note.text == "rubbish" { Err(Issues::at("text", "is rubbish")) } else { Ok(()) }
}

cot_process! {
    pub(crate) process Approval {
        state: Desk,
        task draft -> Note { update: { notes[] = output }, next: ask }

        task ask -> Note {
            ask: "Is ${state.notes.len()} enough?",
            timeout: 1h,
            check: is_no_rubbish,
            update: { notes[] = output },
            on: { timeout => late },
            next: done,
        }

        task late { next: done }
        task done { end }
    }
}

fn nap(store: &Ledger) -> Runner<Nap> {
    Nap::runner().model(Asked::always(note("up", 1))).store(store.clone())
}

fn approval(store: &Ledger) -> Runner<Approval> {
    Approval::runner().model(Asked::always(note("up", 1))).store(store.clone())
}

/// Has the waiting that was written end so long from now.
fn ends_in(store: &Ledger, left: Duration) {
    let end = SystemTime::now() + left;
    store.edit(move |record| {
        if let Record::Step(step) = record {
            match &mut step.status {
                Status::Sleeping { until, .. } => *until = end,
                Status::Asking { until, .. } => *until = Some(end),
                _ => {}
            }
        }
    });
}

/// A run that waits, and whose program has died.
async fn waiting<P: Process<Context = (), State = Desk>>(
    runner: Runner<P>,
    store: &Ledger,
) -> Status {
    let mut run = runner.run_id(RUN).start(Desk::default()).unwrap();
    until_waiting(&mut run);
    drop(run);
    store.status(RUN).await
}

async fn timed<P: Process<Context = ()>>(runner: &Runner<P>) -> (RunReport<P>, Duration) {
    let began = Instant::now();
    let run = runner.resume(RUN).unwrap().finish().report().await.unwrap();
    (run, began.elapsed())
}

#[tokio::test(start_paused = true)]
async fn the_rest_of_a_timer_is_waited() {
    let store = Ledger::default();
    let before = SystemTime::now();
    let Status::Sleeping { task, until } = waiting(nap(&store), &store).await else { panic!() };
    assert_eq!(task, "sleep");
    // Times are kept in milliseconds.
    assert!(until + Duration::from_millis(1) >= before + HOUR);
    ends_in(&store, 600 * Duration::from_secs(1));
    let (run, waited) = timed(&nap(&store)).await;
    assert_eq!(run.state.notes.len(), 1);
    // The clock on the wall goes on meanwhile, if not by much.
    assert!(waited > Duration::from_secs(300) && waited <= Duration::from_secs(601), "{waited:?}");
}

#[tokio::test(start_paused = true)]
async fn a_timer_that_has_run_down_is_not_waited_for() {
    let store = Ledger::default();
    waiting(nap(&store), &store).await;
    ends_in(&store, Duration::ZERO);
    let (_, waited) = timed(&nap(&store)).await;
    assert!(waited < Duration::from_secs(1), "{waited:?}");
}

/// A fork is a run of its own, and stands where the other stood last before its next step.
#[tokio::test(start_paused = true)]
async fn a_fork_waits_from_its_own_beginning_but_not_for_what_was_over() {
    let store = Ledger::default();
    waiting(nap(&store), &store).await;
    ends_in(&store, Duration::ZERO);
    let began = Instant::now();
    nap(&store).run_id("asleep").fork(RUN, 0).unwrap().create().await.unwrap().await.unwrap();
    assert!(began.elapsed() >= HOUR, "{:?}", began.elapsed());

    nap(&store).resume(RUN).unwrap().await.unwrap();
    let began = Instant::now();
    nap(&store).run_id("awake").fork(RUN, 0).unwrap().create().await.unwrap().await.unwrap();
    assert!(began.elapsed() < Duration::from_secs(1), "{:?}", began.elapsed());
}

#[tokio::test(start_paused = true)]
async fn the_rest_of_the_time_of_a_person_is_waited() {
    let store = Ledger::default();
    let Status::Asking { question, until, since, .. } = waiting(approval(&store), &store).await
    else {
        panic!()
    };
    assert_eq!(question, "Is 1 enough?");
    assert_eq!(until.unwrap().duration_since(since).unwrap(), HOUR);
    ends_in(&store, 600 * Duration::from_secs(1));
    let (run, waited) = timed(&approval(&store)).await;
    assert_eq!(run.state.notes.len(), 1);
    assert!(waited > Duration::from_secs(300) && waited <= Duration::from_secs(601), "{waited:?}");
}

/// Until somebody is asked, with the key of the question.
async fn asked(store: &Ledger, attempt: u32) -> cot_core::CallKey {
    loop {
        tokio::task::yield_now().await;
        let summary = store.run(&RUN.parse().unwrap()).await.unwrap();
        if let Some(Status::Asking { key, .. }) = summary.map(|summary| summary.status)
            && key.attempt() == attempt
        {
            return key;
        }
    }
}

#[tokio::test]
async fn a_person_answers_through_the_store() {
    let store = Ledger::default();
    let run = tokio::spawn(approval(&store).run_id(RUN).run(Desk::default()));
    let id = RUN.parse().unwrap();
    let key = asked(&store, 1).await;
    let wrong =
        store.put_answer(&id, &key, json!({ "text": "yes", "rank": "many" })).await.unwrap_err();
    let StoreError::InvalidAnswer { issues, .. } = &wrong else { panic!("{wrong}") };
    assert_eq!(issues.iter().next().unwrap().path, "$.rank");
    store.put_answer(&id, &key, note("rubbish", 1)).await.unwrap();
    let second = asked(&store, 2).await;
    let Status::Asking { issues, .. } = store.status(RUN).await else { panic!() };
    assert_eq!(issues.unwrap().to_string(), "$.text: is rubbish");
    let late = store.put_answer(&id, &key, note("yes", 1)).await.unwrap_err();
    assert!(matches!(late, StoreError::NotAsked { .. }), "{late}");
    store.put_answer(&id, &second, note("yes", 7)).await.unwrap();
    assert_eq!(run.await.unwrap().unwrap().state.notes[1].rank, 7);
}

/// The limit of a person's time is a moment: whatever is answered and refused before, in this program or in
/// one that died.
#[tokio::test(start_paused = true)]
async fn refused_answers_do_not_extend_the_time_of_a_person() {
    let store = Ledger::default();
    let Status::Asking { .. } = waiting(approval(&store), &store).await else { panic!() };
    ends_in(&store, 600 * Duration::from_secs(1));
    let (began, id) = (Instant::now(), RUN.parse().unwrap());
    let run = tokio::spawn(approval(&store).resume(RUN).unwrap().finish());
    for attempt in 1..=2 {
        let key = asked(&store, attempt).await;
        tokio::time::sleep(Duration::from_secs(200)).await;
        store.put_answer(&id, &key, note("rubbish", 1)).await.unwrap();
    }
    asked(&store, 3).await;
    let Status::Asking { since, until, .. } = store.status(RUN).await else { panic!() };
    let left = until.unwrap().duration_since(since).unwrap();
    assert!(left <= Duration::from_secs(201), "{left:?}");
    run.await.unwrap().unwrap();
    let waited = began.elapsed();
    assert!(waited > Duration::from_secs(300) && waited <= Duration::from_secs(602), "{waited:?}");
}

#[tokio::test]
async fn an_answer_waits_for_a_driver() {
    let store = Ledger::default();
    let Status::Asking { key, .. } = waiting(approval(&store), &store).await else { panic!() };
    store.put_answer(&RUN.parse().unwrap(), &key, note("yes", 7)).await.unwrap();
    let run = approval(&store).resume(RUN).unwrap().await.unwrap();
    assert_eq!(run.state.notes[1].rank, 7);
    let answers = store.records(RUN).await.into_iter().filter(|record| {
        matches!(record, Record::Event(event) if event.asked.as_ref().is_some_and(|it| it.key == key))
    });
    assert_eq!(answers.count(), 1);
}

#[tokio::test(start_paused = true)]
async fn an_answer_that_came_in_time_counts_after_it() {
    let store = Ledger::default();
    let Status::Asking { key, .. } = waiting(approval(&store), &store).await else { panic!() };
    store.put_answer(&RUN.parse().unwrap(), &key, note("yes", 7)).await.unwrap();
    ends_in(&store, Duration::ZERO);
    let run = approval(&store).resume(RUN).unwrap().await.unwrap();
    assert_eq!(run.state.notes.len(), 2);
}

#[tokio::test]
async fn the_answer_of_a_handle_is_written_before_it_is_taken() {
    let store = Ledger::default();
    let mut run = approval(&store).run_id(RUN).start(Desk::default()).unwrap();
    until_waiting(&mut run);
    store.at(0, super::ledger::Fate::Full);
    let answered = run.handle().answer(&note("yes", 7));
    let (ended, answered) = tokio::join!(run.finish(), answered);
    assert!(matches!(ended, Err(RunError::Store(StoreError::Full { .. }))));
    assert!(answered.is_err());
    assert!(matches!(store.status(RUN).await, Status::Asking { .. }));
}

#[tokio::test]
async fn a_question_is_written_once() {
    let store = Ledger::default();
    waiting(approval(&store), &store).await;
    let entries = store.summary(RUN).await.entries;
    let mut run = approval(&store).resume(RUN).unwrap();
    until_waiting(&mut run);
    drop(run);
    assert_eq!(store.summary(RUN).await.entries, entries);
}

#[tokio::test(start_paused = true)]
async fn whoever_hears_that_a_person_is_asked_finds_it_in_the_store() {
    let store = Ledger::default();
    store.slow(Duration::from_secs(1));
    let mut run = approval(&store).run_id(RUN).start(Desk::default()).unwrap();
    while let Some(event) = run.next().await {
        if matches!(event, RunEvent::Asked { .. }) {
            break;
        }
    }
    drop(run);
    let status = store.status(RUN).await;
    assert!(matches!(status, Status::Asking { .. }), "{status:?}");
}
