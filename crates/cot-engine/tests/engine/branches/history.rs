//! What the prompts of branches show of the history.

use cot_engine::private::{Definition, HistoryLimit, Join};
use serde_json::json;

use super::fan::{Told, answer, topic, topic_schema};
use crate::harness::{PROCESS, Run, ai, end, parallel, process};

/// The prompt of the first call of a task.
fn prompt_of(run: &mut Run, task: &str) -> String {
    let calls = run.directives();
    let call = calls.iter().find(|call| call.key.task() == task);
    let call = call.unwrap_or_else(|| panic!("`{task}` is not among {calls:?}"));
    call.as_model_call().unwrap().request.prompt().to_owned()
}

/// The prompt of a task after its branches have given these answers.
fn prompt_after(task: &str, answers: &[&str]) -> String {
    let mut run = Run::start::<Told>(json!({}));
    for answered in answers {
        answer(&mut run, answered, topic(&format!("of {answered}")));
        run.survives();
    }
    prompt_of(&mut run, task)
}

#[test]
fn a_prompt_in_a_branch_does_not_depend_on_other_branches() {
    let alone = prompt_after("left_again", &["plan", "left"]);
    assert!(alone.contains("of plan") && alone.contains("of left"), "{alone}");
    for answers in [["plan", "one", "left"], ["plan", "left", "one"], ["plan", "two", "left"]] {
        assert_eq!(prompt_after("left_again", &answers), alone);
    }
}

#[test]
fn after_a_join_all_branches_are_seen_in_the_order_of_their_commits() {
    // The branches within a branch have joined, and the other branch has not.
    let within = prompt_after("right_end", &["plan", "left", "two", "one", "two again"]);
    assert!(!within.contains("of left"), "{within}");
    let shown = |prompt: &str, text: &str| prompt.find(text).unwrap_or_else(|| panic!("{prompt}"));
    let [two, one] = ["\"of two\"", "\"of one\""].map(|text| shown(&within, text));
    assert!(two < one && within.contains("of two again"), "{within}");

    let answers = ["plan", "two", "left", "one", "two again", "right end", "left again"];
    let merge = prompt_after("merge", &answers);
    let order = answers.map(|answered| shown(&merge, &format!("\"of {answered}\"")));
    assert!(order.is_sorted(), "{merge}");
}

process! {
    /// Remembers the newest entries only.
    Forgetful {
        split: parallel(Join::All, &[Self::left, Self::right]).next(&[Self::done]),
        left: ai("left").output(topic_schema).next(&[Self::left_again]),
        left_again: ai("again").output(topic_schema).next(&[Self::last]),
        last: ai("last").output(topic_schema).next(&[Self::done]),
        right: ai("right").output(topic_schema).next(&[Self::right_again]),
        right_again: ai("and right").output(topic_schema).next(&[Self::done]),
        done: end(),
    }
    definition: Definition { history: HistoryLimit::Last(2), ..PROCESS };
}

#[test]
fn the_bound_of_the_history_holds_for_each_branch() {
    let mut run = Run::start::<Forgetful>(json!({}));
    for answered in ["left", "right", "and right", "again"] {
        answer(&mut run, answered, topic(&format!("of {answered}")));
        run.survives();
    }
    let prompt = prompt_of(&mut run, "last");
    assert!(prompt.contains("of left") && prompt.contains("of again"), "{prompt}");
    assert!(!prompt.contains("right"), "{prompt}");
    // The run itself remembers the newest entries of all branches.
    assert_eq!(run.history().len(), 2);
    assert!(run.history().iter().all(|entry| entry.task() != "left"));
}
