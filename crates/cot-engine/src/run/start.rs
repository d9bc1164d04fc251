//! Starts a run, after checking its preconditions.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt, slice,
    sync::Arc,
    time::Duration,
};

use cot_model::Usage;
use cot_schema::{
    OutputSchema,
    internal::{closest_name, truncate},
};

use crate::{
    process::{
        call_place::CallPlace,
        host::{ProcessHost, TemplateId},
        limits::Limits,
        mock_mode::MockMode,
        options::{MachineOptions, StartError},
        reserved::ReservedFieldError,
        scope::ScopeData,
        tables::{Definition, TaskDefinition, TaskIndex},
        tool::{
            definition::{ToolDefinition, ToolSelection},
            source::SourceTool,
        },
    },
    run::{
        callers::Callers,
        context::{Arrival, RunFacts},
        position::Position,
        run::Run,
    },
    snapshot::once_calls::OnceCalls,
    values::{catch::catch_panic, history::History, inputs::Inputs, panicked::describe_panic},
};
use cot_template::PromptWriter;

/// Maximum length of the name of a tool.
const MAX_NAME_BYTES: usize = 128;

impl Run {
    /// Starts a run at its first task. Without a goal of its own it uses `outer_goal`.
    pub(crate) fn start(
        definition: &'static Definition,
        options: &Arc<MachineOptions>,
        host: &dyn ProcessHost,
        outer_goal: &str,
    ) -> Result<Self, StartError> {
        check_schemas(definition, host)?;
        check_mock_mode(definition, definition.tasks, options)?;
        let goal = resolve_goal(definition, options, host, outer_goal)?;
        Ok(Self::new(definition, Arc::clone(options), goal, Arrival::new(definition.start, None)))
    }

    /// Starts a run of one task only. Checks only what that task needs.
    pub(crate) fn start_alone(
        definition: &'static Definition,
        options: &Arc<MachineOptions>,
        host: &dyn ProcessHost,
        (task, inputs): (TaskIndex, Option<Inputs>),
    ) -> Result<Self, StartError> {
        let about = &definition.task(task).about;
        if definition.task(task).takes_inputs && inputs.is_none() {
            return Err(StartError::MissingInputs { task: about.name });
        }
        check_schema(about.name, host.output_schema(task))?;
        check_reserved(definition, task, host)?;
        check_examples(task, host)?;
        check_tools(definition, task, host)?;
        for transition in definition.task(task).kind.ai().map_or(&[][..], |ai| ai.transitions) {
            let target = definition.task(transition.target).about.name;
            check_schema(target, host.inputs_schema(transition.target))?;
        }
        check_mock_mode(definition, slice::from_ref(definition.task(task)), options)?;
        let goal = resolve_goal(definition, options, host, "")?;
        let arrival = Arrival::new(task, inputs);
        let mut run = Self::new(definition, Arc::clone(options), goal, arrival);
        run.facts.is_alone = true;
        Ok(run)
    }

    /// Creates a new run that is about to start a task.
    pub(crate) fn new(
        definition: &'static Definition,
        options: Arc<MachineOptions>,
        goal: String,
        arrival: Arrival,
    ) -> Self {
        let facts = RunFacts {
            definition,
            limits: Limits::declared(definition, &options),
            options,
            inherited: Limits::default(),
            goal,
            history: Arc::default(),
            callers: Callers::default(),
            visits: vec![0; definition.tasks.len()],
            other_visits: BTreeMap::new(),
            is_alone: false,
            is_moved: false,
            current_inputs: None,
            last_failure: None,
            out_of_budget: BTreeSet::new(),
            usage: Usage::default(),
            steps: 0,
            elapsed: Duration::ZERO,
            last_call: 0,
            once: OnceCalls::default(),
            beside: None,
            branch_history: None,
            outer: None,
            attempt: 1,
            prompt_shapes: vec![None; definition.tasks.len()],
        };
        Self { facts, position: Position::BetweenTasks(arrival) }
    }
}

/// Returns the goal of the options, or else the declared one.
fn resolve_goal(
    definition: &'static Definition,
    options: &MachineOptions,
    host: &dyn ProcessHost,
    outer: &str,
) -> Result<String, StartError> {
    if let Some(goal) = options.goal.as_ref().filter(|goal| !goal.trim().is_empty()) {
        return Ok(goal.clone());
    }
    let (task, history) = (definition.task(definition.start), Arc::new(History::new()));
    let scope = ScopeData {
        goal: outer,
        task: &task.about,
        process: &definition.about,
        history: &history,
        inputs: None,
        item: None,
        parts: None,
        call: CallPlace::START,
    };
    let mut writer = PromptWriter::default();
    match catch_panic(|| host.write(TemplateId::Goal, &scope, &mut writer)) {
        Ok(Ok(false)) if definition.uses_goal && outer.is_empty() => Err(StartError::MissingGoal),
        Ok(Ok(false)) => Ok(outer.to_owned()),
        Ok(Ok(true)) => Ok(writer.finish()),
        Ok(Err(fmt::Error)) => Err(StartError::Template(writer.take_failure())),
        Err(payload) => Err(StartError::Template(describe_panic(&*payload))),
    }
}

fn check_schemas(
    definition: &'static Definition,
    host: &dyn ProcessHost,
) -> Result<(), StartError> {
    for (index, task) in definition.tasks.iter().enumerate() {
        check_schema(task.about.name, host.output_schema(index))?;
        check_schema(task.about.name, host.inputs_schema(index))?;
        check_reserved(definition, index, host)?;
        check_examples(index, host)?;
        check_tools(definition, index, host)?;
    }
    Ok(())
}

