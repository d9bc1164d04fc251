//! Outputs and the state: all of an update or none of it, with what `process_output` does.

use cot_core::{RunEvent, prelude::*};
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::drive::{
    Note, after, call, go, history, note, outcome, prompt, reply, request, started, state,
};

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
struct Ledger {
    notes: Vec<Note>,
    total: u32,
    touched: Vec<String>,
}

fn not_twice(note: &Note, ledger: &Ledger) -> Result<(), Issues> {
    let mut issues = Issues::new();
    if ledger.notes.iter().any(|other| other.text == note.text) {
        issues.push("text", format!("`{}` was there before", note.text));
    }
    issues.into_result()
}

fn book(note: &Note, ledger: &mut Ledger) -> Result<(), Issues> {
    ledger.touched.push(note.text.clone());
    if ledger.total > 100 {
        return Err(Issues::at("rank", format!("{} is too much", ledger.total)));
    }
    Ok(())
}

cot_process! {
    process Books {
        state: Ledger,
        max_retries: 1,

        task enter -> Note {
            prompt: "PROMPT",
            check: not_twice,
            update: { notes[] = output, total = state.total + output.rank },
            process_output: book,
            next: { enter if state.notes.len() < 3, done },
        }

        task done { end }
    }
}

#[test]
fn an_accepted_output_is_written_whole() {
    let machine = after::<Books, _>(Ledger::default(), [note("a", 60)]);
    let expected = Ledger {
        notes: vec![Note { text: "a".into(), rank: 60 }],
        total: 60,
        touched: vec!["a".into()],
    };
    assert_eq!(*state(&machine), expected);
    assert_eq!(history(&machine), json!([{ "task": "enter", "output": note("a", 60) }]));
}

#[test]
fn what_fails_after_the_update_takes_the_update_back() {
    let mut machine = after::<Books, _>(Ledger::default(), [note("a", 60)]);
    let before = state(&machine).clone();
    reply(&mut machine, note("b", 60));
    assert_eq!(*state(&machine), before);
    assert_eq!(machine.history().len(), 1);
    let call = call(&mut machine);
    assert_eq!((call.task, call.key.attempt()), (BooksTask::Enter, 2));
    assert!(request(&call).prompt().contains("120 is too much"), "issues are fed back");
    reply(&mut machine, note("b", 20));
    assert_eq!((state(&machine).total, state(&machine).touched.len()), (80, 2));
}

#[test]
fn a_check_sees_output_and_state_and_its_issues_are_fed_back() {
    let mut machine = after::<Books, _>(Ledger::default(), [note("a", 1), note("a", 2)]);
    assert_eq!(state(&machine).total, 1);
    let prompt = prompt(&mut machine);
    assert!(prompt.contains("$.text") && prompt.contains("`a` was there before"), "{prompt}");
    reply(&mut machine, note("c", 2));
    assert_eq!(state(&machine).total, 3);
}

#[test]
fn schema_and_type_come_before_the_check() {
    let mut machine = after::<Books, _>(Ledger::default(), [note("a", 1)]);
    reply(&mut machine, json!({ "text": "a", "rank": -1 }));
    let prompt = prompt(&mut machine);
    assert!(prompt.contains("$.rank") && !prompt.contains("was there before"), "{prompt}");
}

#[test]
fn when_the_commit_fails_for_ever_what_was_committed_before_stays() {
    let replies = [note("a", 60), note("b", 60), note("c", 99)];
    let mut machine = after::<Books, _>(Ledger::default(), replies);
    let ended = outcome(&mut machine);
    let halt = ended.halt().unwrap();
    let messages: Vec<_> = halt.attempts.iter().map(|attempt| attempt.issues.to_string()).collect();
    assert_eq!(messages, ["$.rank: 120 is too much", "$.rank: 159 is too much"]);
    assert_eq!((state(&machine).total, machine.history().len()), (60, 1));
}

#[test]
fn events_tell_commits_and_failures_in_order() {
    let mut machine = started::<Books>(Ledger::default());
    machine.record(true);
    let mut seen = Vec::new();
    for answer in [note("a", 60), note("b", 60), note("b", 20)] {
        reply(&mut machine, answer);
        seen.extend(machine.drain_events().map(|event| match event {
            RunEvent::TaskStarted { step, .. } => format!("started {step}"),
            RunEvent::Prompt { attempt, .. } => format!("prompt {attempt}"),
            RunEvent::AttemptFailed { will_retry, .. } => format!("failed, again: {will_retry}"),
            RunEvent::Committed { output: BooksOutput::Enter(note), .. } => note.text,
            RunEvent::TaskFinished { task, next, route } => format!("{task} {next:?} {route:?}"),
            other => format!("{other:?}"),
        }));
    }
    let again = "enter Some(Enter) Next(0)";
    let first = ["started 1", "prompt 1", "a", again];
    let second = ["started 2", "prompt 1", "failed, again: true", "prompt 2", "b", again];
    assert_eq!(seen, [&first[..], &second[..]].concat());
}

cot_process! {
    process Moves {
        state: Ledger,
        task hub -> Note { update: notes[], transitions: { hub, done }, may_end }
        task done { end }
    }
}

#[test]
fn a_transition_writes_history_and_nothing_else() {
    let mut machine = after::<Moves, _>(Ledger::default(), [go("hub"), go("done")]);
    assert_eq!(*state(&machine), Ledger::default());
    assert_eq!(machine.history().len(), 2);
    assert!(matches!(outcome(&mut machine), MovesOutcome::Done));
}
