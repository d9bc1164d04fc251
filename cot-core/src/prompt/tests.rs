//! What the assembly makes of a process's tables.

use std::{
    fmt::{self, Display, Write},
    sync::Arc,
};

use serde_json::json;

use super::{
    Fragment, Newlines, PartError, PartName, PartialPrompt, PromptMode, PromptSegments,
    PromptWriter,
    assemble::{Question, assemble, assemble_partial, question_text},
    own_part, standard_part,
};
use crate::{
    About, Budget, History, HistoryEntry, Issues, OutputSchema, Process, Scope, TaskId,
    blueprint::{
        AiDefinition, Code, Definition, HistoryLimit, InputsCode, OnRoutes, OutputCode, Primers,
        SchemaCache, TaskCode, TaskDefinition, TaskKind, TransitionCode, TransitionDefinition,
        Work,
    },
    machine::{View, typed},
    model::ModelRequest,
    outcome::Ending,
};

/// A process whose tables are written by hand.
struct Hand;

type Orders = Vec<u32>;
type Text = fn(&Scope<'_, Hand>, &mut PromptWriter) -> fmt::Result;

const HUB: usize = 0;
const WRITE: usize = 1;
const CIRCLE: usize = 2;
const PERSON: usize = 3;
const ASKED: usize = 4;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize)]
struct Task(usize);

impl Display for Task {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl TaskId for Task {
    const ALL: &'static [Self] = &[Self(0), Self(1), Self(2), Self(3), Self(4)];

    fn name(self) -> &'static str {
        TASKS[self.0].about.name
    }
}

const fn about(name: &'static str) -> About {
    About { name, title: name, description: name }
}

const fn task(name: &'static str, kind: TaskKind) -> TaskDefinition {
    TaskDefinition {
        about: about(name),
        kind,
        wait: None,
        timeout: None,
        max_retries: None,
        history: true,
        takes_inputs: false,
        has_mock: false,
        mock_mode: None,
        choices: &[],
        next: &[],
        on: OnRoutes::NONE,
        in_sequence: None,
        prompt_hash: 0,
    }
}

const fn ai(transitions: &'static [TransitionDefinition]) -> TaskKind {
    TaskKind::Ai(AiDefinition { engines: &[], temperature: None, max_tokens: None, transitions })
}

static TASKS: [TaskDefinition; 5] = [
    task(
        "hub",
        ai(&[
            TransitionDefinition { target: WRITE, with_model: true },
            TransitionDefinition { target: CIRCLE, with_model: false },
        ]),
    ),
    task("write", ai(&[])),
    task("circle", ai(&[])),
    task("person", TaskKind::Human),
    task("asked", ai(&[])),
];

static DEFINITION: Definition = Definition {
    about: about("Hand"),
    engines: &[],
    max_retries: None,
    history: HistoryLimit::Unlimited,
    state_max_items: None,
    start: HUB,
    default_return: None,
    max_steps: None,
    timeout: None,
    budget: Budget { tokens: None, calls: None, cost: None },
    mock_mode: None,
    uses_goal: true,
    uses_last_output: false,
    prompt_hash: 0,
    mermaid: "",
    tasks: &TASKS,
};

static CODE: Code<Hand> = Code {
    goal: None,
    intro: Some(|scope, out| {
        out.write_text("Orders: ");
        let mark = out.open();
        out.write_json(scope.state)?;
        out.close(mark, &["orders"]);
        out.write_text(".\n");
        Ok(())
    }),
    system: None,
    primers: Primers {
        goal: Some(|_, out| out.write_str("primer of the goal")),
        history: Some(|_, out| out.write_str("primer of the history")),
        errors: Some(|_, out| out.write_str("primer of the errors")),
        transitions: Some(|_, out| out.write_str("primer of the transitions")),
        output: Some(|_, out| out.write_str("primer of the output")),
    },
    parts: &[("rules", rules), ("vain", |scope, out| standard_part(scope, out, "vain"))],
    mirror: None,
    tasks: &[
        TaskCode {
            transitions: &[transition(None), transition(Some(|_| true))],
            ..code(HUB_PROMPT)
        },
        TaskCode { full_prompt: Some(full), inputs: Some(INPUTS), ..code(HUB_PROMPT) },
        code(|scope, out| out.write_str(&told(scope.prompt_part(&["prompt"], Newlines::Keep)))),
        code(|scope, out| {
            out.write_str("Is it right, given\n")?;
            standard_part(scope, out, "goal")
        }),
        TaskCode { output: None, ..code(|scope, out| standard_part(scope, out, "rule")) },
    ],
};

const HUB_PROMPT: Text = |scope, out| {
    out.write_str("Decide.\n")?;
    own_part(scope, out, "rules", rules)?;
    out.write_str("  \n")
};

