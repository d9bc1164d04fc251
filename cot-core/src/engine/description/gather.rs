//! The facts of a process and of the processes in it, from their static tables.

use std::{any::TypeId, sync::Arc, time::Duration};

use serde_json::{Map, Value};

use crate::{
    OutputSchema,
    engine::{
        description::{
            facts::{
                AllFacts, ArmFacts, GoalFacts, HistoryFacts, InputsFacts, Kind, OutputFacts,
                ProcessFacts, TaskFacts, TransitionFacts, Way, With,
            },
            ways::{Coded, ways},
        },
        process::{
            process::Process,
            schemas::cache::widest_reply_schema,
            tables::{
                Definition, HistoryLimit, TaskCode, TaskDefinition, TaskIndex, TaskKind, Work,
            },
        },
    },
    machine::fingerprint::{Fingerprint, short_type_name},
    model::ReplySchema,
};

/// The processes that were found, each once, those around others first.
#[derive(Debug, Default)]
pub struct Gathered {
    found: Vec<Found>,
    /// Whether only the processes are wanted, not the facts of each.
    is_brief: bool,
}

/// A process, and what its tasks ask models for.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Asking {
    pub(crate) definition: &'static Definition,
    /// The schema of a task's reply where all its transitions are visible.
    pub(crate) reply_schema: fn(TaskIndex) -> Option<Arc<ReplySchema>>,
    /// The schema of a task's output.
    pub(crate) output_schema: fn(TaskIndex) -> Option<&'static OutputSchema>,
}

#[derive(Debug)]
struct Found {
    id: TypeId,
    key: String,
    state: String,
    asking: Asking,
    /// None while they are being gathered.
    facts: Option<ProcessFacts>,
}

impl Gathered {
    /// The process, and those in it.
    pub(super) fn of<P: Process>() -> AllFacts {
        let mut gathered = Self::default();
        gathered.found.push(Found::of::<P>(&gathered));
        let root = process::<P>(&mut gathered);
        let within = gathered.found.into_iter();
        let within = within.filter_map(|found| Some((found.key, found.facts?))).collect();
        AllFacts { root, within }
    }

    /// What the process and those in it ask, each process once.
    pub(crate) fn asking<P: Process>() -> Vec<Asking> {
        let mut gathered = Self { is_brief: true, ..Self::default() };
        gathered.visit::<P>();
        gathered.found.iter().map(|found| found.asking).collect()
    }

    /// Adds a process, unless it is there; gives its place.
    pub(crate) fn visit<P: Process>(&mut self) -> usize {
        let id = TypeId::of::<P>();
        if let Some(place) = self.found.iter().position(|found| found.id == id) {
            return place;
        }
        let place = self.found.len();
        self.found.push(Found::of::<P>(self));
        if self.is_brief {
            for code in P::CODE.tasks {
                within(code, self);
            }
        } else {
            self.found[place].facts = Some(process::<P>(self));
        }
        place
    }

    /// The process's name, with a number if another process has the same.
    fn key(&self, name: &str) -> String {
        let is_free = |key: &String| self.found.iter().all(|found| found.key != *key);
        let numbered = (2_usize..).map(|number| format!("{name}#{number}"));
        // Numbers don't run out before the processes do.
        std::iter::once(name.to_owned()).chain(numbered).find(is_free).unwrap_or_default()
    }
}

impl Found {
    fn of<P: Process>(gathered: &Gathered) -> Self {
        let key = gathered.key(P::DEFINITION.about.name);
        let asking = Asking {
            definition: P::DEFINITION,
            reply_schema: widest_reply_schema::<P>,
            output_schema: |task| Some(P::CODE.tasks.get(task)?.output.as_ref()?.schema?()),
        };
        let state = short_type_name::<P::State>();
        Self { id: TypeId::of::<P>(), key, state, asking, facts: None }
    }
}

fn process<P: Process>(gathered: &mut Gathered) -> ProcessFacts {
    let definition = P::DEFINITION;
    let name = |task: TaskIndex| definition.tasks.get(task).map(|task| task.about.name);
    let codes = definition.tasks.iter().zip(P::CODE.tasks);
    let coded: Vec<Coded> = codes.clone().map(|(_, code)| coded(code)).collect();
    let ways = ways(definition, &coded);
    let tasks = codes
        .zip(ways)
        .map(|((task, code), ways)| Task { task, code }.facts(ways, definition, gathered));
    ProcessFacts {
        name: definition.about.name,
        description: definition.about.description,
        state: short_type_name::<P::State>(),
        goal: GoalFacts { declared: P::CODE.goal.is_some(), used: definition.uses_goal },
        start: name(definition.start),
        default_return: definition.default_return.and_then(name),
        engines: definition.engines,
        max_retries: definition.max_retries,
        max_steps: definition.max_steps,
        timeout_ms: milliseconds(definition.timeout),
        budget: definition.budget,
        history: history(definition),
        mock_mode: definition.mock_mode,
        parts: P::CODE.parts.iter().map(|(name, _)| *name).collect(),
        sequences: sequences(definition),
        tasks: tasks.collect(),
        fingerprint: Fingerprint::of::<P>(),
        start_index: definition.start,
    }
}

fn coded<P: Process>(code: &TaskCode<P>) -> Coded {
    Coded {
        transition_guards: code.transitions.iter().map(|way| way.guard.is_some()).collect(),
        arm_guards: code.next.iter().map(|arm| arm.guard.is_some()).collect(),
        has_output: code.output.is_some(),
    }
}

