//! Checks that are async: calls that the driver performs.

use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use cot_core::{
    Event, EventOutcome, Machine, ResumeOptions, Snapshot,
    model::{ModelReply, ScriptedModel},
    prelude::*,
    store::{Answer, AttemptHistory, RunHistory},
};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::drive::{answer, asked, code, question, run};
use crate::{
    drive::{Note, SECOND, note, outcome, reply, started, state},
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

cot_process! {
    process Checked {
        state: Page,
        max_retries: 1,

        task write -> Note {
            check: async rates,
            timeout: 10s,
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
