//! Invalid replies: their issues, retries, and an outcome with all attempts.

use cot_core::{
    HaltReason, Usage,
    model::{FinishReason, ModelReply},
};
use serde_json::{Value, json};

use crate::{
    drive::{call, field, fields, go, halt, issues, names, reply, request, started, started_with},
    lab::{Lab, LabTask, State},
};

/// Returns the issues of a reply at the task `decide`.
fn at_decide(bad: &Value) -> Vec<String> {
    let mut machine = started();
    for _ in 0..3 {
        reply(&mut machine, bad.to_string());
    }
    issues(&mut machine)
}

/// Returns the issues of a reply at the task `add`, which has no transitions.
fn at_add(bad: &Value) -> Vec<String> {
    let mut machine = started();
    reply(&mut machine, go("add"));
    for _ in 0..3 {
        reply(&mut machine, bad.to_string());
    }
    issues(&mut machine)
}

/// Returns the issues of a reply at the task `review`, which has an output and transitions.
fn at_review(bad: &Value) -> Vec<String> {
    let mut machine = started();
    reply(&mut machine, go("review"));
    reply(&mut machine, bad.to_string());
    issues(&mut machine)
}

#[test]
fn wrong_targets_are_named_with_the_choices() {
    let list = r#"one of "add", "review", "done""#;
    assert_eq!(
        at_decide(&go("ad")),
        [format!(r#"$.goTo: there is no "ad"; did you mean "add"? Give {list}"#)]
    );
    assert_eq!(
        at_decide(&go("ADT")),
        [format!(r#"$.goTo: there is no "ADT"; did you mean "add"? Give {list}"#)]
    );
    assert_eq!(
        at_decide(&go("xyzzy")),
        [format!(r#"$.goTo: "xyzzy" is not one of the choices: give {list}"#)]
    );
    assert_eq!(
        at_decide(&go("gate")),
        [format!(r#"$.goTo: "gate" can't be reached from here: give {list}"#)]
    );
    assert_eq!(
        at_decide(&json!({"intent": 1, "goTo": 7})),
        [
            format!("$.goTo: must be the name of a task: give {list}"),
            "$.intent: must be a string".to_owned(),
            "$.stepAfter: is missing: it is required, as a string".to_owned(),
        ]
    );
    assert_eq!(
        at_decide(&json!({"intent": "a", "stepAfter": ""})),
        [format!("$.goTo: is missing: give {list}")]
    );
}

#[test]
fn an_invisible_target_is_not_available() {
    let fields = fields(["a", "b"]);
    let mut machine = started_with::<Lab>(State { fields, ..State::default() });
    for _ in 0..3 {
        reply(&mut machine, go("review"));
    }
    assert_eq!(
        issues(&mut machine),
        [r#"$.goTo: "review" is not available now: give one of "add", "done""#]
    );
}

#[test]
fn a_choice_is_expected_where_there_is_nothing_else() {
    let said = at_decide(&json!({"name": "a"}));
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
    let said = at_review(&json!({"name": 1, "intent": "x"}));
    assert_eq!(said.len(), 3, "{said:?}");
}

#[test]
fn outputs_are_validated_read_checked_and_committed_whole() {
    assert!(at_add(&json!({"name": [3, 4]}))[0].starts_with("$.name"));
    assert!(at_add(&json!([]))[0].starts_with('$'));
    assert_eq!(at_add(&field("refused")), ["$.name: was refused while committing"]);
    let mut machine = started();
    for name in ["a", "a"] {
        reply(&mut machine, go("add"));
        reply(&mut machine, field(name));
    }
    let request = request(&call(&mut machine)).clone();
    assert!(request.prompt().contains(r#"{"path":"$.name","message":"is taken"}"#));
    assert_eq!(names(machine.state()), ["a"]);
}

#[test]
fn used_up_retries_halt_with_all_attempts() {
    let mut machine = started();
    reply(&mut machine, go("add"));
    let before = machine.state().cloned();
    let bad = ["", "no JSON here", "{\"name\": \"refused\"}"];
    for text in bad {
        assert_eq!(call(&mut machine).task, LabTask::Add);
        reply(&mut machine, ModelReply::new(text).usage(Usage::for_call(1, 2)));
    }
    let halt = halt(&mut machine);
    assert!(matches!(halt.reason, HaltReason::Exhausted));
    assert_eq!(halt.task, LabTask::Add);
    assert_eq!(halt.attempts.iter().map(|attempt| attempt.reply.as_str()).collect::<Vec<_>>(), bad);
    assert!(halt.attempts.iter().all(|a| !a.issues.is_empty() && a.usage.total_tokens() == 3));
    assert_eq!(halt.attempts.iter().map(|attempt| attempt.number).collect::<Vec<_>>(), [1, 2, 3]);
    assert_eq!(machine.state().cloned(), before);
    assert_eq!(machine.history().len(), 1);
}

#[test]
fn megabytes_are_cut() {
    let mut machine = started();
    let nonsense = "é{".repeat(1 << 20);
    let many = json!((0..5000).collect::<Vec<_>>()).to_string();
    let long = go(&"x".repeat(1 << 20)).to_string();
    for text in [nonsense, many, long] {
        assert!(request(&call(&mut machine)).prompt().len() < 10_000);
        reply(&mut machine, text);
    }
    let halt = halt(&mut machine);
    assert!(serde_json::to_string(&halt.attempts).unwrap().len() < 20_000);
}

#[test]
fn truncated_and_refused_replies_are_not_asked_for_again() {
    let good = || ModelReply::from(go("add"));
    let mut machine = started();
    reply(&mut machine, good().finish(FinishReason::Length));
    let cut_off = halt(&mut machine);
    assert!(matches!(cut_off.reason, HaltReason::Truncated));
    assert_eq!(cut_off.attempts.len(), 1);
    let mut machine = started();
    reply(&mut machine, ModelReply::new("I can't").finish(FinishReason::Refusal));
    assert!(matches!(halt(&mut machine).reason, HaltReason::Refused(said) if said == "I can't"));
}