const INPUTS: InputsCode = InputsCode { schema: Some(schema), read: |_| Err(Issues::new()) };

fn rules(scope: &Scope<'_, Hand>, out: &mut PromptWriter) -> fmt::Result {
    out.write_str("At most ")?;
    let mark = out.open();
    write!(out, "{}", scope.state.len())?;
    out.close(mark, &["orders"]);
    out.write_str(" orders.")
}

fn full(scope: &Scope<'_, Hand>, out: &mut PromptWriter) -> fmt::Result {
    out.write_str("<")?;
    standard_part(scope, out, "goal")?;
    out.write_str("> <")?;
    standard_part(scope, out, "history")?;
    out.write_str("> <")?;
    let parts = scope.prompt_part(&["rules", "errors", "prompt"], Newlines::Omit);
    let mark = out.open();
    out.write_str(&told(parts))?;
    out.close(mark, &[]);
    out.write_str(">")
}

fn told(parts: Result<String, PartError>) -> String {
    parts.unwrap_or_else(|error| error.to_string())
}

const fn code(prompt: Text) -> TaskCode<Hand> {
    TaskCode {
        prompt: Some(prompt),
        full_prompt: None,
        errors_primer: None,
        fail: None,
        unwritten: None,
        inputs: None,
        transitions: &[],
        next: &[],
        output: Some(OutputCode {
            schema: Some(schema),
            read: |_, _| Ok(()),
            restore: |_| Ok(()),
            commit: |(), _, _| Ok(None),
            to_json: |()| Ok(String::new()),
        }),
        mock: None,
        work: Work::None,
    }
}

const fn transition(guard: Option<fn(&Scope<'_, Hand>) -> bool>) -> TransitionCode<Hand> {
    TransitionCode { label: None, guard, with: None }
}

fn schema() -> &'static OutputSchema {
    static SCHEMA: std::sync::OnceLock<OutputSchema> = std::sync::OnceLock::new();
    SCHEMA.get_or_init(OutputSchema::of::<std::collections::BTreeMap<String, u32>>)
}

impl Process for Hand {
    type State = Orders;
    type Task = Task;
    type Output = ();
    type Outcome = ();

    const DEFINITION: &'static Definition = &DEFINITION;
    const RUNS_WITHIN_ITSELF: () = ();
    const CODE: &'static Code<Self> = &CODE;

    fn schemas() -> &'static SchemaCache {
        static SCHEMAS: SchemaCache = SchemaCache::new();
        &SCHEMAS
    }

    fn outcome(_: Ending<Task>) {}
}

