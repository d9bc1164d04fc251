//! Processes of three tasks that each write a line, as the macro would declare them.

use std::{fmt, marker::PhantomData, sync::LazyLock, time::Duration};

use cot_core::{
    __private::{
        AiDefinition, Code, Definition, Ending, HistoryLimit, OutputCode, Primers, SchemaCache,
        TaskCode, TaskDefinition, TaskKind,
    },
    About, Issues, OutputSchema, Process, TaskId,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The tables in which the processes of these tests differ.
pub trait Plan: Send + Sync + 'static {
    const DEFINITION: Definition;

    fn schemas() -> &'static SchemaCache;
}

/// Each task once, on the default model.
pub struct Straight;
/// The three tasks for ever.
pub struct Endless;
/// A second task that may take ten seconds.
pub struct Hurried;
/// Two tasks on an engine of their own, one on the default.
pub struct Crew;
/// An engine for all tasks, and another for one.
pub struct House;

macro_rules! plan {
    ($plan:ty, $engine:expr, [$first:expr, $second:expr, $third:expr]) => {
        impl Plan for $plan {
            const DEFINITION: Definition = definition($engine, &[$first, $second, $third, DONE]);

            fn schemas() -> &'static SchemaCache {
                static SCHEMAS: SchemaCache = SchemaCache::new();
                &SCHEMAS
            }
        }
    };
}

plan!(Straight, None, [ai("first", AI, &[1]), ai("second", AI, &[2]), ai("third", AI, &[3])]);
plan!(Endless, None, [ai("first", AI, &[1]), ai("second", AI, &[2]), ai("third", AI, &[0])]);
plan!(Hurried, None, [ai("first", AI, &[1]), ai("second", TEN, &[2]), ai("third", AI, &[3])]);
plan!(Crew, None, [ai("first", LARGE, &[1]), ai("second", AI, &[2]), ai("third", LARGE, &[3])]);
plan!(
    House,
    Some("small"),
    [ai("first", LARGE, &[1]), ai("second", AI, &[2]), ai("third", AI, &[3])]
);

const AI: AiDefinition = AiDefinition {
    engine: None,
    max_retries: None,
    temperature: None,
    max_tokens: None,
    timeout: None,
    history: true,
    transitions: &[],
    choices: &[],
};

const TEN: AiDefinition = AiDefinition { timeout: Some(Duration::from_secs(10)), ..AI };
const LARGE: AiDefinition = AiDefinition { engine: Some("large"), ..AI };

const DONE: TaskDefinition = task("done", TaskKind::End, &[]);

const fn ai(name: &'static str, ai: AiDefinition, next: &'static [usize]) -> TaskDefinition {
    task(name, TaskKind::Ai(ai), next)
}

const fn task(name: &'static str, kind: TaskKind, next: &'static [usize]) -> TaskDefinition {
    TaskDefinition { about: about(name), kind, next, in_sequence: None, prompt_hash: 0 }
}

const fn about(name: &'static str) -> About {
    About { name, title: name, description: name }
}

const fn definition(engine: Option<&'static str>, tasks: &'static [TaskDefinition]) -> Definition {
    Definition {
        about: about("script"),
        engine,
        max_retries: None,
        history: HistoryLimit::Last(20),
        state_max_items: None,
        start: 0,
        default_return: None,
        max_steps: None,
        timeout: None,
        uses_goal: false,
        prompt_hash: 0,
        tasks,
    }
}

/// A process by its plan.
#[derive(Debug)]
pub struct Script<D>(PhantomData<D>);

impl<D: Plan> Process for Script<D> {
    type State = Page;
    type Task = Task;
    type Output = Line;
    type Outcome = Ended;

    const DEFINITION: &'static Definition = &D::DEFINITION;
    const CODE: &'static Code<Self> = &Code {
        goal: None,
        intro: None,
        system: None,
        primers: Primers {
            goal: None,
            history: None,
            errors: None,
            transitions: None,
            output: None,
        },
        mirror: None,
        tasks: &[writing(), writing(), writing(), no_code()],
    };

    fn schemas() -> &'static SchemaCache {
        D::schemas()
    }

    fn outcome(ending: Ending<Task>) -> Ended {
        Ended(format!("{ending:?}"))
    }
}

/// What the tasks have written.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Page {
    pub lines: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Line {
    pub text: String,
}

/// The ending in words.
#[derive(Debug, Clone, PartialEq)]
pub struct Ended(pub String);

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Task {
    First,
    Second,
    Third,
    Done,
}

impl TaskId for Task {
    const ALL: &'static [Self] = &[Self::First, Self::Second, Self::Third, Self::Done];

    fn name(self) -> &'static str {
        Straight::DEFINITION.tasks[self as usize].about.name
    }
}

impl fmt::Display for Task {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

const fn writing<D: Plan>() -> TaskCode<Script<D>> {
    TaskCode { output: Some(OutputCode { schema, read, commit, to_json }), ..no_code() }
}

const fn no_code<D: Plan>() -> TaskCode<Script<D>> {
    TaskCode {
        prompt: None,
        full_prompt: None,
        errors_primer: None,
        fail: None,
        transitions: &[],
        next: &[None],
        output: None,
    }
}

fn schema() -> &'static OutputSchema {
    static SCHEMA: LazyLock<OutputSchema> = LazyLock::new(OutputSchema::of::<Line>);
    &SCHEMA
}

fn read(value: Value, _: &Page) -> Result<Line, Issues> {
    serde_json::from_value(value).map_err(|error| Issues::at("$", error.to_string()))
}

fn commit(line: &Line, page: &mut Page, _: &str) -> Result<Option<usize>, Issues> {
    page.lines.push(line.text.clone());
    Ok(None)
}

fn to_json(line: &Line) -> serde_json::Result<String> {
    serde_json::to_string(line)
}
