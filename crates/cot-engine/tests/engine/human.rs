//! Human tasks.

use cot_engine::{
    EventOutcome, Failure, HaltReason,
    private::{Ending, OnRoutes, write_text},
};
use cot_schema::Issues;
use serde_json::{Value, json};

use crate::harness::{
    NOTE, Run, SECOND, append, checked, end, fail, human, note, process, schema, seconds,
};

schema! {
    yes_or_no: {
        "type": "object",
        "properties": { "value": { "type": "boolean" } },
        "required": ["value"],
    }
}

process! {
    Desk {
        tell: human("")
            .prompt(|cx, out| {
                let notes = cx.state["tell"].as_array().map_or(0, Vec::len);
                write_text(out, format!("What of {notes}?"))
            })
            .output(NOTE)
            .read(|given, _| checked(given, is_new))
            .commit(append)
            .max_retries(2)
            .timeout(seconds(60))
            .on(OnRoutes {
                exhausted: Some(Self::given_up),
                timeout: Some(Self::late),
                ..OnRoutes::NONE
            })
            .next(&[Self::sure]),
        sure: human("Sure?").output(yes_or_no).next(&[Self::done]),
        given_up: fail("no answer"),
        late: end(),
        done: end(),
    }
}

fn is_new(note: &Value) -> Result<(), Issues> {
    match note["text"] == "old" {
        true => Err(Issues::at("text", "is not new")),
        false => Ok(()),
    }
}

fn desk() -> Run {
    Run::start::<Desk>(json!({}))
}

fn refused(run: &mut Run, said: Value) -> String {
    match run.answer(said) {
        EventOutcome::Refused(issues) => issues.to_string(),
        other => panic!("expected a refusal, got {other:?}"),
    }
}

#[test]
fn a_person_is_asked_with_the_schema_of_the_answer() {
    let mut run = desk();
    let call = run.only();
    assert_eq!((call.task, call.attempt(), call.timeout), ("tell", 1, Some(SECOND * 60)));
    assert_eq!(call.question().text, "What of 0?");
    assert!(call.question().issues.is_none());
    assert_eq!(call.question().schema.json()["properties"]["rank"]["maximum"], 1000);
    run.survives();
    assert_eq!(run.answer(note("a", 1)), EventOutcome::Applied);
    assert_eq!(run.state()["tell"].as_array().unwrap().len(), 1);
    assert_eq!(run.usage().calls, 0);
}

#[test]
fn an_answer_that_is_not_valid_is_refused_and_asked_for_again() {
    let mut run = desk();
    let said = refused(&mut run, note("a", 2000));
    assert!(said.starts_with("$.rank: "), "{said}");
    let again = run.only();
    assert_eq!((again.attempt(), again.question().text.as_str()), (2, "What of 0?"));
    assert_eq!(again.question().issues.as_ref().unwrap().to_string(), said);
    run.survives();
    assert_eq!(refused(&mut run, note("old", 1)), "$.text: is not new");
    assert!(run.state()["tell"].is_null() && run.history().is_empty());
    run.answer(note("new", 1));
    assert_eq!(run.only().task, "sure");
}

#[test]
fn a_task_can_say_how_often_a_person_is_asked() {
    let mut run = desk();
    for said in [json!("x"), json!(null), note("old", 1)] {
        refused(&mut run, said);
    }
    assert_eq!(run.ending(), Ending::Fail("given_up", "no answer".to_owned()));
    let halt = run.last_failure().unwrap();
    assert_eq!((halt.reason, halt.attempts.len()), (HaltReason::Exhausted, 3));
    assert!(halt.attempts.iter().all(|attempt| attempt.failure == Failure::Rejected));
    assert_eq!(halt.attempts[0].reply, "\"x\"");
}

#[test]
fn a_person_who_does_not_answer_in_time_is_not_asked_again() {
    let mut run = desk();
    refused(&mut run, json!("x"));
    assert_eq!(run.only().timeout, Some(SECOND * 60));
    run.time_out(SECOND * 60);
    assert_eq!(run.ending(), Ending::End("late"));
    let halt = run.last_failure().unwrap();
    assert_eq!((halt.reason, halt.attempts.len()), (HaltReason::TaskTimeout(SECOND * 60), 2));
}

#[test]
fn an_answer_that_is_refused_does_not_extend_the_time() {
    let mut run = desk();
    assert!(matches!(run.answer_after(json!("x"), SECOND * 45), EventOutcome::Refused(_)));
    run.survives();
    assert_eq!(run.only().timeout, Some(SECOND * 15));
    assert!(matches!(run.answer_after(json!("x"), SECOND * 20), EventOutcome::Refused(_)));
    assert_eq!(run.ending(), Ending::End("late"));
    let halt = run.last_failure().unwrap();
    assert_eq!((halt.reason, halt.attempts.len()), (HaltReason::TaskTimeout(SECOND * 60), 2));
    assert_eq!(halt.attempts[0].elapsed, SECOND * 45);
}

#[test]
fn nothing_bounds_how_often_a_person_is_asked_but_the_task() {
    let mut run = Run::at::<Desk>("sure", json!({}));
    for _ in 0..50 {
        refused(&mut run, json!("perhaps"));
    }
    assert_eq!(run.answer(json!({ "value": true })), EventOutcome::Applied);
    assert_eq!(run.ending(), Ending::End("done"));
    assert_eq!(run.state()["sure"], json!({ "value": true }));
}
