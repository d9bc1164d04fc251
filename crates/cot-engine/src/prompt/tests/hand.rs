//! A process with hand-written tables.

use std::fmt::{self, Display, Write};

use cot_model::Stability;
use cot_schema::{Issues, OutputSchema};
use serde_json::value::RawValue;

use crate::{
    private::parts::{own_part, standard_part},
    process::{
        bounds::BoundsDefinition,
        code::{
            ConversationCode, InputsCode, OutputCode, ProcessCode, TaskCode, TaskFunction,
            TransitionCode,
        },
        context::Cx,
        kinds::settings::{SettingsDefinition, ShownMedia},
        process::Process,
        reading::format::ReplyFormat,
        retry::RetryDefinition,
        schemas::cache::SchemaCache,
        scope::{About, Scope},
        tables::{
            AiDefinition, Definition, HistoryLimit, OnRoutes, TaskDefinition, TaskKind,
            TransitionDefinition,
        },
        texts::{Primer, ProcessTexts, TaskTexts, TextFacts},
        tool::definition::{ToolUses, ToolsDefinition},
        trust::TrustDefinition,
        types::{ProcessTypes, TaskId},
    },
    values::{budget::Budget, outcome::Ending},
};
use cot_template::{Newlines, PartError, PromptWriter};

/// A process with hand-written tables.
pub(super) struct Hand;

#[derive(Debug, Clone, Default, serde::Serialize, serde::Deserialize)]
pub(super) struct Orders {
    pub(super) orders: Vec<u32>,
}

pub(super) type Text = fn(&Cx<'_, Hand>, &mut PromptWriter) -> fmt::Result;

pub(super) const HUB: usize = 0;
pub(super) const WRITE: usize = 1;
pub(super) const CIRCLE: usize = 2;
pub(super) const PERSON: usize = 3;
pub(super) const ASKED: usize = 4;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize)]
pub(super) struct Task(usize);

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

pub(super) const fn about(name: &'static str) -> About {
    About { name, title: name, description: name }
}

/// A text without values.
const FIXED: TextFacts = TextFacts::new(1, 1, [0, 0, 0], 0);
/// A text with a volatile value.
const VOLATILE: TextFacts = TextFacts::new(0, 0, [0, 0, 1], 0);

const TEXTS: TaskTexts =
    TaskTexts { prompt: Some(VOLATILE), labels: Some(VOLATILE), ..TaskTexts::NONE };

pub(super) const fn task(name: &'static str, kind: TaskKind) -> TaskDefinition {
    TaskDefinition {
        about: about(name),
        kind,
        wait: None,
        timeout: None,
        max_retries: None,
        retry: RetryDefinition::DEFAULT,
        history: true,
        takes_inputs: false,
        has_mock: false,
        mock_mode: None,
        choices: &[],
        next: &[],
        on: OnRoutes::NONE,
        in_sequence: None,
        texts: TEXTS,
        prompt_hash: 0,
    }
}

pub(super) const fn ai(transitions: &'static [TransitionDefinition]) -> TaskKind {
    TaskKind::Ai(AiDefinition {
        engines: &[],
        settings: SettingsDefinition::DEFAULT,
        format: ReplyFormat::Json,
        media: ShownMedia::NONE,
        transitions,
        only_chooses: false,
        tools: ToolUses::NONE,
    })
}

pub(super) static TASKS: [TaskDefinition; 5] = [
    task(
        "hub",
        ai(&[
            TransitionDefinition { target: WRITE, with_model: true },
            TransitionDefinition { target: CIRCLE, with_model: false },
        ]),
    ),
    TaskDefinition {
        texts: TaskTexts { full_prompt: Some(VOLATILE), ..TEXTS },
        ..task("write", ai(&[]))
    },
    task("circle", ai(&[])),
    task("person", TaskKind::Human),
    task("asked", ai(&[])),
];

pub(super) static DEFINITION: Definition = definition(&TASKS);

