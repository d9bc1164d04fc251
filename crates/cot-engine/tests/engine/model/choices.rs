//! A choice with one open transition needs no call, and a choice that is made again and again is noticed.

use cot_engine::{
    Route, RunEvent,
    private::{Definition, Ending, TransitionCode},
};
use serde_json::json;

use crate::harness::{
    NOTE, PROCESS, Run, ai, append, end, go, human, if_visible, note, process, to, with_inputs,
};

process! {
    /// Its hub can stop only while there are notes.
    Hub {
        hub: ai("")
            .go(&[to(Self::write), to(Self::stop)])
            .only_chooses(true)
            .transitions(&[
                if_visible(|scope| notes(scope.state) < 2),
                if_visible(|scope| notes(scope.state) > 0),
            ]),
        write: ai("write").output(NOTE).commit(append),
        stop: end(),
    }
}

process! {
    /// Asks although one transition alone is open.
    Asking {
        hub: ai("").go(&[to(Self::stop)]),
        stop: end(),
    }
}

process! {
    /// Makes a choice twice in a row, and asks a person.
    Loop {
        hub: ai("").go(&[to(Self::write), to(Self::ask), to(Self::stop)]),
        write: ai("write").output(NOTE).commit(append),
        ask: human("more?").output(NOTE).commit(append),
        stop: end(),
    }
    definition: Definition { max_repeats: Some(2), ..PROCESS };
}

process! {
    /// Offers a task that takes inputs, and another one only while there are notes.
    Stall {
        hub: ai("").go(&[with_inputs(Self::write), to(Self::stop)]).transitions(&[
            TransitionCode::NONE,
            if_visible(|scope| notes(scope.state) > 0),
        ]),
        write: ai("write").inputs(Some(NOTE)).output(NOTE).commit(append).next(&[Self::hub]),
        stop: end(),
    }
}

process! {
    /// Offers a task that takes inputs, and one that does so only while there are notes.
    Desk {
        hub: ai("").go(&[with_inputs(Self::write), to(Self::stop)]),
        open: ai("").go(&[with_inputs(Self::write), to(Self::stop)]).transitions(&[
            if_visible(|scope| notes(scope.state) > 0),
            if_visible(|_| true),
        ]),
        write: ai("write").inputs(Some(NOTE)).output(NOTE).commit(append).next(&[Self::open]),
        stop: end(),
    }
}

fn notes(state: &serde_json::Value) -> usize {
    state["write"].as_array().map_or(0, Vec::len)
}

fn repeated(run: &mut Run) -> Vec<u32> {
    let times = |event| match event {
        RunEvent::Transitioned { times, .. } => Some(times),
        _ => None,
    };
    run.drain_events().into_iter().filter_map(times).collect()
}

#[test]
fn the_only_open_transition_is_taken_without_a_call() {
    let mut run = Run::start::<Hub>(json!({}));
    assert_eq!(run.task(), "write");
    assert_eq!(run.history_json(), json!([{ "task": "hub", "goTo": "write" }]));
    assert_eq!(run.callers(), ["hub"]);
    let hub = run.drain_events().into_iter().find_map(|event| match event {
        RunEvent::TaskFinished { task: "hub", next, route } => Some((next, route)),
        _ => None,
    });
    assert_eq!(hub, Some((Some("write"), Route::OnlyTransition)));

    run.reply(note("a", 1));
    assert_eq!(run.task(), "hub");
    run.reply(go("write"));
    run.reply(note("b", 1));
    assert_eq!(run.ending(), Ending::End("stop"));
    assert_eq!((run.usage().calls, run.steps()), (3, 5));
}

#[test]
fn a_run_within_the_task_after_a_choice_without_a_call_is_resumed() {
    let mut run = Run::start::<Hub>(json!({}));
    run.task();
    let mut resumed = run.resumed();
    assert_eq!(resumed.task(), "write");
    assert_eq!(resumed.history_json(), run.history_json());
}

#[test]
fn a_task_that_asks_for_more_or_always_is_asked() {
    assert_eq!(Run::start::<Asking>(json!({})).task(), "hub");
}

#[test]
fn a_choice_that_is_repeated_too_often_is_an_issue() {
    let mut run = Run::start::<Loop>(json!({}));
    for name in ["a", "b"] {
        run.reply(go("write"));
        run.reply(note(name, 1));
    }
    run.reply(go("write"));
    assert_eq!(run.task(), "hub");
    assert!(run.prompt().contains(
        r#"- $.intent: you chose "write" 2 times in a row with this intent: choose another target, or say what is new this time"#
    ));
    assert_eq!(repeated(&mut run), [1, 2]);

    run.reply(json!({ "goTo": "write", "intent": "the third one", "stepAfter": "see" }));
    assert_eq!(run.task(), "write");
    assert_eq!(repeated(&mut run), [1]);
}

