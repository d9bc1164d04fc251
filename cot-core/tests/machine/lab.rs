//! A process with a bit of everything, as the macro would declare it.

use std::{
    fmt::{self, Write},
    marker::PhantomData,
    sync::LazyLock,
};

use cot_core::{
    __private::{
        AiDefinition, Code, Definition, Ending, HistoryLimit, OutputCode, Primers, PromptWriter,
        SchemaCache, TaskCode, TaskDefinition, TaskKind, TransitionCode,
    },
    About, History, Issues, Machine, OutputSchema, Process, Scope, TaskId,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub(crate) const DECIDE: usize = 0;
pub(crate) const ADD: usize = 1;
pub(crate) const REVIEW: usize = 2;
pub(crate) const GATE: usize = 3;
pub(crate) const DONE: usize = 4;
pub(crate) const FAILED: usize = 5;

/// Where the processes of these tests differ.
pub(crate) trait Plan: Send + Sync + 'static {
    const DEFINITION: Definition = definition(TASKS);
    const GOAL: bool = false;
    const FULL_PROMPT: bool = false;
    fn schemas() -> &'static SchemaCache;
}

/// Declares a plan: `plan!(Name { DEFINITION: … })`.
macro_rules! plan {
    ($name:ident { $($item:ident : $type:ty = $value:expr),* $(,)? }) => {
        #[derive(Debug)]
        pub(crate) struct $name;
        impl $crate::lab::Plan for $name {
            $(const $item: $type = $value;)*
            fn schemas() -> &'static cot_core::__private::SchemaCache {
                static CACHE: cot_core::__private::SchemaCache =
                    cot_core::__private::SchemaCache::new();
                &CACHE
            }
        }
    };
}
pub(crate) use plan;

plan!(Base {});

pub(crate) struct Lab<G = Base>(PhantomData<G>);
pub(crate) type LabMachine<G = Base> = Machine<Lab<G>>;

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct State {
    pub(crate) fields: Vec<Field>,
    pub(crate) note: Option<String>,
    pub(crate) weight: f64,
    pub(crate) recent: History,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub(crate) struct Field {
    #[schemars(length(min = 1, max = 20))]
    pub(crate) name: String,
    #[serde(default)]
    pub(crate) weight: f64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Task(pub(crate) usize);

impl TaskId for Task {
    const ALL: &'static [Self] = &[Self(0), Self(1), Self(2), Self(3), Self(4), Self(5)];

    fn name(self) -> &'static str {
        TASKS[self.0].about.name
    }
}

impl fmt::Display for Task {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl<G: Plan> Process for Lab<G> {
    type State = State;
    type Task = Task;
    type Output = Field;
    type Outcome = Ending<Task>;

    const DEFINITION: &'static Definition = &G::DEFINITION;
    const CODE: &'static Code<Self> = &Code {
        goal: if G::GOAL { Some(|_, w| w.write_str("Serve everybody")) } else { None },
        intro: Some(|scope, w| {
            w.write_str("Fields: ")?;
            w.write_json(&scope.state.fields)
        }),
        system: None,
        primers: Primers {
            goal: Some(|_, w| w.write_str("GOAL")),
            history: Some(|_, w| w.write_str("HISTORY")),
            errors: Some(|_, w| w.write_str("ERRORS")),
            transitions: Some(|_, w| w.write_str("CHOICES")),
            output: Some(|_, w| w.write_str("OUTPUT")),
        },
        mirror: Some(|state| &mut state.recent),
        tasks: &[
            TaskCode {
                transitions: &[
                    TransitionCode { label: Some(|_, w| w.write_str("One more")), guard: None },
                    TransitionCode { label: None, guard: Some(|s| s.state.fields.len() < 2) },
                    TransitionCode { label: None, guard: None },
                ],
                ..no_code()
            },
            TaskCode {
                prompt: Some(|_, w| w.write_str("Generate a field.\n")),
                full_prompt: if G::FULL_PROMPT { Some(full_prompt) } else { None },
                output: Some(output_code()),
                ..no_code()
            },
            TaskCode {
                errors_primer: Some(|_, w| w.write_str("REVIEW ERRORS")),
                transitions: &[TransitionCode { label: None, guard: None }],
                next: &[
                    Some(|_, output| output.is_some_and(|field| field.name == "stop")),
                    Some(|scope, _| scope.state.fields.len() > 3),
                ],
                output: Some(output_code()),
                ..no_code()
            },
            TaskCode { next: &[Some(|scope, _| scope.state.note.is_some()), None], ..no_code() },
            no_code(),
            TaskCode {
                fail: Some(|scope, w| match &scope.state.note {
                    Some(note) if note == "bad" => w.write_json(&ByPair::new()),
                    Some(note) => write!(w, "note {note}"),
                    None => w.write_str("no note"),
                }),
                ..no_code()
            },
        ],
    };

    fn schemas() -> &'static SchemaCache {
        G::schemas()
    }

    fn outcome(ending: Ending<Task>) -> Ending<Task> {
        ending
    }
}

