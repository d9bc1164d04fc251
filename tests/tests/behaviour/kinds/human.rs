//! Human tasks.

use cot_core::{EventOutcome, Failure, HaltReason, Machine, prelude::*};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::drive::{answer, answer_after, asked, question, survives, time_out};
use crate::drive::{Note, SECOND, note, outcome, started, state};

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
struct Case {
    notes: Vec<Note>,
    sure: Option<Sure>,
    colour: Option<Colour>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, CotOutput)]
struct Sure(bool);

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, CotOutput)]
#[serde(rename_all = "snake_case")]
enum Colour {
    Red,
    Green,
}

fn is_new(note: &Note, case: &Case) -> Result<(), Issues> {
    match case.notes.contains(note) || note.text == "old" {
        true => Err(Issues::at("text", "is not new")),
        false => Ok(()),
    }
}

cot_process! {
    process Desk {
        state: Case,

        task tell -> Note {
            ask: "What of ${state.notes.len()}?",
            check: is_new,
            max_retries: 2,
            timeout: 60s,
            update: notes[],
            on: { exhausted => given_up, timeout => late },
            next: sure,
        }

        task sure -> Sure { ask: "Sure?", update: { sure = Some(output) }, next: colour }
        task colour -> Colour { ask: "Which?", update: { colour = Some(output) }, next: done }
        task given_up { fail: "no answer" }
        task late { end }
        task done { end }
    }
}

fn desk() -> Machine<Desk> {
    started(Case::default())
}

fn refused(machine: &mut Machine<Desk>, said: Value) -> String {
    match answer(machine, said) {
        EventOutcome::Refused(issues) => issues.to_string(),
        other => panic!("expected a refusal, got {other:?}"),
    }
}

#[test]
fn a_person_is_asked_with_the_schema_of_the_answer() {
    let mut machine = desk();
    let call = question(&mut machine);
    assert_eq!(
        (call.task, call.key.attempt(), call.timeout),
        (DeskTask::Tell, 1, Some(SECOND * 60))
    );
    assert_eq!(asked(&call).text, "What of 0?");
    assert!(asked(&call).issues.is_none());
    assert_eq!(asked(&call).schema.json()["properties"]["rank"]["maximum"], 1000);
    survives(&mut machine);
    assert_eq!(answer(&mut machine, note("a", 1)), EventOutcome::Applied);
    assert_eq!(state(&machine).notes.len(), 1);
    assert_eq!(machine.usage().calls, 0);
}

#[test]
fn an_answer_that_is_not_valid_is_refused_and_asked_for_again() {
    let mut machine = desk();
    let said = refused(&mut machine, note("a", 2000));
    assert!(said.starts_with("$.rank: "), "{said}");
    let again = question(&mut machine);
    assert_eq!((again.key.attempt(), asked(&again).text.as_str()), (2, "What of 0?"));
    assert_eq!(asked(&again).issues.as_ref().unwrap().to_string(), said);
    survives(&mut machine);
    assert_eq!(refused(&mut machine, note("old", 1)), "$.text: is not new");
    assert!(state(&machine).notes.is_empty() && machine.history().is_empty());
    answer(&mut machine, note("new", 1));
    assert_eq!(question(&mut machine).task, DeskTask::Sure);
}

#[test]
fn a_task_can_say_how_often_a_person_is_asked() {
    let mut machine = desk();
    for said in [json!("x"), json!(null), note("old", 1)] {
        refused(&mut machine, said);
    }
    assert_eq!(outcome(&mut machine), DeskOutcome::GivenUp("no answer".to_owned()));
    let halt = machine.last_failure().unwrap();
    assert_eq!((halt.reason, halt.attempts.len()), (HaltReason::Exhausted, 3));
    assert!(halt.attempts.iter().all(|attempt| attempt.failure == Failure::Rejected));
    assert_eq!(halt.attempts[0].reply, "\"x\"");
}

#[test]
fn a_person_who_does_not_answer_in_time_is_not_asked_again() {
    let mut machine = desk();
    refused(&mut machine, json!("x"));
    assert_eq!(question(&mut machine).timeout, Some(SECOND * 60));
    time_out(&mut machine, SECOND * 60);
    assert_eq!(outcome(&mut machine), DeskOutcome::Late);
    let halt = machine.last_failure().unwrap();
    assert_eq!((halt.reason, halt.attempts.len()), (HaltReason::TaskTimeout(SECOND * 60), 2));
}

#[test]
fn an_answer_that_is_refused_does_not_extend_the_time() {
    let mut machine = desk();
    assert!(matches!(
        answer_after(&mut machine, json!("x"), SECOND * 45),
        EventOutcome::Refused(_)
    ));
    survives(&mut machine);
    assert_eq!(question(&mut machine).timeout, Some(SECOND * 15));
    assert!(matches!(
        answer_after(&mut machine, json!("x"), SECOND * 20),
        EventOutcome::Refused(_)
    ));
    assert_eq!(outcome(&mut machine), DeskOutcome::Late);
    let halt = machine.last_failure().unwrap();
    assert_eq!((halt.reason, halt.attempts.len()), (HaltReason::TaskTimeout(SECOND * 60), 2));
    assert_eq!(halt.attempts[0].elapsed, SECOND * 45);
}

#[test]
fn plain_values_are_answered_plainly_or_as_the_schema_has_them() {
    for (sure, colour) in
        [(json!(true), json!("green")), (json!({ "value": true }), json!({ "value": "green" }))]
    {
        let mut machine = desk();
        answer(&mut machine, note("a", 1));
        for _ in 0..5 {
            // Nothing bounds how often a person is asked but the task.
            refused(&mut machine, json!("perhaps"));
        }
        assert_eq!(answer(&mut machine, sure), EventOutcome::Applied);
        refused(&mut machine, json!({ "paint": "green" }));
        refused(&mut machine, json!("blue"));
        assert_eq!(answer(&mut machine, colour), EventOutcome::Applied);
        assert_eq!(outcome(&mut machine), DeskOutcome::Done);
        let case = state(&machine);
        assert_eq!((&case.sure, &case.colour), (&Some(Sure(true)), &Some(Colour::Green)));
    }
}
