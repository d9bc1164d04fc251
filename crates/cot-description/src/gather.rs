//! Gathers the facts of a description from the static tables.

use std::{any::TypeId, time::Duration};

use cot_engine::{
    Effect,
    internal::{
        Collect, Definition, HistoryLimit, ProcessOutline, TaskDefinition, TaskIndex, TaskKind,
        TaskOutline, TaskTrust, ToolHistory, ToolSelection, TrustDefinition, UntrustedHistory,
    },
};
use cot_model::MediaKind;
use cot_schema::OutputSchema;
use serde_json::{Map, Value};

use crate::{
    bounds::bounds,
    edges::edges,
    facts::{
        ArmFacts, DescriptionFacts, Edge, FlowFacts, GoalFacts, HistoryFacts, InputsFacts,
        InputsSource, OutputFacts, ProcessFacts, SelectionFacts, TaskFacts, ToolFacts,
        TransitionFacts, TrustFacts,
    },
    layout::layout,
};

/// Gathers the facts of a process and of its sub-processes, each once.
pub(crate) fn gather(root: &'static dyn ProcessOutline) -> DescriptionFacts {
    let processes = processes(root);
    let sub_processes = processes.iter().skip(1);
    let sub_processes =
        sub_processes.map(|entry| (entry.key.clone(), process(entry.outline, &processes)));
    DescriptionFacts { root: process(root, &processes), sub_processes: sub_processes.collect() }
}

/// A process with its key.
struct KeyedProcess {
    outline: &'static dyn ProcessOutline,
    id: TypeId,
    /// The name, with a number if another process has the same name.
    key: String,
}

fn processes(root: &'static dyn ProcessOutline) -> Vec<KeyedProcess> {
    let mut processes: Vec<KeyedProcess> = Vec::new();
    for outline in root.with_inner() {
        let key = unique_key(outline.definition().about.name, &processes);
        processes.push(KeyedProcess { outline, id: outline.id(), key });
    }
    processes
}

fn unique_key(name: &str, processes: &[KeyedProcess]) -> String {
    let is_free = |key: &String| processes.iter().all(|entry| entry.key != *key);
    let numbered = (2_usize..).map(|number| format!("{name}#{number}"));
    // There are more numbers than processes.
    std::iter::once(name.to_owned()).chain(numbered).find(is_free).unwrap_or_default()
}

fn process(outline: &'static dyn ProcessOutline, processes: &[KeyedProcess]) -> ProcessFacts {
    let definition = outline.definition();
    let name = |task: TaskIndex| definition.tasks.get(task).map(|task| task.about.name);
    let outlines: Vec<TaskOutline> =
        (0..definition.tasks.len()).map_while(|task| outline.task(task)).collect();
    let edges = edges(definition, &outlines);
    let both = definition.tasks.iter().zip(&outlines).enumerate();
    let tasks = both.zip(edges).map(|((index, (task, code)), edges)| {
        let layout = layout(outline, index, code);
        TaskFacts { layout, ..TaskTables { task, code }.facts(edges, definition, processes) }
    });
    ProcessFacts {
        name: definition.about.name,
        description: definition.about.description,
        state: outline.state_name(),
        goal: GoalFacts { declared: outline.has_goal(), used: definition.uses_goal },
        start: name(definition.start),
        default_return: definition.default_return.and_then(name),
        engines: definition.engines,
        settings: definition.settings.to_settings(),
        max_retries: definition.max_retries,
        max_steps: definition.max_steps,
        timeout_ms: milliseconds(definition.timeout),
        budget: definition.budget,
        bounds: bounds(definition),
        history: history(definition),
        mock_mode: definition.mock_mode,
        tools: tools(outline),
        trust: trust(definition),
        parts: outline.part_names().to_vec(),
        sequences: sequences(definition),
        tasks: tasks.collect(),
        fingerprint: outline.fingerprint(),
        start_index: definition.start,
    }
}

/// Returns the marks of trust, if any value is marked.
fn trust(definition: &'static Definition) -> Option<TrustFacts> {
    let TrustDefinition {
        is_strict,
        untrusted,
        private,
        private_members,
        engines,
        history,
        tasks,
        ..
    } = *definition.trust;
    let flow = |found: &'static TaskTrust| {
        let task = definition.task(found.task);
        let private = found.private.iter().filter(|field| !found.untrusted.contains(field));
        let own = task.kind.ai().map(|ai| ai.engines);
        let engines = own.map(|own| if own.is_empty() { definition.engines } else { own });
        FlowFacts {
            task: task.about.name,
            shown: found.untrusted.iter().chain(private).copied().collect(),
            engines: engines.unwrap_or_default(),
            untrusted: found.is_untrusted,
            trusts: found.trusts,
        }
    };
    let is_marked = is_strict || !untrusted.is_empty() || !private.is_empty() || !tasks.is_empty();
    is_marked.then(|| TrustFacts {
        strict: is_strict,
        untrusted,
        private,
        private_members,
        engines,
        history: match history {
            UntrustedHistory::Shown => "shown",
            UntrustedHistory::Omit => "omit",
            UntrustedHistory::Quoted => "quoted",
        },
        flows: tasks.iter().map(flow).collect(),
    })
}

/// A task with its entries in both tables.
struct TaskTables<'a> {
    task: &'static TaskDefinition,
    code: &'a TaskOutline,
}

