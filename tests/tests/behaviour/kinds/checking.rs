//! Checks that are async: calls that the driver performs.

use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use cot_core::{
    Event, EventOutcome, Failure, HaltReason, Machine, MachineOptions, MockMode, PanicPlace,
    ResumeOptions, Snapshot,
    model::{ModelReply, ScriptedModel},
    prelude::*,
    store::{Answer, AttemptHistory, RunHistory},
};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::drive::{answer, answer_after, asked, code, question, run, time_out};
use crate::{
    drive::{
        Note, SECOND, call, drive, history, note, outcome, prompt, reply, started, started_with,
        state,
    },
    storing::ledger::{Fate, Ledger},
};

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
struct Page {
    notes: Vec<Note>,
    known: String,
}

/// Refuses a low rank; can't say anything of a high one.
async fn rates(note: &Note, page: &Page) -> Result<Result<(), Issues>, std::io::Error> {
    match note.rank {
        0 => Ok(Err(Issues::at("rank", format!("too low beside {:?}", page.known)))),
        1..100 => Ok(Ok(())),
        _ => Err(std::io::Error::other("the validator is down")),
    }
}

async fn knows(note: &Note, _: &Page, given: &str) -> Result<(), Issues> {
    assert!(note.rank < 500, "no such rank");
    match note.text == given {
        true => Ok(()),
        false => Err(Issues::at("text", format!("is not {given}"))),
    }
}

fn mocked(page: &Page) -> Note {
    Note { text: page.known.clone(), rank: 0 }
}

cot_process! {
    process Checked {
        state: Page,
        max_retries: 1,

        task write -> Note {
            check: async rates,
            timeout: 10s,
            mock: mocked,
            update: notes[],
            on: { exhausted => lost, timeout => late },
            next: ask with state.known.clone(),
        }

        task ask -> Note {
            inputs: String,
            ask: "Is it?",
            check: async knows,
            update: notes[],
            next: done,
        }

        task lost { end }
        task late { end }
        task done { end }
    }
}

fn page() -> Page {
    Page { known: "a".to_owned(), ..Page::default() }
}

fn checked() -> Machine<Checked> {
    started(page())
}

fn resumed(machine: &Machine<Checked>) -> Machine<Checked> {
    let json = machine.snapshot().unwrap().to_json().unwrap();
    Machine::resume(Snapshot::from_json(&json).unwrap(), ResumeOptions::new()).unwrap()
}

#[test]
fn nothing_is_committed_before_the_check_has_accepted() {
    let mut machine = checked();
    reply(&mut machine, note("x", 5));
    let check = code(&mut machine);
    assert_eq!(
        (check.task, check.key.attempt(), check.key.is_check()),
        (CheckedTask::Write, 1, true)
    );
    assert_eq!(check.key.to_string(), "write#1@1+check");
    assert_eq!(check.timeout, Some(Duration::from_secs(9)), "what is left of the task's time");
    assert_eq!((state(&machine), history(&machine)), (&page(), json!([])));
    assert_eq!(run(&mut machine), EventOutcome::Applied);
    assert_eq!(state(&machine).notes.len(), 1);
    assert_eq!(history(&machine), json!([{ "task": "write", "output": note("x", 5) }]));
}

#[test]
fn what_the_check_refuses_is_asked_for_again() {
    let mut machine = checked();
    reply(&mut machine, note("x", 0));
    run(&mut machine);
    assert!(prompt(&mut machine).contains("too low beside"));
    assert_eq!(call(&mut machine).key.attempt(), 2);
    reply(&mut machine, note("x", 0));
    assert_eq!(code(&mut machine).key.to_string(), "write#1@2+check");
    run(&mut machine);
    assert!(matches!(outcome(&mut machine), CheckedOutcome::Lost), "retries are used up");
    assert_eq!(*state(&machine), page());
    assert_eq!(machine.usage().calls, 2);
}

#[test]
fn a_reply_that_can_t_be_read_comes_to_no_check() {
    let mut machine = checked();
    reply(&mut machine, json!({ "text": 1 }));
    assert_eq!(call(&mut machine).key.attempt(), 2);
}