type ByPair = std::collections::BTreeMap<(u8, u8), u8>;

fn full_prompt<G: Plan>(scope: &Scope<'_, Lab<G>>, w: &mut PromptWriter) -> fmt::Result {
    if scope.state.note.is_some() {
        return w.write_json(&ByPair::from([((1, 2), 3)]));
    }
    write!(w, "{} of {}", scope.task.title, scope.process.name)
}

fn field_schema() -> &'static OutputSchema {
    static SCHEMA: LazyLock<OutputSchema> = LazyLock::new(OutputSchema::of::<Field>);
    &SCHEMA
}

fn read(value: serde_json::Value, state: &State) -> Result<Field, Issues> {
    let field: Field = cot_core::__private::read(value)?;
    if state.fields.iter().any(|other| other.name == field.name) {
        return Err(Issues::at("name", "is taken"));
    }
    Ok(field)
}

/// All or nothing, as the macro does it: changes are made on a copy.
fn commit(field: &Field, state: &mut State, _goal: &str) -> Result<Option<usize>, Issues> {
    let mut after = state.clone();
    after.fields.push(field.clone());
    after.weight += field.weight;
    match field.name.as_str() {
        "refused" => return Err(Issues::at("name", "was refused while committing")),
        "fail" => {
            *state = after;
            return Ok(Some(FAILED));
        }
        _ => *state = after,
    }
    Ok(None)
}

const fn no_code<G: Plan>() -> TaskCode<Lab<G>> {
    TaskCode {
        prompt: None,
        full_prompt: None,
        errors_primer: None,
        fail: None,
        transitions: &[],
        next: &[],
        output: None,
    }
}

const fn output_code<G: Plan>() -> OutputCode<Lab<G>> {
    OutputCode { schema: field_schema, read, commit, to_json: cot_core::__private::to_json }
}

pub(crate) const AI: AiDefinition = AiDefinition {
    engine: None,
    max_retries: None,
    temperature: None,
    max_tokens: None,
    timeout: None,
    history: true,
    transitions: &[],
    choices: &[],
};

pub(crate) const TASKS: &[TaskDefinition] = &[
    task("decide", TaskKind::Ai(AiDefinition { transitions: &[ADD, REVIEW, DONE], ..AI }), &[]),
    task("add", TaskKind::Ai(AiDefinition { choices: &[FAILED], ..AI }), &[]),
    task(
        "review",
        TaskKind::Ai(AiDefinition { transitions: &[ADD], max_retries: Some(0), ..AI }),
        &[DONE, GATE],
    ),
    task("gate", TaskKind::Gateway, &[FAILED, DECIDE]),
    task("done", TaskKind::End, &[]),
    task("failed", TaskKind::Fail, &[]),
];

pub(crate) const fn task(
    name: &'static str,
    kind: TaskKind,
    next: &'static [usize],
) -> TaskDefinition {
    let about = About { name, title: name, description: "words on it" };
    TaskDefinition { about, kind, next, in_sequence: None, prompt_hash: 7 }
}

pub(crate) const fn definition(tasks: &'static [TaskDefinition]) -> Definition {
    Definition {
        about: About { name: "lab", title: "Lab", description: "Lab" },
        engine: None,
        max_retries: None,
        history: HistoryLimit::Last(3),
        state_max_items: Some(1),
        start: DECIDE,
        default_return: None,
        max_steps: None,
        timeout: None,
        uses_goal: false,
        prompt_hash: 7,
        tasks,
    }
}