#[test]
fn the_answer_of_a_person_starts_the_count_of_a_choice_again() {
    let mut run = Run::start::<Loop>(json!({}));
    for name in ["a", "b", "c"] {
        run.reply(go("ask"));
        run.answer(note(name, 1));
    }
    assert_eq!(run.task(), "hub");
    assert_eq!(repeated(&mut run), [1, 1, 1]);
}

#[test]
fn equal_choices_are_shown_once() {
    let mut run = Run::start::<Loop>(json!({}));
    for name in ["a", "b"] {
        run.reply(go("write"));
        run.reply(note(name, 1));
    }
    assert_eq!(run.history().len(), 4);
    assert_eq!(run.prompt().matches(r#""goTo":"write""#).count(), 1);
    assert_eq!(run.prompt().matches(r#""task":"write","output""#).count(), 2);
}

/// A choice of the task that takes inputs.
fn write(inputs: serde_json::Value) -> serde_json::Value {
    json!({ "goTo": "write", "inputs": inputs, "intent": "try it", "stepAfter": "see" })
}

#[test]
fn a_choice_with_inputs_is_asked_for_as_one_type() {
    let run = Run::start::<Desk>(json!({})).prompt();
    let choice = r#"Reply with one JSON object of this type, and nothing else:
{
  "goTo": string, // The name of the task.
  "inputs": { // For "write". Otherwise null.
    "text": string, // At most 100 characters.
    "rank": integer // From 0 to 1000.
  } or null,
  "intent": string, // What you mean to achieve, in a sentence.
  "stepAfter": string // What you mean to do after that task.
}"#;
    assert!(run.ends_with(choice), "{run}");
}

#[test]
fn the_type_of_a_choice_with_a_guarded_target_follows_the_list() {
    let mut run = Run::start::<Desk>(json!({}));
    run.reply(write(note("a", 1)));
    run.reply(note("a", 1));
    let open = run.prompt();
    let (_, choice) = open.split_once("The tasks:\n- \"write\":").unwrap();
    assert!(choice.contains("\"inputs\": { // For \"write\". Otherwise null.\n"), "{open}");
    let request = run.only().request().clone();
    assert!(!request.prompt_without_format().contains("inputs"), "{open}");
}

/// The type of the choice that a prompt shows.
fn choice_in(prompt: &str) -> &str {
    let start = prompt.find("\n{\n  \"goTo\"").unwrap();
    let end = prompt[start..].find("\n}").unwrap();
    &prompt[start..start + end]
}

#[test]
fn a_guard_of_a_target_without_inputs_does_not_change_the_type_of_the_choice() {
    let mut run = Run::start::<Stall>(json!({}));
    let closed = run.prompt();
    assert!(!closed.contains("- \"stop\""), "{closed}");
    run.reply(write(note("a", 1)));
    run.reply(note("a", 1));
    let open = run.prompt();
    assert!(open.contains("- \"stop\""), "{open}");
    assert_eq!(choice_in(&closed), choice_in(&open));
}

#[test]
fn an_issue_of_a_choice_names_inputs_where_a_task_takes_them() {
    let mut run = Run::start::<Desk>(json!({}));
    run.reply(json!({ "goTo": "stop", "intent": "", "stepAfter": "", "why": 1 }));
    let rule = r#"a transition has "goTo", "inputs" (if the task takes them), "intent" and "stepAfter", and nothing else; here is also "why""#;
    assert!(run.prompt().contains(rule), "{}", run.prompt());
}

#[test]
fn inputs_of_a_target_that_takes_none_are_ignored() {
    for inputs in [json!(null), note("a", 1)] {
        let mut run = Run::start::<Desk>(json!({}));
        run.reply(json!({ "goTo": "stop", "inputs": inputs, "intent": "done", "stepAfter": "" }));
        assert_eq!(run.ending(), Ending::End("stop"));
    }
}

#[test]
fn inputs_of_an_unknown_target_are_no_second_issue() {
    let mut run = Run::start::<Desk>(json!({}));
    run.reply(json!({ "goTo": "sell", "inputs": {}, "intent": "", "stepAfter": "" }));
    let prompt = run.prompt();
    assert!(prompt.contains(r#"- $.goTo: "sell" is not one of the choices"#), "{prompt}");
    assert_eq!(prompt.matches("\n- $").count(), 1, "{prompt}");
}
