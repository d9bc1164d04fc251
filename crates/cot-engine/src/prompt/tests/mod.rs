//! Tests of assembling prompts.

use std::sync::Arc;

use cot_model::{ModelRequest, PartName, PromptSegments};
use cot_schema::Issues;
use serde_json::json;

use super::{
    assemble::{assemble, assemble_partial, question_text},
    input::{PromptInput, PromptShape},
    tests::hand::{
        ASKED, CIRCLE, DEFINITION, HUB, Hand, PERSON, TASKS, WRITE, ai, definition, task,
    },
};
use crate::{
    machine::host::TypedHost,
    process::{
        call_place::CallPlace,
        environment::Environment,
        scope::{Scope, ScopeData},
        tables::{Definition, TaskDefinition, TransitionDefinition},
        texts::TaskTexts,
    },
    values::history::{History, HistoryEntry},
};
use cot_template::{Fragment, Newlines, PartError, PartialPrompt, PromptMode};

mod hand;

/// Calls a function with the input of a prompt: a retry, after three history entries.
fn ask<T>(
    task: usize,
    then: impl FnOnce(&PromptInput<'_>, &dyn crate::process::host::ProcessHost) -> T,
) -> T {
    let mut history = History::new();
    for number in 1..=3 {
        history.push(HistoryEntry::from_serialize(&number).unwrap(), None);
    }
    let mut issues = Issues::at("a", "is wrong");
    issues.push("b", "is wrong too");
    let input = PromptInput {
        tools: &[],
        rounds: &[],
        definition: &DEFINITION,
        task,
        visible: if task == HUB { &[0, 1] } else { &[] },
        issues: Some(&issues),
        view: ScopeData {
            goal: "the goal",
            task: &TASKS[task].about,
            process: &DEFINITION.about,
            history: &Arc::new(history),
            inputs: None,
            item: None,
            parts: None,
            call: CallPlace::START,
        },
        shape: PromptShape::new(&DEFINITION, task),
    };
    then(
        &input,
        &TypedHost::<Hand>::new(
            hand::Orders { orders: vec![10, 20] },
            Environment::new(Arc::new(())),
            false,
        ),
    )
}

fn request(task: usize) -> ModelRequest {
    ask(task, assemble).unwrap()
}

fn partial(task: usize, partial: &PartialPrompt) -> String {
    ask(task, |input, host| assemble_partial(input, host, partial)).unwrap()
}

const INTRO: &str = "Orders: [10,20].";
const GOAL: &str = "primer of the goal\nthe goal";
const HISTORY: &str = "primer of the history\n[1,2,3]";
const ERRORS: &str = "primer of the errors\n- $.a: is wrong\n- $.b: is wrong too\n\
     Write the whole reply again, with all of this put right.";
const PROMPT: &str = "Decide.\nAt most 2 orders.";
const PRIMER: &str = "primer of the transitions";
const TRANSITIONS: &str = "The tasks:\n- \"write\": write\n- \"circle\": circle";

#[test]
fn the_parts_stand_in_their_order() {
    let request = request(HUB);
    // What reads the state comes after what only grows.
    let (stable, rest) = ([GOAL, PRIMER], [HISTORY, INTRO, PROMPT, TRANSITIONS, ERRORS]);
    let without = [&stable[..], &rest[..]].concat().join("\n\n");
    assert_eq!(request.prompt_without_format(), without);
    let (before, after) = (stable.join("\n\n"), rest.join("\n\n"));
    let format = request.prompt().strip_prefix(&format!("{before}\n\n")).unwrap();
    let format = format.strip_suffix(&format!("\n\n{after}")).unwrap();
    assert!(format.starts_with("primer of the output\n{"), "{format}");
    let inputs = r#""inputs": { <key>: integer } or null, // For "write". Otherwise null."#;
    assert!(format.contains(inputs), "{format}");
    let choice = &request.schema.unwrap().json["anyOf"][1];
    assert_eq!(choice["properties"]["goTo"]["enum"], json!(["write"]));
    assert!(choice["properties"]["inputs"].is_object());
}

#[test]
fn the_segments_make_up_the_prompt() {
    for task in [HUB, WRITE] {
        let request = request(task);
        let segments = request.segments();
        assert_eq!(segments.prompt(), request.prompt());
        assert_eq!(Some(&*segments.system()), request.system());
        let request = request.append_format("more");
        assert_eq!(request.segments().prompt(), format!("{}more", segments.prompt()));
    }
}

fn texts(segments: &PromptSegments, part: PartName) -> Vec<String> {
    let of_part = segments.iter().filter(|segment| segment.part == part);
    of_part.map(|segment| format!("{}:{}", segment.stability, segment.text)).collect()
}

#[test]
fn the_words_of_the_declaration_are_fixed() {
    let segments = request(HUB).segments();
    let of = |part| texts(&segments, part);
    assert_eq!(of(PartName::Intro), ["fixed:\n\nOrders: ", "volatile:[10,20]", "fixed:."]);
    assert_eq!(of(PartName::Goal), ["fixed:primer of the goal\n", "per run:the goal"]);
    assert_eq!(
        of(PartName::History),
        ["fixed:\n\nprimer of the history\n", "growing:[1,2,3", "volatile:]"]
    );
    let prompt = ["fixed:\n\nDecide.\nAt most ", "volatile:2", "fixed: orders."];
    assert_eq!(of(PartName::Prompt), prompt);
    let transitions = of(PartName::Transitions);
    assert_eq!(transitions[2], "volatile:- \"circle\": circle");
    assert_eq!(of(PartName::Output).len(), 1);
    let system = segments.part_bytes(PartName::System);
    assert_eq!(segments.longest_fixed_prefix(), system + "primer of the goal\n".len());
    let stable = segments.prompt().find("[1,2,3]").unwrap() + "[1,2,3".len();
    assert_eq!(segments.longest_stable_prefix(), system + stable);
}

#[test]
fn a_full_prompt_is_put_together_from_parts() {
    let request = request(WRITE);
    let rest = format!("At most 2 orders.{ERRORS}{PROMPT}");
    assert_eq!(request.prompt(), format!("<{GOAL}> <{HISTORY}> <{rest}>"));
    let segments = request.segments();
    assert_eq!(
        texts(&segments, PartName::Goal),
        ["fixed:primer of the goal\n", "per run:the goal"]
    );
    assert_eq!(texts(&segments, PartName::Prompt)[..2], ["fixed:<", "fixed:> <"]);
    assert!(texts(&segments, PartName::Errors).is_empty());
}

#[test]
fn a_part_can_not_contain_itself() {
    let prompt = request(CIRCLE).prompt().to_owned();
    assert!(prompt.contains("\n\npart `prompt` contains itself\n\n"), "{prompt}");
}

#[test]
fn an_unknown_part_fails_with_a_suggestion() {
    let failure = ask(ASKED, assemble).unwrap_err();
    assert_eq!(failure, "there is no part `rule`: did you mean `rules`?");
}

#[test]
fn parts_are_there_only_while_a_prompt_is_written() {
    ask(HUB, |input, _| {
        let scope = Scope::<Hand> {
            state: &hand::Orders::default(),
            goal: "",
            task: input.view.task,
            process: input.view.process,
            history: input.view.history,
            inputs: None,
            item: None,
            last_output: None,
            parts: None,
        };
        let parts = scope.prompt_part(&["goal"], Newlines::Keep);
        assert_eq!(parts, Err(PartError::NoPrompt));
    });
}

#[test]
fn a_question_contains_only_the_prompt() {
    let text = format!("Is it right, given\n{GOAL}");
    assert_eq!(ask(PERSON, question_text).unwrap(), text);
    assert_eq!(partial(PERSON, &PartialPrompt::default()), text);
    assert_eq!(ask(PERSON, assemble).unwrap_err(), "task `person` asks no model");
}

#[test]
fn a_full_partial_prompt_is_the_prompt() {
    for task in [HUB, WRITE] {
        assert_eq!(partial(task, &PartialPrompt::default()), request(task).prompt());
    }
}

#[test]
fn each_mode_keeps_its_parts() {
    let joined = |parts: &[&str]| parts.join("\n\n");
    for (mode, expected) in [
        (PromptMode::TaskPromptOnly, joined(&[PROMPT])),
        (PromptMode::StateTracking, joined(&[HISTORY, INTRO, PROMPT])),
        (PromptMode::HistoryOnly, joined(&[HISTORY, ERRORS])),
        (PromptMode::ErrorsOnly, joined(&[PROMPT, ERRORS])),
        (PromptMode::Minimal, joined(&[GOAL, PROMPT])),
    ] {
        assert_eq!(partial(HUB, &PartialPrompt::new(mode)), expected, "{mode}");
    }
    let debug = partial(HUB, &PromptMode::TransitionDebug.into());
    assert!(debug.starts_with(&joined(&[GOAL, PRIMER])), "{debug}");
    assert!(debug.ends_with(&joined(&["", PROMPT, TRANSITIONS, ERRORS])), "{debug}");
    assert_eq!(partial(HUB, &PromptMode::NoData.into()), request(HUB).prompt());
}

#[test]
fn omitted_data_leaves_a_placeholder() {
    let cut = PartialPrompt::new(PromptMode::HistoryOnly)
        .add(Fragment::IntroPrompt)
        .remove(Fragment::ErrorsPrimer)
        .omit_state("orders")
        .last_history(1)
        .first_errors(1);
    assert_eq!(
        partial(HUB, &cut),
        "primer of the history\n[2 earlier entries omitted]\n[3]\n\n\
         Orders: [state.orders omitted].\n\n\
         - $.a: is wrong\n[1 more errors omitted]"
    );
    let prompt = PartialPrompt::new(PromptMode::TaskPromptOnly).omit_state("orders");
    assert_eq!(partial(HUB, &prompt), "Decide.\nAt most [state.orders omitted] orders.");
    let prompt = PartialPrompt::new(PromptMode::TaskPromptOnly).remove(Fragment::Part("rules"));
    assert_eq!(partial(HUB, &prompt), "Decide.");
}

#[test]
fn parts_of_a_full_prompt_are_omitted_too() {
    let omit = PartialPrompt::default().omit_state("orders").remove(Fragment::History);
    let prompt = partial(WRITE, &omit);
    assert!(prompt.contains("> <> <At most [state.orders omitted] orders."), "{prompt}");
    let history = partial(WRITE, &PromptMode::HistoryOnly.into());
    assert_eq!(history, [HISTORY, ERRORS].join("\n\n"));
}

#[test]
fn an_unknown_part_can_not_be_omitted() {
    let omit = PartialPrompt::default().remove(Fragment::Part("rulse"));
    let error = ask(HUB, |input, host| assemble_partial(input, host, &omit)).unwrap_err();
    assert_eq!(error, "there is no part `rulse` in `prompts`: did you mean `rules`?");
}

#[test]
fn the_process_can_set_the_order() {
    use PartName::{Errors, Goal, History, Intro, Output, Prompt, Transitions};
    static ORDERED: Definition = Definition {
        order: Some(&[Intro, Errors, Goal, Transitions, Prompt, Output, History]),
        ..definition(&TASKS)
    };
    let shape = PromptShape::new(&ORDERED, HUB);
    let prompt = ask(HUB, |input, host| {
        assemble(&PromptInput { definition: &ORDERED, shape, ..*input }, host)
    });
    let transitions = TRANSITIONS.replacen("The tasks:", PRIMER, 1);
    let before = [INTRO, ERRORS, GOAL, &transitions, PROMPT].join("\n\n");
    let prompt = prompt.unwrap();
    assert!(prompt.prompt().starts_with(&format!("{before}\n\nprimer of the output\n{{")));
    assert!(prompt.prompt().ends_with(&format!("\n\n{HISTORY}")));
}

#[test]
fn transitions_without_guards_stand_with_the_fixed_text() {
    static FIXED: [TaskDefinition; 1] = [TaskDefinition {
        texts: TaskTexts::NONE,
        ..task("hub", ai(&[TransitionDefinition { target: HUB, with_model: false }]))
    }];
    static DEFINITION: Definition = definition(&FIXED);
    let shape = PromptShape::new(&DEFINITION, HUB);
    let request = ask(HUB, |input, host| {
        let input = PromptInput { definition: &DEFINITION, visible: &[0], shape, ..*input };
        assemble(&input, host)
    });
    let request = request.unwrap();
    let transitions = format!("{PRIMER}\n- \"hub\": hub");
    let parts = [GOAL, PROMPT, &transitions, HISTORY, INTRO, ERRORS];
    assert_eq!(request.prompt_without_format(), parts.join("\n\n"));
}
