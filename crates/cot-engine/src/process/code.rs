//! The typed functions of a process, beside its plain tables.

use std::{any::Any, fmt};

use cot_model::BoxFuture;
use cot_schema::{Issues, OutputSchema, internal::Given};
use serde_json::{Value, value::RawValue};

use super::{
    commit::CommitView,
    mock::{Mocked, Reply},
    outline::ProcessOutline,
    scope::Scope,
    tables::Chosen,
    types::ProcessTypes,
};
use crate::{
    process::child::ChildRun,
    snapshot::{data::Snapshot, error::SnapshotError, options::ResumeOptions},
    template::writer::PromptWriter,
    values::{code_error::CodeError, history::History, inputs::Inputs},
};

/// A template: writes its text.
pub(crate) type Template<P> = fn(&Scope<'_, P>, &mut PromptWriter) -> fmt::Result;
/// A guard of a transition.
pub(crate) type Guard<P> = fn(&Scope<'_, P>) -> bool;
/// A guard of a `next` arm: sees the output that was just committed, if the task has one.
pub(crate) type ArmGuard<P> = fn(&Scope<'_, P>, Option<&<P as ProcessTypes>::Output>) -> bool;
/// The inputs that a transition computes for its target.
pub(crate) type With<P> = fn(&Scope<'_, P>) -> Option<Inputs>;
/// The inputs that a `next` arm computes for its target.
pub(crate) type ArmWith<P> =
    fn(&Scope<'_, P>, Option<&<P as ProcessTypes>::Output>) -> Option<Inputs>;
/// Applies `update` and `process_output`; all or nothing. The view is the scope of the task without its
/// state, which is the second argument. The result is what `process_output` chose, if it chooses.
pub(crate) type Commit<P> = fn(
    &<P as ProcessTypes>::Output,
    &mut <P as ProcessTypes>::State,
    &mut CommitView<'_, P>,
) -> Result<Option<Chosen>, Issues>;

/// The first state field that a task reads and that is not written.
pub(crate) type Unwritten<P> = fn(&<P as ProcessTypes>::State) -> Option<&'static str>;
/// The synthetic answer of a task.
pub(crate) type Mock<P> = fn(&Scope<'_, P>) -> serde_json::Result<Mocked>;

/// The synthetic answer of any task that asks.
pub(crate) type ProcessMock<P> = fn(&Scope<'_, P>) -> Reply<<P as ProcessTypes>::Output>;

/// The typed functions of a process.
pub struct Code<P: ProcessTypes> {
    pub goal: Option<Template<P>>,
    pub intro: Option<Template<P>>,
    pub system: Option<Template<P>>,
    pub primers: Primers<P>,
    /// The parts of `prompts`, by name.
    pub parts: &'static [(&'static str, Template<P>)],
    /// The state's mirror of the history.
    pub mirror: Option<fn(&mut P::State) -> &mut History>,
    /// The synthetic answer of the tasks that ask and have no mock of their own.
    pub mock: Option<ProcessMock<P>>,
    pub tasks: &'static [TaskCode<P>],
}

/// The texts before the standard parts; `None` stands for the library's own.
pub struct Primers<P: ProcessTypes> {
    pub goal: Option<Template<P>>,
    pub history: Option<Template<P>>,
    pub errors: Option<Template<P>>,
    pub transitions: Option<Template<P>>,
    pub output: Option<Template<P>>,
}

/// The typed functions of a task.
pub struct TaskCode<P: ProcessTypes> {
    /// The prompt of an AI task; what a human task asks.
    pub prompt: Option<Template<P>>,
    pub full_prompt: Option<Template<P>>,
    pub errors_primer: Option<Template<P>>,
    /// Why the process fails, of a `fail` task.
    pub fail: Option<Template<P>>,
    /// The first state field that the task reads and that is not written, if any: the compiler has
    /// proven that there is none, unless a function outside of the declaration took it away.
    pub unwritten: Option<Unwritten<P>>,
    pub inputs: Option<InputsCode>,
    /// The transitions, in their order.
    pub transitions: &'static [TransitionCode<P>],
    /// The `next` arms, in their order.
    pub next: &'static [ArmCode<P>],
    pub output: Option<OutputCode<P>>,
    /// A synthetic answer. The scope has the inputs and the item.
    pub mock: Option<Mock<P>>,
    pub work: Work<P>,
}

/// What a task does besides asking.
pub enum Work<P: ProcessTypes> {
    None,
    Run(Run<P>),
    Each(EachCode<P>),
    Process(SubProcess<P>),
}

/// An async function, on a copy of the state and of the inputs.
pub(crate) type Run<P> =
    fn(<P as ProcessTypes>::State, Option<Inputs>) -> BoxFuture<'static, Result<Value, CodeError>>;

/// An async `check`, on a copy of the output, of the state and of the inputs. It gives `null`, or the issues.
pub(crate) type AsyncCheck<P> = fn(
    <P as ProcessTypes>::Output,
    <P as ProcessTypes>::State,
    Option<Inputs>,
) -> BoxFuture<'static, Result<Value, CodeError>>;

/// The typed functions of a for-each task. Which item is meant, the scope says.
pub struct EachCode<P: ProcessTypes> {
    /// How many items there are.
    pub count: fn(&Scope<'_, P>) -> usize,
    /// Reads the output for one item, and runs `check`.
    pub read: fn(Given<'_>, &Scope<'_, P>) -> Result<(), Issues>,
}

/// Resumes a sub-process from its snapshot.
pub(crate) type ResumeChild =
    fn(Snapshot, &ResumeOptions) -> Result<Box<dyn ChildRun>, SnapshotError>;

/// The typed functions of a sub-process.
pub struct SubProcess<P: ProcessTypes> {
    /// The process at its start.
    pub begin: fn(&Scope<'_, P>) -> Option<Box<dyn ChildRun>>,
    /// The process where a snapshot left it.
    pub resume: ResumeChild,
    /// The process without its types.
    pub describe: fn() -> &'static dyn ProcessOutline,
    /// The final state of the process, as the task's output.
    pub end: fn(Box<dyn Any>) -> Option<P::Output>,
}

/// The typed functions of a task's inputs.
pub struct InputsCode {
    /// The schema of inputs that a model supplies.
    pub schema: Option<fn() -> &'static OutputSchema>,
    /// Reads inputs: those of a snapshot, or those of a model that fit the schema.
    pub read: fn(Value) -> Result<Inputs, Issues>,
}

/// The typed functions of a transition.
pub struct TransitionCode<P: ProcessTypes> {
    pub label: Option<Template<P>>,
    pub guard: Option<Guard<P>>,
    pub with: Option<With<P>>,
}

impl<P: ProcessTypes> TransitionCode<P> {
    /// Of a transition that computes nothing.
    pub const NONE: Self = Self { label: None, guard: None, with: None };
}

/// The typed functions of a `next` arm.
pub struct ArmCode<P: ProcessTypes> {
    pub guard: Option<ArmGuard<P>>,
    pub with: Option<ArmWith<P>>,
}

impl<P: ProcessTypes> ArmCode<P> {
    /// Of an arm that computes nothing.
    pub const NONE: Self = Self { guard: None, with: None };
}

/// The typed functions of a task's output.
pub struct OutputCode<P: ProcessTypes> {
    /// The schema of one reply: of a for-each task, of the output for one item. Code and
    /// sub-processes have none.
    pub schema: Option<fn() -> &'static OutputSchema>,
    /// Reads a value that fits the schema into the type, and runs `check`; of a for-each task, reads
    /// the list of all outputs, which were checked one by one.
    pub read: fn(Given<'_>, &Scope<'_, P>) -> Result<P::Output, Issues>,
    /// The async `check`, which looks at what `read` gives.
    pub check: Option<AsyncCheck<P>>,
    /// Reads an output that was committed before, and so was checked: the state has changed since.
    pub restore: fn(Given<'_>) -> Result<P::Output, Issues>,
    pub commit: Commit<P>,
    /// The output as JSON, for the history.
    pub to_json: fn(&P::Output) -> serde_json::Result<Box<RawValue>>,
}

impl<P: ProcessTypes> TaskCode<P> {
    /// Returns the schema of the task's output.
    pub(crate) fn output_schema(&self) -> Option<&'static OutputSchema> {
        self.output.as_ref()?.schema.map(|schema| schema())
    }

    /// Returns the schema of the inputs that a model supplies.
    pub(crate) fn inputs_schema(&self) -> Option<&'static OutputSchema> {
        self.inputs.as_ref()?.schema.map(|schema| schema())
    }
}