pub(super) const fn definition(tasks: &'static [TaskDefinition]) -> Definition {
    Definition {
        about: about("Hand"),
        place: "here",
        version: None,
        engines: &[],
        settings: SettingsDefinition::DEFAULT,
        max_retries: None,
        history: HistoryLimit::Unlimited,
        state_max_items: None,
        start: HUB,
        default_return: None,
        max_steps: None,
        timeout: None,
        budget: Budget { tokens: None, calls: None, cost: None },
        bounds: BoundsDefinition::NONE,
        mock_mode: None,
        uses_goal: true,
        uses_last_output: false,
        max_repeats: None,
        order: None,
        texts: ProcessTexts {
            system: None,
            intro: Some(VOLATILE),
            primers: &[(Primer::Goal, FIXED)],
        },
        prompt_hash: 0,
        mermaid: "",
        tools: ToolsDefinition::NONE,
        trust: &TrustDefinition::NONE,
        tasks,
    }
}

pub(super) static CODE: ProcessCode<Hand> = ProcessCode {
    goal: None,
    intro: Some(|scope, out| {
        out.write_text("Orders: ");
        let mark = out.open();
        out.write_json(&scope.state.orders)?;
        out.close(mark, &["orders"], Stability::Volatile);
        out.write_text(".\n");
        Ok(())
    }),
    system: None,
    primers: &[
        (Primer::Goal, |_, out| out.write_str("primer of the goal")),
        (Primer::History, |_, out| out.write_str("primer of the history")),
        (Primer::Errors, |_, out| out.write_str("primer of the errors")),
        (Primer::Transitions, |_, out| out.write_str("primer of the transitions")),
        (Primer::Output, |_, out| out.write_str("primer of the output")),
    ],
    part_names: &["rules", "vain"],
    parts: &[rules, |scope, out| standard_part(scope, out, "vain")],
    mirror: None,
    mock: None,
    tools: &[],
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

pub(super) const HUB_PROMPT: Text = |scope, out| {
    out.write_str("Decide.\n")?;
    own_part(scope, out, "rules", rules)?;
    out.write_str("  \n")
};

pub(super) const INPUTS: InputsCode =
    InputsCode { schema: Some(schema), read: |_| Err(Issues::new()) };

pub(super) fn rules(scope: &Cx<'_, Hand>, out: &mut PromptWriter) -> fmt::Result {
    out.write_str("At most ")?;
    let mark = out.open();
    write!(out, "{}", scope.state.orders.len())?;
    out.close(mark, &["orders"], Stability::Volatile);
    out.write_str(" orders.")
}

pub(super) fn full(scope: &Cx<'_, Hand>, out: &mut PromptWriter) -> fmt::Result {
    out.write_str("<")?;
    standard_part(scope, out, "goal")?;
    out.write_str("> <")?;
    standard_part(scope, out, "history")?;
    out.write_str("> <")?;
    let parts = scope.prompt_part(&["rules", "errors", "prompt"], Newlines::Omit);
    let mark = out.open();
    out.write_str(&told(parts))?;
    out.close(mark, &[], Stability::Volatile);
    out.write_str(">")
}

pub(super) fn told(parts: Result<String, PartError>) -> String {
    parts.unwrap_or_else(|error| error.to_string())
}

pub(super) const fn code(prompt: Text) -> TaskCode<Hand> {
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
            check: None,
            restore: |_| Ok(()),
            commit: |(), _, _| Ok(None),
            to_json: |()| Ok(RawValue::NULL.to_owned()),
        }),
        mock: None,
        conversation: ConversationCode::NONE,
        work: TaskFunction::None,
    }
}

pub(super) const fn transition(
    guard: Option<fn(&Scope<'_, Hand>) -> bool>,
) -> TransitionCode<Hand> {
    TransitionCode { label: None, guard, with: None }
}

pub(super) fn schema() -> &'static OutputSchema {
    static SCHEMA: std::sync::OnceLock<OutputSchema> = std::sync::OnceLock::new();
    SCHEMA.get_or_init(OutputSchema::for_type::<std::collections::BTreeMap<String, u32>>)
}

impl ProcessTypes for Hand {
    type State = Orders;
    type Task = Task;
    type Output = ();
    type Context = ();
    type Outcome = ();
}

impl Process for Hand {
    const DEFINITION: &'static Definition = &DEFINITION;
    type SubProcesses = ();
    type Bounds<D: crate::process::process::BoundsDepth> = ();
    const PLACE: &'static str = "here";
    const CODE: &'static ProcessCode<Self> = &CODE;

    fn schemas() -> &'static SchemaCache {
        static SCHEMAS: SchemaCache = SchemaCache::new();
        &SCHEMAS
    }

    fn outcome(_: Ending<Task>) {}
}