/// The place of the process that a task runs.
fn within<P: Process>(code: &TaskCode<P>, gathered: &mut Gathered) -> Option<usize> {
    match &code.work {
        Work::Process(process) => Some((process.describe)(gathered)),
        _ => None,
    }
}

/// A task in both tables.
struct Task<P: Process> {
    task: &'static TaskDefinition,
    code: &'static TaskCode<P>,
}

impl<P: Process> Task<P> {
    fn facts(
        &self,
        ways: Vec<Way>,
        definition: &'static Definition,
        gathered: &mut Gathered,
    ) -> TaskFacts {
        let task = self.task;
        let name = |target: TaskIndex| definition.task(target).about.name;
        let ai = task.kind.ai();
        let within = within(self.code, gathered).map(|place| &gathered.found[place]);
        let on = task.on.named().map(|(route, target)| (route.to_owned(), name(target).into()));
        TaskFacts {
            name: task.about.name,
            title: task.about.title,
            description: task.about.description,
            kind: kind(&task.kind),
            process: within.map(|found| found.key.clone()),
            reasons: task.kind.reasons(),
            engines: ai.map_or(&[], |ai| ai.engines),
            temperature: ai.and_then(|ai| ai.temperature),
            max_tokens: ai.and_then(|ai| ai.max_tokens),
            max_concurrency: max_concurrency(&task.kind),
            max_retries: task.max_retries,
            timeout_ms: milliseconds(task.timeout),
            wait_ms: milliseconds(task.wait),
            history: task.history,
            mock: task.has_mock,
            mock_mode: task.mock_mode,
            inputs: self.inputs(),
            output: self.output(within.map(|found| &*found.state)),
            transitions: self.transitions(name),
            next: self.arms(name),
            choices: task.choices.iter().map(|target| name(*target)).collect(),
            on: on.collect::<Map<String, Value>>(),
            ways,
        }
    }

    fn inputs(&self) -> Option<InputsFacts> {
        let schema = self.code.inputs.as_ref().and_then(|inputs| inputs.schema);
        let schema = schema.map(|schema| schema().json().clone());
        self.task.takes_inputs.then_some(InputsFacts { schema })
    }

    fn output(&self, state: Option<&str>) -> Option<OutputFacts> {
        let output = self.code.output.as_ref()?;
        let schema: Option<&OutputSchema> = output.schema.map(|schema| schema());
        let name = schema.map(OutputSchema::name).or(state).map(str::to_owned);
        Some(OutputFacts { name, schema: schema.map(|schema| schema.json().clone()) })
    }

    fn transitions(&self, name: impl Fn(TaskIndex) -> &'static str) -> Vec<TransitionFacts> {
        let transitions = self.task.kind.ai().map_or(&[][..], |ai| ai.transitions);
        let both = transitions.iter().zip(self.code.transitions);
        let facts = both.map(|(way, code)| TransitionFacts {
            task: name(way.target),
            label: code.label.is_some(),
            guard: code.guard.is_some(),
            with: match way.with_model {
                true => Some(With::Model),
                false => code.with.map(|_| With::Expression),
            },
        });
        facts.collect()
    }

    fn arms(&self, name: impl Fn(TaskIndex) -> &'static str) -> Vec<ArmFacts> {
        let both = self.task.next.iter().zip(self.code.next);
        let facts = both.map(|(target, code)| ArmFacts {
            task: name(*target),
            guard: code.guard.is_some(),
            with: code.with.map(|_| With::Expression),
        });
        facts.collect()
    }
}

const fn kind(kind: &TaskKind) -> Kind {
    match kind {
        TaskKind::Ai(_) => Kind::Ai,
        TaskKind::Each(..) => Kind::ForEach,
        TaskKind::Code => Kind::Code,
        TaskKind::Human => Kind::Human,
        TaskKind::Process(_) => Kind::Process,
        TaskKind::Gateway => Kind::Gateway,
        TaskKind::End => Kind::End,
        TaskKind::Fail => Kind::Fail,
    }
}

const fn max_concurrency(kind: &TaskKind) -> Option<usize> {
    match kind {
        TaskKind::Each(_, each) => each.max_concurrency,
        _ => None,
    }
}

const fn history(definition: &Definition) -> HistoryFacts {
    let state_max_items = definition.state_max_items;
    let (kept, max_items) = match definition.history {
        HistoryLimit::None => (false, None),
        HistoryLimit::Unlimited => (true, None),
        HistoryLimit::Last(max) => (true, Some(max)),
    };
    HistoryFacts { kept, max_items, state_max_items }
}

/// The sequences, each from its first task; a task is in one at most.
fn sequences(definition: &'static Definition) -> Vec<Vec<&'static str>> {
    let tasks = definition.tasks;
    let follows = |index: usize| tasks.iter().any(|task| task.in_sequence == Some(index));
    let heads =
        (0..tasks.len()).filter(|head| tasks[*head].in_sequence.is_some() && !follows(*head));
    let sequence = |head| {
        let chain = std::iter::successors(Some(head), |task: &usize| tasks[*task].in_sequence);
        chain.take(tasks.len()).map(|task| tasks[task].about.name).collect()
    };
    heads.map(sequence).collect()
}

fn milliseconds(duration: Option<Duration>) -> Option<u64> {
    duration.map(|duration| u64::try_from(duration.as_millis()).unwrap_or(u64::MAX))
}