/// Checks that the tools of a task have usable schemas and names, and that sources have the tools that the process
/// names.
fn check_tools(
    definition: &'static Definition,
    task: TaskIndex,
    host: &dyn ProcessHost,
) -> Result<(), StartError> {
    let TaskDefinition { about, kind, .. } = definition.task(task);
    for index in kind.tools() {
        check_schema(about.name, host.tool_schema(*index))?;
        let Some(ToolDefinition { name: declared, selection, .. }) =
            definition.tools.tools.get(*index)
        else {
            continue;
        };
        let source = host.source_tools(*index);
        let has_tool = |name: &&&str| source.iter().any(|tool| tool.name() == **name);
        if let Some(name) = selection.names().iter().find(|name| !has_tool(name)) {
            let suggestion = closest_name(name, source.iter().map(SourceTool::name));
            let suggestion = suggestion.map(str::to_owned);
            return Err(StartError::MissingTool { name: declared, tool: name, suggestion });
        }
        for tool in selection.select(source) {
            let schema = OutputSchema::from_json(tool.name(), tool.schema.json.clone());
            check_schema(about.name, Some(&schema))?;
        }
    }
    check_tool_names(definition, task, host)
}

/// Checks the names of tools that the declaration does not list, when a run resumes.
pub(crate) fn check_whole_sources(
    definition: &'static Definition,
    host: &dyn ProcessHost,
) -> Result<(), StartError> {
    let is_whole = |tool: &ToolDefinition| tool.selection == ToolSelection::All;
    if !definition.tools.tools.iter().any(is_whole) {
        return Ok(());
    }
    (0..definition.tasks.len()).try_for_each(|task| check_tool_names(definition, task, host))
}

/// Checks that the tools of a task have different names that models can write.
fn check_tool_names(
    definition: &'static Definition,
    task: TaskIndex,
    host: &dyn ProcessHost,
) -> Result<(), StartError> {
    let mut callable: BTreeMap<&str, &'static str> = BTreeMap::new();
    let tools = definition.task(task).kind.tools().iter();
    let tools = tools.filter_map(|index| Some((*index, definition.tools.tools.get(*index)?)));
    for (index, ToolDefinition { name: declared, selection, .. }) in tools {
        let selected = selection.select(host.source_tools(index)).into_iter();
        let own = (*selection == ToolSelection::Function).then_some(*declared);
        for name in selected.map(SourceTool::name).chain(own) {
            let tool = || truncate(name, 2 * MAX_NAME_BYTES).to_owned();
            if *selection == ToolSelection::All && !is_tool_name(name) {
                return Err(StartError::ToolName { name: declared, tool: tool() });
            }
            if let Some(first) = callable.insert(name, declared) {
                return Err(StartError::DuplicateTool { tool: tool(), first, second: declared });
            }
        }
    }
    Ok(())
}

/// Returns whether a tool can have this name.
fn is_tool_name(name: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || "_-.:/".contains(c);
    (1..=MAX_NAME_BYTES).contains(&name.len()) && name.chars().all(is_part)
}

/// Checks that the task's output has no reserved field.
fn check_reserved(
    definition: &'static Definition,
    task: TaskIndex,
    host: &dyn ProcessHost,
) -> Result<(), StartError> {
    let schema = host.output_schema(task);
    match ReservedFieldError::find(definition, definition.task(task), schema) {
        Some(field) => Err(field.into()),
        None => Ok(()),
    }
}

/// Checks that the outputs of the task's examples are valid.
fn check_examples(task: TaskIndex, host: &dyn ProcessHost) -> Result<(), StartError> {
    match host.examples(task).and_then(|examples| examples.invalid.first()) {
        Some(error) => Err(error.clone().into()),
        None => Ok(()),
    }
}

fn check_schema(task: &'static str, schema: Option<&OutputSchema>) -> Result<(), StartError> {
    match schema.and_then(OutputSchema::compile_error) {
        Some(reason) => Err(StartError::BadSchema { task, reason: reason.to_string() }),
        None => Ok(()),
    }
}

/// Checks that the mock mode names existing tasks, and that the tasks to run have the mocks that they need.
pub(crate) fn check_mock_mode(
    definition: &'static Definition,
    checked: &'static [TaskDefinition],
    options: &MachineOptions,
) -> Result<(), StartError> {
    let mode = options.mock_mode.as_ref();
    if let Some(name) = mode.and_then(|mode| mode.unknown_task(definition)) {
        let suggestion = closest_name(name, definition.tasks.iter().map(|task| task.about.name));
        return Err(StartError::UnknownTask { task: name.to_owned(), suggestion });
    }
    let mut tasks = Vec::new();
    collect_missing_mocks(definition, checked, mode, &mut tasks);
    let tools = definition.tools.tools.iter().filter(|tool| !tool.has_mock);
    let tools = tools.filter(|tool| mode.is_some_and(|mode| mode.names(tool.name)));
    tasks.extend(tools.map(|tool| tool.name));
    if tasks.is_empty() { Ok(()) } else { Err(StartError::NoMock { tasks }) }
}

/// Collects the tasks that require a mock and have none.
fn collect_missing_mocks(
    definition: &'static Definition,
    checked: &'static [TaskDefinition],
    mode: Option<&MockMode>,
    missing: &mut Vec<&'static str>,
) {
    for task in checked {
        let name = task.about.name;
        if let Some(inner) = task.kind.process() {
            // Without a mode of the run, the sub-process uses its own.
            let mode = mode.map(|mode| mode.within(task));
            collect_missing_mocks(inner, inner.tasks, mode, missing);
            continue;
        }
        let asks = task.kind.ai().is_some() || mode.is_some_and(|mode| mode.names(name));
        let lacks = asks && !task.has_mock && definition.has_mock_mode(task, mode);
        if lacks && !missing.contains(&name) {
            missing.push(name);
        }
    }
}