/// Does something with a question at a task, on a retry, after three entries of history.
fn ask<T>(task: usize, then: impl FnOnce(&Question<'_>, &dyn crate::machine::Typed) -> T) -> T {
    let mut history = History::new();
    for number in 1..=3 {
        history.push(HistoryEntry::of(&number).unwrap(), None);
    }
    let mut issues = Issues::at("a", "is wrong");
    issues.push("b", "is wrong too");
    let question = Question {
        definition: &DEFINITION,
        task,
        visible: if task == HUB { &[0, 1] } else { &[] },
        issues: Some(&issues),
        view: View {
            goal: "the goal",
            task: &TASKS[task].about,
            process: &DEFINITION.about,
            history: &history,
            inputs: None,
            item: None,
            parts: None,
        },
        size: 0,
        records_segments: true,
    };
    then(&question, &typed::<Hand>(vec![10, 20]))
}

fn request(task: usize) -> ModelRequest {
    ask(task, assemble).unwrap()
}

fn partial(task: usize, partial: &PartialPrompt) -> String {
    ask(task, |question, host| assemble_partial(question, host, partial)).unwrap()
}

const GOAL: &str = "primer of the goal\nthe goal";
const HISTORY: &str = "primer of the history\n[1,2,3]";
const ERRORS: &str = "primer of the errors\n[{\"path\":\"$.a\",\"message\":\"is wrong\"},\n\
     {\"path\":\"$.b\",\"message\":\"is wrong too\"}]";
const PROMPT: &str = "Decide.\nAt most 2 orders.";
const TRANSITIONS: &str = "primer of the transitions\n- \"write\": write (takes \"inputs\")\n\
     - \"circle\": circle\nIf you choose a task that takes \"inputs\", add a fourth member to the \
     object: \"inputs\", with what that task needs.";

#[test]
fn the_parts_stand_in_their_order() {
    let request = request(HUB);
    let before = ["Orders: [10,20].", GOAL, HISTORY, ERRORS, PROMPT, TRANSITIONS].join("\n\n");
    assert_eq!(request.prompt_without_format(), before);
    let (_, format) = request.prompt().split_once(&format!("{before}\n\n")).unwrap();
    assert!(format.starts_with("primer of the output\n{"), "{format}");
    assert!(format.contains("The \"inputs\" of \"write\" must fit this JSON schema:\n{"));
    let choice = &request.schema.unwrap().json["anyOf"][1];
    assert_eq!(choice["properties"]["goTo"]["enum"], json!(["write"]));
    assert!(choice["properties"]["inputs"].is_object());
}

#[test]
fn the_segments_make_up_the_prompt() {
    for task in [HUB, WRITE] {
        let request = request(task);
        let segments = request.segments.clone().unwrap();
        assert_eq!(segments.prompt(), request.prompt());
        assert_eq!(Some(segments.system()), request.system);
        let request = request.with_format("more");
        assert_eq!(request.segments.unwrap().prompt(), format!("{}more", segments.prompt()));
    }
}

fn texts(segments: &PromptSegments, part: PartName) -> Vec<String> {
    let of_part = segments.iter().filter(|segment| segment.part == part);
    of_part.map(|segment| format!("{}:{}", segment.kind, segment.text)).collect()
}

#[test]
fn the_words_of_the_declaration_are_fixed() {
    let segments = request(HUB).segments.unwrap();
    let of = |part| texts(&segments, part);
    assert_eq!(of(PartName::Intro), ["fixed:Orders: ", "variable:[10,20]", "fixed:."]);
    assert_eq!(of(PartName::Goal), ["fixed:\n\nprimer of the goal\n", "variable:the goal"]);
    assert_eq!(of(PartName::History), ["fixed:\n\nprimer of the history\n", "variable:[1,2,3]"]);
    let prompt = ["fixed:\n\nDecide.\nAt most ", "variable:2", "fixed: orders."];
    assert_eq!(of(PartName::Prompt), prompt);
    let transitions = of(PartName::Transitions);
    assert_eq!(transitions[1], "variable:- \"circle\": circle\n");
    assert_eq!(of(PartName::Output).len(), 1);
    let system = segments.part_bytes(PartName::System);
    assert_eq!(segments.longest_fixed_prefix(), system + "Orders: ".len());
}

#[test]
fn a_full_prompt_is_put_together_from_parts() {
    let request = request(WRITE);
    let rest = format!("At most 2 orders.{ERRORS}{PROMPT}");
    assert_eq!(request.prompt(), format!("<{GOAL}> <{HISTORY}> <{rest}>"));
    let segments = request.segments.unwrap();
    assert_eq!(
        texts(&segments, PartName::Goal),
        ["fixed:primer of the goal\n", "variable:the goal"]
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
    ask(HUB, |question, _| {
        let scope = Scope::<Hand> {
            state: &vec![],
            goal: "",
            task: question.view.task,
            process: question.view.process,
            history: question.view.history,
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
fn what_a_person_is_asked_is_the_prompt_alone() {
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
    let intro = "Orders: [10,20].";
    let joined = |parts: &[&str]| parts.join("\n\n");
    for (mode, expected) in [
        (PromptMode::TaskPromptOnly, joined(&[PROMPT])),
        (PromptMode::StateTracking, joined(&[intro, HISTORY, PROMPT])),
        (PromptMode::HistoryOnly, joined(&[HISTORY, ERRORS])),
        (PromptMode::ErrorsOnly, joined(&[ERRORS, PROMPT])),
        (PromptMode::Minimal, joined(&[GOAL, PROMPT])),
    ] {
        assert_eq!(partial(HUB, &PartialPrompt::new(mode)), expected, "{mode}");
    }
    let debug = partial(HUB, &PromptMode::TransitionDebug.into());
    assert!(debug.starts_with(&joined(&[GOAL, ERRORS, PROMPT, TRANSITIONS])), "{debug}");
    assert_eq!(partial(HUB, &PromptMode::NoData.into()), request(HUB).prompt());
}

#[test]
fn what_is_cut_leaves_a_placeholder() {
    let cut = PartialPrompt::new(PromptMode::HistoryOnly)
        .add(Fragment::IntroPrompt)
        .remove(Fragment::ErrorsPrimer)
        .omit_state("orders")
        .last_history(1)
        .first_errors(1);
    assert_eq!(
        partial(HUB, &cut),
        "Orders: [state.orders omitted].\n\n\
         primer of the history\n[2 earlier entries omitted]\n[3]\n\n\
         [{\"path\":\"$.a\",\"message\":\"is wrong\"}]\n[1 more errors omitted]"
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
    let error = ask(HUB, |question, host| assemble_partial(question, host, &omit)).unwrap_err();
    assert_eq!(error, "there is no part `rulse` in `prompts`: did you mean `rules`?");
}

#[test]
fn without_records_there_are_no_segments() {
    let request = ask(HUB, |question, host| {
        assemble(&Question { records_segments: false, ..*question }, host)
    });
    let request = request.unwrap();
    assert_eq!(request.segments, None);
    assert_eq!(Arc::strong_count(request.schema.as_ref().unwrap()), 2);
}