#[test]
fn a_check_that_can_t_say_fails_the_task() {
    let mut machine = checked();
    reply(&mut machine, note("x", 100));
    run(&mut machine);
    assert!(matches!(outcome(&mut machine), CheckedOutcome::Lost));
    let failed = machine.last_failure().unwrap();
    assert!(
        matches!(&failed.reason, HaltReason::CodeFailed(error) if error.to_string().contains("down"))
    );
    assert_eq!(failed.attempts[0].failure, Failure::Failed);
}

#[test]
fn a_check_that_takes_too_long_goes_where_time_outs_go() {
    let mut machine = checked();
    reply(&mut machine, note("x", 5));
    code(&mut machine);
    time_out(&mut machine, Duration::from_secs(9));
    assert!(matches!(outcome(&mut machine), CheckedOutcome::Late));
    assert_eq!(machine.usage().calls, 1, "no call of a model");
}

#[test]
fn a_run_that_is_resumed_checks_again_and_asks_no_model() {
    let mut machine = checked();
    reply(&mut machine, note("x", 5));
    let before = code(&mut machine);
    let mut machine = resumed(&machine);
    let after = code(&mut machine);
    assert_eq!((before.id, before.key, before.timeout), (after.id, after.key, after.timeout));
    run(&mut machine);
    assert_eq!(state(&machine).notes.len(), 1);
}

#[test]
fn the_answer_of_a_person_is_checked_and_asked_for_again() {
    let mut machine = checked();
    reply(&mut machine, note("x", 5));
    run(&mut machine);
    assert_eq!(answer(&mut machine, note("b", 1)), EventOutcome::Applied);
    let check = code(&mut machine);
    assert_eq!(check.key.to_string(), "ask#1@1+check");
    let mut machine = resumed(&machine);
    let late = Event::Answered { id: check.id, answer: note("a", 1), elapsed: SECOND };
    assert_eq!(machine.handle(late), EventOutcome::Stale, "the first answer is being checked");
    run(&mut machine);
    let again = question(&mut machine);
    assert!(asked(&again).issues.as_ref().unwrap().to_string().contains("is not a"));
    answer(&mut machine, note("a", 1));
    run(&mut machine);
    assert!(matches!(outcome(&mut machine), CheckedOutcome::Done));
    assert_eq!(state(&machine).notes.len(), 2);
}

cot_process! {
    process Limited {
        state: Page,
        timeout: 10s,
        task ask -> Note { ask: "Is it?", check: async rates, update: notes[], next: done }
        task done { end }
    }
}

#[test]
fn the_check_of_an_answer_has_the_time_that_is_left_of_the_run() {
    let mut machine: Machine<Limited> = started(page());
    answer_after(&mut machine, note("a", 0), SECOND * 60);
    let check = code(&mut machine);
    assert_eq!(check.timeout, Some(SECOND * 10), "the time of a person is not the run's");
    time_out(&mut machine, SECOND * 10);
    let ended = outcome(&mut machine);
    let LimitedOutcome::Halted(halt) = &ended else { panic!("{ended:?}") };
    assert!(matches!(halt.reason, HaltReason::RunTimeout(_)), "{ended:?}");
}

#[test]
fn a_check_that_panics_halts_the_run() {
    let mut machine = checked();
    reply(&mut machine, note("x", 5));
    run(&mut machine);
    answer(&mut machine, note("a", 500));
    run(&mut machine);
    let ended = outcome(&mut machine);
    let HaltReason::Panicked(panic) = &ended.halt().unwrap().reason else { panic!("{ended:?}") };
    assert_eq!((panic.place, panic.message.as_str()), (PanicPlace::Check, "no such rank"));
}

#[test]
fn a_mock_s_answer_is_checked_as_well() {
    let mut options = MachineOptions::default();
    options.mock_mode = Some(MockMode::All);
    let mut machine = started_with::<Checked>(options, page());
    assert!(!code(&mut machine).key.is_check(), "the mock's answer");
    run(&mut machine);
    assert!(code(&mut machine).key.is_check());
    run(&mut machine);
    assert_eq!(code(&mut machine).key.attempt(), 2, "it was refused");
}

