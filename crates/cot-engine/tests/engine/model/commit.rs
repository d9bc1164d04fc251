//! Outputs and the state: all of a commit or none of it.

use cot_engine::{
    RunEvent,
    private::{Definition, Ending},
};
use cot_schema::Issues;
use serde_json::{Value, json};

use crate::harness::{
    NOTE, PROCESS, Run, ai, append, checked, end, go, note, only_if, process, push, to,
};

process! {
    Books {
        enter: ai("PROMPT")
            .output(NOTE)
            .read(|given, cx| checked(given, |note| not_twice(note, cx.state)))
            .commit(|note, ledger, _| book(note, ledger).map(|()| None))
            .next(&[Self::enter, Self::done])
            .arms(&[only_if(|scope, _| notes(scope.state).len() < 3)]),
        done: end(),
        hub: ai("").output(NOTE).commit(append).go(&[to(Self::hub), to(Self::done)]),
    }
    definition: Definition { max_retries: Some(1), ..PROCESS };
}

fn notes(ledger: &Value) -> &[Value] {
    ledger["notes"].as_array().map_or(&[], Vec::as_slice)
}

fn total(ledger: &Value) -> u64 {
    notes(ledger).iter().filter_map(|note| note["rank"].as_u64()).sum()
}

fn not_twice(note: &Value, ledger: &Value) -> Result<(), Issues> {
    let mut issues = Issues::new();
    if notes(ledger).iter().any(|other| other["text"] == note["text"]) {
        issues.push("text", format!("`{}` was there before", note["text"].as_str().unwrap()));
    }
    issues.into_result()
}

/// Fails after it has changed the state, which the engine gives it as a copy.
fn book(note: &Value, ledger: &mut Value) -> Result<(), Issues> {
    let mut changed = ledger.clone();
    push(&mut changed["notes"], note.clone());
    if total(&changed) > 100 {
        return Err(Issues::at("rank", format!("{} is too much", total(&changed))));
    }
    *ledger = changed;
    Ok(())
}

#[test]
fn an_accepted_output_is_written_whole() {
    let run = Run::start::<Books>(json!({})).after([note("a", 60)]);
    assert_eq!(*run.state(), json!({ "notes": [note("a", 60)] }));
    assert_eq!(run.history_json(), json!([{ "task": "enter", "output": note("a", 60) }]));
}

#[test]
fn what_a_commit_refuses_is_asked_for_again() {
    let mut run = Run::start::<Books>(json!({})).after([note("a", 60)]);
    let before = run.state().clone();
    run.reply(note("b", 60));
    assert_eq!(*run.state(), before);
    assert_eq!(run.history().len(), 1);
    let call = run.only();
    assert_eq!((call.task, call.attempt()), ("enter", 2));
    assert!(call.prompt().contains("120 is too much"), "issues are fed back");
    run.reply(note("b", 20));
    assert_eq!((total(run.state()), notes(run.state()).len()), (80, 2));
}

#[test]
fn a_check_sees_output_and_state_and_its_issues_are_fed_back() {
    let mut run = Run::start::<Books>(json!({})).after([note("a", 1), note("a", 2)]);
    assert_eq!(total(run.state()), 1);
    let prompt = run.prompt();
    assert!(prompt.contains("$.text") && prompt.contains("`a` was there before"), "{prompt}");
    run.reply(note("c", 2));
    assert_eq!(total(run.state()), 3);
}

#[test]
fn schema_and_type_come_before_the_check() {
    let mut run = Run::start::<Books>(json!({})).after([note("a", 1)]);
    run.reply(json!({ "text": "a", "rank": -1 }));
    let prompt = run.prompt();
    assert!(prompt.contains("$.rank") && !prompt.contains("was there before"), "{prompt}");
}

#[test]
fn when_the_commit_fails_for_ever_what_was_committed_before_stays() {
    let replies = [note("a", 60), note("b", 60), note("c", 99)];
    let mut run = Run::start::<Books>(json!({})).after(replies);
    let halt = run.halt();
    let messages: Vec<_> = halt.attempts.iter().map(|attempt| attempt.issues.to_string()).collect();
    assert_eq!(messages, ["$.rank: 120 is too much", "$.rank: 159 is too much"]);
    assert_eq!((total(run.state()), run.history().len()), (60, 1));
}

#[test]
fn events_tell_commits_and_failures_in_order() {
    let mut run = Run::start::<Books>(json!({}));
    let mut seen = Vec::new();
    for answer in [note("a", 60), note("b", 60), note("b", 20)] {
        run.reply(answer);
        seen.extend(run.drain_events().into_iter().map(|event| match event {
            RunEvent::TaskStarted { step, .. } => format!("started {step}"),
            RunEvent::Prompt { attempt, .. } => format!("prompt {attempt}"),
            RunEvent::AttemptFailed { will_retry, .. } => format!("failed, again: {will_retry}"),
            RunEvent::Committed { output, .. } => output["text"].as_str().unwrap().to_owned(),
            RunEvent::TaskFinished { task, next, route } => format!("{task} {next:?} {route:?}"),
            other => format!("{other:?}"),
        }));
    }
    let again = "enter Some(\"enter\") Next(0)";
    let first = ["started 1", "prompt 1", "a", again];
    let second = ["started 2", "prompt 1", "failed, again: true", "prompt 2", "b", again];
    assert_eq!(seen, [&first[..], &second[..]].concat());
}

#[test]
fn a_transition_writes_history_and_nothing_else() {
    let mut run = Run::at::<Books>("hub", json!({})).after([go("hub"), go("done")]);
    assert_eq!(*run.state(), json!({}));
    assert_eq!(run.history().len(), 2);
    assert_eq!(run.ending(), Ending::End("done"));
}
