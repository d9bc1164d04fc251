//! The typed functions of a process, parallel to its plain tables.

use std::{any::Any, fmt, sync::Arc};

use cot_model::{BoxFuture, FunctionError, ToolCall, Turn};
use cot_schema::{Issues, OutputSchema, internal::UntypedOutput};
use serde_json::{Value, value::RawValue};

use super::{
    commit::CommitView,
    connection::{Connection, ConnectionType},
    context::{Cx, OwnedCx},
    examples::example::ExampleData,
    mock::{Mocked, Reply},
    outline::ProcessOutline,
    reading::code::ReplyCode,
    scope::Scope,
    tables::ChosenTask,
    texts::Primer,
    tool::{
        code::{ToolCode, ToolGuard, ToolWork},
        definition::ToolIndex,
    },
    types::ProcessTypes,
};
use crate::{
    process::child::ChildRun,
    protocol::directive::ResultSchema,
    snapshot::{data::Snapshot, error::SnapshotError, options::ResumeOptions},
    values::{history::History, inputs::Inputs},
};
use cot_template::PromptWriter;

/// A function that writes the text of a template.
pub(crate) type Template<P> = fn(&Cx<'_, P>, &mut PromptWriter) -> fmt::Result;
/// The guard of a transition.
pub(crate) type Guard<P> = fn(&Scope<'_, P>) -> bool;
/// The guard of a `next` arm. It receives the output that was just committed, if the task has one.
pub(crate) type ArmGuard<P> = fn(&Scope<'_, P>, Option<&<P as ProcessTypes>::Output>) -> bool;
/// Computes the inputs of a transition.
pub(crate) type TransitionInputs<P> = fn(&Scope<'_, P>) -> Option<Inputs>;
/// Computes the inputs of a `next` arm.
pub(crate) type ArmInputs<P> =
    fn(&Scope<'_, P>, Option<&<P as ProcessTypes>::Output>) -> Option<Inputs>;
/// Applies `update` and `process_output` atomically. The view is the scope of the task without its state,
/// which is the second argument. Returns the task that `process_output` chose, if it chooses.
pub(crate) type Commit<P> = fn(
    &<P as ProcessTypes>::Output,
    &mut <P as ProcessTypes>::State,
    &mut CommitView<'_, P>,
) -> Result<Option<ChosenTask>, Issues>;

/// Returns the first state field that the task reads and that is not set.
pub(crate) type Unwritten<P> = fn(&<P as ProcessTypes>::State) -> Option<&'static str>;
/// Computes the mock answer of a task.
pub(crate) type Mock<P> = fn(&Cx<'_, P>) -> serde_json::Result<Mocked>;

/// Computes the mock answer of any task of the process.
pub(crate) type ProcessMock<P> = fn(&Cx<'_, P>) -> Reply<<P as ProcessTypes>::Output>;

/// The typed functions of a process.
pub struct ProcessCode<P: ProcessTypes> {
    pub goal: Option<Template<P>>,
    pub intro: Option<Template<P>>,
    pub system: Option<Template<P>>,
    pub primers: &'static [(Primer, Template<P>)],
    /// The names of the parts of `prompts`.
    pub part_names: &'static [&'static str],
    /// The parts of `prompts`, in the order of their names.
    pub parts: &'static [Template<P>],
    /// Returns the field of the state that mirrors the history.
    pub mirror: Option<fn(&mut P::State) -> &mut History>,
    /// The mock of the tasks that have no mock of their own.
    pub mock: Option<ProcessMock<P>>,
    pub tools: &'static [ToolCode<P>],
    pub tasks: &'static [TaskCode<P>],
}

/// The typed functions of a task.
pub struct TaskCode<P: ProcessTypes> {
    /// The prompt of an AI task, or the question of a human task.
    pub prompt: Option<Template<P>>,
    pub full_prompt: Option<Template<P>>,
    pub errors_primer: Option<Template<P>>,
    /// The message of a `fail` task.
    pub fail: Option<Template<P>>,
    /// Returns the first state field that the task reads and that is not set. The compiler has proven that
    /// there is none, unless a function outside the declaration removes a value.
    pub unwritten: Option<Unwritten<P>>,
    pub inputs: Option<InputsCode>,
    /// The transitions, in the order of their declaration.
    pub transitions: &'static [TransitionCode<P>],
    /// The `next` arms, in the order of their declaration.
    pub next: &'static [ArmCode<P>],
    pub output: Option<OutputCode<P>>,
    /// The mock of the task. The scope has the inputs and the item.
    pub mock: Option<Mock<P>>,
    pub conversation: ConversationCode<P>,
    pub work: TaskFunction<P>,
}

/// The typed functions of the messages around the prompt of a task, of its tools, and of its replies.
pub struct ConversationCode<P: ProcessTypes> {
    /// Returns the turns of an earlier conversation.
    pub turns: Option<TurnsFunction<P>>,
    /// Returns the examples, which precede the turns.
    pub examples: Option<fn() -> Vec<ExampleData>>,
    /// The guards of the uses of tools, in the order of their declaration; empty if none has one.
    pub tool_guards: &'static [Option<ToolGuard<P>>],
    /// The functions of `read`.
    pub reply: Option<ReplyCode<P>>,
}

/// Returns the turns that precede the prompt of a task.
pub(crate) type TurnsFunction<P> = fn(&Scope<'_, P>) -> Vec<Turn>;

impl<P: ProcessTypes> ConversationCode<P> {
    /// No messages.
    pub const NONE: Self = Self { turns: None, examples: None, tool_guards: &[], reply: None };
}

/// The typed function of a task that does not ask a model or a person.
pub enum TaskFunction<P: ProcessTypes> {
    None,
    Run(StartFunction<P>, ResultSchema),
    /// Is called in a transaction of the store.
    Transact(TransactFunction<P>, ResultSchema, TakenConnection),
    /// Returns the tool calls that the task performs.
    Calls(CallsFunction<P>),
    Each(EachCode<P>),
    Process(SubProcess<P>),
}

/// Returns the tool calls that a task performs.
pub(crate) type CallsFunction<P> = fn(&Scope<'_, P>) -> Vec<ToolCall>;

/// The async function of a code task.
pub(crate) type StartFunction<P> =
    fn(Arc<OwnedCx<P>>) -> BoxFuture<'static, Result<Value, FunctionError>>;

/// The async function of a task with `effect: transaction`.
pub(crate) type TransactFunction<P> =
    for<'a> fn(Arc<OwnedCx<P>>, &'a mut Connection) -> BoxFuture<'a, Result<Value, FunctionError>>;

/// Returns the type of the connection that a function takes.
pub(crate) type TakenConnection = fn() -> ConnectionType;

/// The function of a task, or of its items.
pub(crate) enum FunctionCode<P: ProcessTypes> {
    Run(StartFunction<P>),
    Transact(TransactFunction<P>),
}

/// An async `check` of an output. It returns `null` or the issues.
pub(crate) type AsyncCheck<P> = fn(
    Arc<<P as ProcessTypes>::Output>,
    Arc<OwnedCx<P>>,
) -> BoxFuture<'static, Result<Value, FunctionError>>;

/// The typed functions of a for-each task. The scope has the number of the item.
pub struct EachCode<P: ProcessTypes> {
    /// Returns the number of items.
    pub count: fn(&Scope<'_, P>) -> usize,
    /// Reads the output of one item and runs `check`. Returns the output of the task with this item only.
    pub read: fn(UntypedOutput<'_>, &Cx<'_, P>) -> Result<P::Output, Issues>,
    pub work: ItemFunction<P>,
}

/// The typed function that a for-each task performs for an item.
pub enum ItemFunction<P: ProcessTypes> {
    /// None: a model is asked.
    None,
    Run(StartFunction<P>, ResultSchema),
    /// Is called in a transaction of the store.
    Transact(TransactFunction<P>, ResultSchema, TakenConnection),
    /// Its `end` returns the output of the task with this item only.
    Process(SubProcess<P>),
}

impl<P: ProcessTypes> TaskFunction<P> {
    /// Returns the function of a task, or of its items, and the schema of its result.
    pub(crate) const fn run(&self) -> Option<(FunctionCode<P>, ResultSchema)> {
        match self {
            Self::Run(run, result)
            | Self::Each(EachCode { work: ItemFunction::Run(run, result), .. }) => {
                Some((FunctionCode::Run(*run), *result))
            }
            Self::Transact(run, result, _)
            | Self::Each(EachCode { work: ItemFunction::Transact(run, result, _), .. }) => {
                Some((FunctionCode::Transact(*run), *result))
            }
            _ => None,
        }
    }

    /// Returns the type of the connection that the function of a task, or of its items, takes.
    pub(crate) fn connection(&self) -> Option<ConnectionType> {
        match self {
            Self::Transact(_, _, connection)
            | Self::Each(EachCode { work: ItemFunction::Transact(_, _, connection), .. }) => {
                Some(connection())
            }
            _ => None,
        }
    }

    /// Returns the sub-process of a task, or of its items.
    pub const fn process(&self) -> Option<&SubProcess<P>> {
        match self {
            Self::Process(process)
            | Self::Each(EachCode { work: ItemFunction::Process(process), .. }) => Some(process),
            _ => None,
        }
    }
}

/// Resumes a sub-process from its snapshot.
pub(crate) type ResumeChild<P> =
    fn(Snapshot, &ResumeOptions, &Cx<'_, P>) -> Result<Box<dyn ChildRun>, SnapshotError>;

/// The typed functions of a sub-process.
pub struct SubProcess<P: ProcessTypes> {
    /// Creates the sub-process in its initial state.
    pub begin: fn(&Cx<'_, P>) -> Option<Box<dyn ChildRun>>,
    /// Restores the sub-process from a snapshot.
    pub resume: ResumeChild<P>,
    /// Returns the outline of the sub-process.
    pub describe: fn() -> &'static dyn ProcessOutline,
    /// Converts the final state of the sub-process into the output of the task.
    pub end: fn(Box<dyn Any>) -> Option<P::Output>,
}

/// The typed functions of a task's inputs.
pub struct InputsCode {
    /// The schema of inputs that a model provides.
    pub schema: Option<fn() -> &'static OutputSchema>,
    /// Reads inputs from a snapshot, or inputs of a model that match the schema.
    pub read: fn(Value) -> Result<Inputs, Issues>,
}

/// The typed functions of a transition.
pub struct TransitionCode<P: ProcessTypes> {
    pub label: Option<Template<P>>,
    pub guard: Option<Guard<P>>,
    pub with: Option<TransitionInputs<P>>,
}

impl<P: ProcessTypes> TransitionCode<P> {
    /// A transition without functions.
    pub const NONE: Self = Self { label: None, guard: None, with: None };
}

/// The typed functions of a `next` arm.
pub struct ArmCode<P: ProcessTypes> {
    pub guard: Option<ArmGuard<P>>,
    pub with: Option<ArmInputs<P>>,
}

impl<P: ProcessTypes> ArmCode<P> {
    /// An arm without functions.
    pub const NONE: Self = Self { guard: None, with: None };
}

/// The typed functions of a task's output.
pub struct OutputCode<P: ProcessTypes> {
    /// The schema of one reply; for a for-each task, of the output of one item. `None` for code tasks and
    /// sub-processes.
    pub schema: Option<fn() -> &'static OutputSchema>,
    /// Reads a value that matches the schema and runs `check`. For a for-each task, reads the list of all
    /// outputs, which were checked one by one.
    pub read: fn(UntypedOutput<'_>, &Cx<'_, P>) -> Result<P::Output, Issues>,
    /// The async `check` of an output that `read` returned.
    pub check: Option<AsyncCheck<P>>,
    /// Reads an output that was committed before. Does not run `check` again, since the state has changed.
    pub restore: fn(UntypedOutput<'_>) -> Result<P::Output, Issues>,
    pub commit: Commit<P>,
    /// Serializes the output.
    pub to_json: fn(&P::Output) -> serde_json::Result<Box<RawValue>>,
}

impl<P: ProcessTypes> ProcessCode<P> {
    /// Returns the schema of the arguments of a tool; `None` for a source.
    pub(crate) fn tool_schema(&self, tool: ToolIndex) -> Option<&'static OutputSchema> {
        match &self.tools.get(tool)?.work {
            ToolWork::Function(code) => Some((code.schema)()),
            ToolWork::Source(_) => None,
        }
    }
}

impl<P: ProcessTypes> TaskCode<P> {
    /// Returns the schema of the task's output.
    pub(crate) fn output_schema(&self) -> Option<&'static OutputSchema> {
        self.output.as_ref()?.schema.map(|schema| schema())
    }

    /// Returns the schema of the inputs that a model provides.
    pub(crate) fn inputs_schema(&self) -> Option<&'static OutputSchema> {
        self.inputs.as_ref()?.schema.map(|schema| schema())
    }
}
