//! Invalid replies: their issues, retries, and an outcome with all attempts.

use cot_engine::HaltReason;
use cot_model::{FinishReason, ModelReply, Usage};
use serde_json::{Value, json};

use super::lab::{Lab, field_named, fields, issues, names, started, with_fields};
use crate::harness::{Run, go};

/// Returns the issues of a reply to the task `decide`.
fn at_decide(bad: &Value) -> Vec<String> {
    issues(&mut started().after([bad, bad, bad].map(Value::to_string)))
}

/// Returns the issues of a reply to the task `add`, which has no transitions.
fn at_add(bad: &Value) -> Vec<String> {
    issues(&mut started().after([&go("add"), bad, bad, bad].map(Value::to_string)))
}

/// Returns the issues of a reply to the task `review`, which has an output and transitions.
fn at_review(bad: &Value) -> Vec<String> {
    issues(&mut started().after([&go("review"), bad].map(Value::to_string)))
}

#[test]
fn wrong_targets_are_named_with_the_choices() {
    let list = r#"one of "add", "review", "done""#;
    for near in ["ad", "ADT"] {
        assert_eq!(
            at_decide(&go(near)),
            [format!(r#"$.goTo: there is no "{near}"; did you mean "add"? Give {list}"#)]
        );
    }
    assert_eq!(
        at_decide(&go("xyzzy")),
        [format!(r#"$.goTo: "xyzzy" is not one of the choices: give {list}"#)]
    );
    assert_eq!(
        at_decide(&go("gate")),
        [format!(r#"$.goTo: "gate" can't be reached from here: give {list}"#)]
    );
    assert_eq!(
        at_decide(&json!({ "intent": 1, "goTo": 7 })),
        [
            format!("$.goTo: must be the name of a task: give {list}"),
            "$.intent: must be a string".to_owned(),
            "$.stepAfter: is missing: it is required, as a string".to_owned(),
        ]
    );
    assert_eq!(
        at_decide(&json!({ "intent": "a", "stepAfter": "" })),
        [format!("$.goTo: is missing: give {list}")]
    );
}

#[test]
fn an_invisible_target_is_not_available() {
    let mut run = Run::start::<Lab>(fields(["a", "b"]));
    run = run.after([go("review"), go("review"), go("review")]);
    assert_eq!(
        issues(&mut run),
        [r#"$.goTo: "review" is not available now: give one of "add", "done""#]
    );
}

#[test]
fn a_choice_is_expected_where_there_is_nothing_else() {
    let said = at_decide(&json!({ "name": "a" }));
    assert_eq!(said.len(), 1);
    assert!(said[0].starts_with("$: choose where to go"), "{said:?}");
}

#[test]
fn an_output_is_expected_where_there_is_no_choice() {
    assert_eq!(
        at_add(&go("done")),
        ["$.goTo: this task has no transitions: reply with its output"]
    );
}

#[test]
fn a_transition_is_no_output() {
    let mut mixture = go("add");
    mixture["name"] = json!("x");
    let said = at_review(&mixture);
    assert!(said[0].contains(r#"here is also "name": reply with either"#), "{said:?}");
    let said = at_review(&json!({ "name": 1, "intent": "x" }));
    assert_eq!(said.len(), 3, "{said:?}");
}

#[test]
fn outputs_are_validated_read_checked_and_committed_whole() {
    assert!(at_add(&json!({ "name": [3, 4] }))[0].starts_with("$.name"));
    assert!(at_add(&json!([]))[0].starts_with('$'));
    assert_eq!(at_add(&field_named("refused")), ["$.name: was refused while committing"]);
    let mut run = with_fields(&["a", "a"]);
    assert!(run.prompt().contains("- $.name: is taken\n"));
    assert_eq!(names(&run), ["a"]);
}

#[test]
fn used_up_retries_halt_with_all_attempts() {
    let mut run = started().after([go("add")]);
    let before = run.state().clone();
    let bad = ["", "no JSON here", "{\"name\": \"refused\"}"];
    for text in bad {
        assert_eq!(run.task(), "add");
        run.reply(ModelReply::new(text).usage(Usage::for_call(1, 2)));
    }
    let halt = run.halt();
    assert_eq!((halt.task, halt.reason), ("add", HaltReason::Exhausted));
    let attempts = &halt.attempts;
    assert_eq!(attempts.iter().map(|attempt| attempt.reply.as_str()).collect::<Vec<_>>(), bad);
    assert!(attempts.iter().all(|a| !a.issues.is_empty() && a.usage.total_tokens() == 3));
    assert_eq!(attempts.iter().map(|attempt| attempt.number).collect::<Vec<_>>(), [1, 2, 3]);
    assert_eq!(*run.state(), before);
    assert_eq!(run.history().len(), 1);
}

#[test]
fn megabytes_are_cut() {
    let mut run = started();
    let nonsense = "é{".repeat(1 << 20);
    let many = json!((0..5000).collect::<Vec<_>>()).to_string();
    let long = go(&"x".repeat(1 << 20)).to_string();
    for text in [nonsense, many, long] {
        assert!(run.prompt().len() < 10_000);
        run.reply(text);
    }
    assert!(serde_json::to_string(&run.halt().attempts).unwrap().len() < 20_000);
}

#[test]
fn truncated_and_refused_replies_are_not_asked_for_again() {
    let mut run = started();
    run.reply(ModelReply::from(go("add")).finish(FinishReason::Length));
    let cut_off = run.halt();
    assert_eq!(cut_off.reason, HaltReason::Truncated);
    assert_eq!(cut_off.attempts.len(), 1);
    let mut run = started();
    run.reply(ModelReply::new("I can't").finish(FinishReason::Refusal));
    assert_eq!(run.halt().reason, HaltReason::Refused("I can't".to_owned()));
}
