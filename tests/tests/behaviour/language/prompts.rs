//! Items that are texts of the prompt: system, primers, full prompts, primers of errors.

use cot_core::prelude::*;

use crate::drive::{Note, after, call, go, note, prompt, request, started};

cot_process! {
    process Bare {
        state: u32,
        task only -> Note { prompt: "Do ${state}.", may_end }
    }
}

#[test]
fn without_a_system_message_there_is_the_library_s_own() {
    assert!(request(&call(&mut started::<Bare>(1))).system().is_some());
}

cot_process! {
    process Worded {
        state: u32,
        goal: "the goal",
        system: "You are ${process.name}, ${state}.",
        primers: {
            goal: "primer of ${task.name}'s goal:",
            history: "primer of history:",
            errors: "primer of errors:",
            transitions: "primer of transitions:",
            output: "primer of ${state} outputs:",
        },
        task hub -> Note { transitions: { own, whole }, may_end }
        task own -> Note { errors_primer: "own primer:" }
        task whole -> Note { full_prompt: "Only ${state}." }
    }
}

#[test]
fn the_system_message_is_a_template() {
    let call = call(&mut started::<Worded>(3));
    assert_eq!(request(&call).system(), Some("You are Worded, 3."));
    assert!(!request(&call).prompt().contains("You are Worded"));
}

#[test]
fn primers_stand_before_their_parts() {
    let replies = [go("own"), note("a", 1), go("nowhere")];
    let prompt = prompt(&mut after::<Worded, _>(3, replies));
    for (primer, part) in [
        ("primer of hub's goal:", "the goal"),
        ("primer of history:", "[{\"task\":\"hub\",\"goTo\":\"own\""),
        ("primer of errors:", "- $.goTo: "),
        ("primer of transitions:", "- \"own\": own\n"),
        ("primer of 3 outputs:", "{"),
    ] {
        assert!(prompt.contains(&format!("{primer}\n{part}")), "{primer} in {prompt}");
    }
}

#[test]
fn a_task_may_have_its_own_primer_of_errors() {
    let prompt = prompt(&mut after::<Worded, _>(3, [go("own"), go("hub")]));
    assert!(prompt.contains("own primer:\n- $"), "{prompt}");
    assert!(!prompt.contains("primer of errors:"), "{prompt}");
}

#[test]
fn a_full_prompt_replaces_everything_but_the_system_and_the_schema() {
    let mut machine = after::<Worded, _>(3, [go("whole")]);
    let request = request(&call(&mut machine)).clone();
    assert_eq!(request.prompt(), "Only 3.");
    assert_eq!(request.prompt_without_format(), "Only 3.");
    assert!(request.system().is_some());
    assert!(request.schema.is_some());
}

#[test]
fn after_a_full_prompt_a_retry_shows_the_issues() {
    let prompt = prompt(&mut after::<Worded, _>(3, [go("whole"), go("own")]));
    let rest = prompt.strip_prefix("Only 3.\n\nprimer of errors:\n").unwrap();
    assert!(rest.starts_with("- $.goTo: "), "{rest}");
}

#[test]
fn the_format_can_be_left_out_for_engines_that_enforce_it() {
    let request = request(&call(&mut started::<Bare>(1))).clone();
    assert_eq!(request.prompt_without_format(), "Do 1.");
    assert!(request.prompt().starts_with("Do 1.\n\n"));
    let schema = request.schema.clone().unwrap();
    assert_eq!((schema.name.as_str(), &schema.json), ("only", Note::output_schema().json()));
    assert!(request.prompt().contains("\"rank\""));
}