#[test]
fn an_outer_process_performs_the_checks_of_an_inner_one() {
    cot_process! {
        process Outer {
            state: Page,

            task inner {
                process: Checked with state.clone(),
                update: { notes = output.notes },
                next: done,
            }

            task done { end }
        }
    }
    let mut machine = started::<Outer>(page());
    let driven = drive(&mut machine, |task, _| match task {
        "inner" => note("a", 5),
        other => panic!("{other}"),
    });
    assert_eq!((driven.asked.len(), state(&machine).notes.len()), (2, 2));
}

static CHECKS: AtomicUsize = AtomicUsize::new(0);

async fn counts(note: &Note, page: &Page) -> Result<(), Issues> {
    CHECKS.fetch_add(1, Ordering::SeqCst);
    tokio::time::sleep(Duration::from_secs(1)).await;
    match page.notes.iter().any(|known| known.text == note.text) {
        true => Err(Issues::at("text", "is known")),
        false => Ok(()),
    }
}

cot_process! {
    process Twice {
        state: Page,
        task one -> Note { prompt: "One", check: async counts, update: notes[], next: two }
        task two -> Note { prompt: "Two", check: async counts, update: notes[], next: done }
        task done { end }
    }
}

fn next_reply(prompt: &str) -> Value {
    match prompt.contains("is known") {
        true => note("b", 1),
        false => note("a", 1),
    }
}

/// The attempts in the history of a run: number, text of the reply, and whether it was checked.
async fn shown(store: &Ledger) -> Vec<String> {
    let history = RunHistory::load(store, &"twice".parse().unwrap()).await.unwrap().unwrap();
    let attempts = history.steps.iter().flat_map(|step| &step.attempts);
    let line = |attempt: &AttemptHistory| {
        let Some(Answer::Replied { text, .. }) = &attempt.answer else { panic!("{attempt:?}") };
        let note: Note = serde_json::from_str(text).unwrap();
        assert!(matches!(attempt.check, Some(Answer::Returned(_))), "{attempt:?}");
        format!("{}: {}, checked", attempt.number, note.text)
    };
    attempts.map(line).collect()
}

#[tokio::test(start_paused = true)]
async fn a_stored_run_that_is_cut_while_it_checks_repeats_no_call_that_is_written() {
    let run = async |store: &Ledger| {
        let asked = Arc::<AtomicUsize>::default();
        let counter = Arc::clone(&asked);
        let model = ScriptedModel::from_fn(move |request| {
            counter.fetch_add(1, Ordering::SeqCst);
            Ok(ModelReply::from(next_reply(request.prompt())))
        });
        let runner = Twice::runner().model(model).store(store.clone()).run_id("twice");
        let ended = tokio::select! {
            biased;
            run = runner.run(Page::default()) => Some(run.unwrap()),
            () = store.cut() => None,
        };
        (ended, asked.load(Ordering::SeqCst))
    };
    let whole = Ledger::default();
    let (uncut, asked) = run(&whole).await;
    let (uncut, checks) = (uncut.unwrap(), CHECKS.swap(0, Ordering::SeqCst));
    assert_eq!((asked, checks, uncut.state.notes.len()), (3, 3, 2));
    assert!(whole.answered("twice").await.contains("two#1@1+check"));
    assert_eq!(shown(&whole).await, ["1: a, checked", "1: a, checked", "2: b, checked"]);
    for append in 0..whole.appends() {
        for fate in [Fate::CutBefore, Fate::CutAfter] {
            let store = Ledger::default();
            store.at(append, fate);
            let (cut, before) = run(&store).await;
            assert!(cut.is_none());
            let (resumed, after) = run(&store).await;
            assert_eq!(resumed.unwrap().state, uncut.state);
            let checks = CHECKS.swap(0, Ordering::SeqCst);
            assert!(
                before + after + checks <= 7,
                "one call is repeated: {before} {after} {checks}"
            );
            assert_eq!(store.answered("twice").await, whole.answered("twice").await);
        }
    }
}