impl TaskTables<'_> {
    fn facts(
        &self,
        edges: Vec<Edge>,
        definition: &'static Definition,
        processes: &[KeyedProcess],
    ) -> TaskFacts {
        let task = self.task;
        let name = |target: TaskIndex| definition.task(target).about.name;
        let ai = task.kind.ai();
        let inner = self.code.process.map(ProcessOutline::id);
        let sub_processes = processes.iter().find(|entry| Some(entry.id) == inner);
        let on = task.on.named().map(|(route, target)| (route.to_owned(), name(target).into()));
        TaskFacts {
            name: task.about.name,
            title: task.about.title,
            description: task.about.description,
            kind: task.kind.info(),
            process: sub_processes.map(|entry| entry.key.clone()),
            reasons: task.kind.reasons(),
            reads: task.kind.reader(),
            engines: ai.map_or(&[], |ai| ai.engines),
            settings: ai.map(|ai| ai.settings.to_settings()).unwrap_or_default(),
            media: ai
                .map(|ai| ai.media.kinds().map(MediaKind::as_str).collect())
                .unwrap_or_default(),
            layout: None,
            tools: used_tools(definition, task),
            max_tool_calls: {
                let own = task.kind.max_tool_calls().or(definition.tools.max_calls);
                // A reader makes no calls.
                let makes_calls = task.kind.reader().is_none() && !task.kind.tools().is_empty();
                own.filter(|_| makes_calls)
            },
            max_concurrency: max_concurrency(&task.kind),
            max_items: max_items(&task.kind),
            max_retries: task.max_retries,
            collects_failures: task.kind.collect() == Collect::Ok,
            once: task.kind.effect() == Effect::Once,
            transaction: task.kind.effect() == Effect::Transaction,
            timeout_ms: milliseconds(task.timeout),
            wait_ms: milliseconds(task.wait),
            history: task.history,
            mock: task.has_mock,
            mock_mode: task.mock_mode,
            inputs: self.inputs(),
            output: self.output(),
            transitions: self.transitions(name),
            next: self.arms(name),
            choices: task.choices.iter().map(|target| name(*target)).collect(),
            branches: task
                .kind
                .parallel()
                .map_or(&[][..], |it| it.branches)
                .iter()
                .map(|target| name(*target))
                .collect(),
            join: task.kind.parallel().map(|parallel| parallel.join.name()),
            on: on.collect::<Map<String, Value>>(),
            edges,
        }
    }

    fn inputs(&self) -> Option<InputsFacts> {
        let schema = self.code.inputs.map(|schema| schema.json().clone());
        self.task.takes_inputs.then_some(InputsFacts { schema })
    }

    fn output(&self) -> Option<OutputFacts> {
        self.code.has_output.then_some(())?;
        let schema: Option<&OutputSchema> = self.code.output;
        let state = || self.code.process.map(ProcessOutline::state_name);
        let name = schema.map(|schema| schema.name().to_owned()).or_else(state);
        Some(OutputFacts { name, schema: schema.map(|schema| schema.json().clone()) })
    }

    fn transitions(&self, name: impl Fn(TaskIndex) -> &'static str) -> Vec<TransitionFacts> {
        let transitions = self.task.kind.ai().map_or(&[][..], |ai| ai.transitions);
        let both = transitions.iter().zip(&self.code.transitions);
        let facts = both.map(|(edge, code)| TransitionFacts {
            task: name(edge.target),
            label: code.has_label,
            guard: code.has_guard,
            with: match edge.with_model {
                true => Some(InputsSource::Model),
                false => code.has_inputs.then_some(InputsSource::Expression),
            },
        });
        facts.collect()
    }

    fn arms(&self, name: impl Fn(TaskIndex) -> &'static str) -> Vec<ArmFacts> {
        let both = self.task.next.iter().zip(&self.code.arms);
        let facts = both.map(|(target, code)| ArmFacts {
            task: name(*target),
            guard: code.has_guard,
            with: code.has_inputs.then_some(InputsSource::Expression),
        });
        facts.collect()
    }
}

fn tools(outline: &'static dyn ProcessOutline) -> Vec<ToolFacts> {
    let tools = outline.definition().tools.tools.iter().enumerate();
    let facts = tools.map(|(index, tool)| ToolFacts {
        name: tool.name,
        description: tool.description,
        schema: outline.tool_schema(index).map(|schema| schema.json().clone()),
        only: match tool.selection {
            ToolSelection::Function => None,
            ToolSelection::Named(names) => Some(SelectionFacts::Named(names)),
            ToolSelection::All => Some(SelectionFacts::All("all")),
        },
        once: tool.effect == Effect::Once,
        approve: tool.needs_approval,
        timeout_ms: milliseconds(tool.timeout),
        max_retries: tool.max_retries,
        mock: tool.has_mock,
    });
    facts.collect()
}

fn used_tools(definition: &'static Definition, task: &TaskDefinition) -> Vec<&'static str> {
    let tools = task.kind.tools().iter().filter_map(|tool| definition.tools.tools.get(*tool));
    tools.map(|tool| tool.name).collect()
}

const fn max_items(kind: &TaskKind) -> Option<usize> {
    match kind {
        TaskKind::Each(each) => each.max_items,
        _ => None,
    }
}

const fn max_concurrency(kind: &TaskKind) -> Option<usize> {
    match kind {
        TaskKind::Each(each) => each.max_concurrency,
        TaskKind::Calls(calls) => calls.max_concurrency,
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
    let tools = match definition.tools.history {
        ToolHistory::None => None,
        ToolHistory::Names => Some("names"),
        ToolHistory::All => Some("all"),
    };
    HistoryFacts { kept, max_items, state_max_items, tools }
}

/// Returns the sequences, each from its first task. A task is in at most one sequence.
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
