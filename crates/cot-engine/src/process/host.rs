//! The typed side of a run, as an object-safe trait.

use std::{any::Any, fmt};

use cot_schema::{Issues, OutputSchema, internal::Given};
use serde_json::{Value, value::RawValue};

use crate::{
    process::{
        child::ChildRun,
        schemas::cache::SchemaCache,
        scope::ScopeData,
        tables::{Chosen, TaskIndex},
    },
    protocol::{
        directive::FunctionStart,
        run_event::event::{IndexEvent, RunEvent},
    },
    snapshot::{
        data::Snapshot, error::SnapshotError, fingerprint::Fingerprint, options::ResumeOptions,
    },
    template::writer::PromptWriter,
    values::{
        history::{History, HistoryEntry},
        inputs::Inputs,
        panicked::PanicPlace,
    },
};

/// The typed side of a run. Every method is a look-up and a call.
pub(crate) trait ProcessHost {
    /// Writes a piece of text; `false` when the declaration has no such piece.
    fn write(
        &self,
        template: TemplateId,
        scope: &ScopeData<'_>,
        writer: &mut PromptWriter,
    ) -> Result<bool, fmt::Error>;
    /// The position of a part of `prompts`.
    fn part(&self, name: &str) -> Option<usize>;
    /// The names of the parts of `prompts`.
    fn part_names(&self) -> Vec<&'static str>;

    /// Whether the guard of a transition lets it be seen.
    fn is_visible(&self, task: TaskIndex, transition: usize, scope: &ScopeData<'_>) -> bool;
    /// Whether a transition has a guard.
    fn is_guarded(&self, task: TaskIndex, transition: usize) -> bool;
    /// The inputs that a transition computes.
    fn transition_inputs(
        &self,
        task: TaskIndex,
        index: usize,
        scope: &ScopeData<'_>,
    ) -> Option<Inputs>;
    /// Whether a `next` arm is taken; it sees the pending output.
    fn takes_arm(&self, task: TaskIndex, arm: usize, scope: &ScopeData<'_>) -> bool;
    /// The inputs that a `next` arm computes; it sees the pending output.
    fn arm_inputs(&self, task: TaskIndex, arm: usize, scope: &ScopeData<'_>) -> Option<Inputs>;
    /// The schema of the inputs of a task that a model supplies.
    fn inputs_schema(&self, task: TaskIndex) -> Option<&'static OutputSchema>;
    /// Reads inputs into the type that a task takes.
    fn read_inputs(&self, task: TaskIndex, value: Value) -> Result<Option<Inputs>, Issues>;

    /// A state field that a task reads and that is not written.
    fn unwritten(&self, task: TaskIndex) -> Option<&'static str>;
    /// The synthetic answer of a task: a reply as a model would give it, or an output where no model
    /// is asked.
    fn mock(&self, task: TaskIndex, scope: &ScopeData<'_>) -> Option<serde_json::Result<Value>>;
    /// The function of a code task, on a copy of the state.
    fn code(&self, task: TaskIndex, inputs: Option<&Inputs>) -> Option<FunctionStart>;
    /// Whether an async `check` looks at the outputs of a task.
    fn checks_later(&self, task: TaskIndex) -> bool;
    /// The async `check` of the pending output, on a copy of it and of the state.
    fn check(&self, task: TaskIndex, inputs: Option<&Inputs>) -> Option<FunctionStart>;
    /// How many items a for-each task has.
    fn count(&self, task: TaskIndex, scope: &ScopeData<'_>) -> usize;
    /// Checks the output for one item.
    fn check_item(
        &self,
        task: TaskIndex,
        given: Given<'_>,
        scope: &ScopeData<'_>,
    ) -> Result<(), Issues>;
    /// The process that a task runs, at its start.
    fn begin_process(&self, task: TaskIndex, scope: &ScopeData<'_>) -> Option<Box<dyn ChildRun>>;
    /// The process that a task runs, where a snapshot left it.
    fn resume_process(
        &self,
        task: TaskIndex,
        snapshot: Snapshot,
        options: &ResumeOptions,
    ) -> Result<Option<Box<dyn ChildRun>>, SnapshotError>;

    /// The schema of one reply to a task.
    fn output_schema(&self, task: TaskIndex) -> Option<&'static OutputSchema>;
    /// Whether a task has an output.
    fn has_output(&self, task: TaskIndex) -> bool;
    /// The reply schemas of the process.
    fn schemas(&self) -> &'static SchemaCache;
    /// Reads an output into its type and keeps it as the pending output.
    fn read(
        &mut self,
        task: TaskIndex,
        given: Given<'_>,
        scope: &ScopeData<'_>,
    ) -> Result<(), Issues>;
    /// Keeps the final state of the process that a task ran as the pending output.
    fn take_state(&mut self, task: TaskIndex, state: Box<dyn Any>);
    /// The pending output as JSON.
    fn output_json(&self, task: TaskIndex) -> serde_json::Result<Box<RawValue>>;
    /// Asks the hooks about the pending output.
    fn before_commit(&mut self, task: TaskIndex, goal: &str) -> Result<(), Issues>;
    /// Writes the pending output into the state; what `process_output` chose.
    fn commit(&mut self, task: TaskIndex, scope: &ScopeData<'_>) -> Result<Option<Chosen>, Issues>;
    /// Tells the hooks that the pending output was committed.
    fn after_commit(&mut self, task: TaskIndex, goal: &str);
    /// What the hooks added to the history since the last call.
    fn take_entries(&mut self) -> Vec<HistoryEntry>;
    /// The pending output becomes the one that was committed last.
    fn keep_output(&mut self, task: TaskIndex);
    /// Forgets the pending output.
    fn forget_output(&mut self);
    /// The output that was committed last, as JSON.
    fn last_output_json(&self) -> Option<(TaskIndex, serde_json::Result<Box<RawValue>>)>;

    /// The state's mirror of the history.
    fn mirror(&mut self) -> Option<&mut History>;
    /// Whether anybody wants to know what happens.
    fn is_recording(&self) -> bool;
    /// Records an event, with the pending output if it has one.
    fn record_event(&mut self, event: IndexEvent);

    /// Switches the recording of events on or off.
    fn record(&mut self, on: bool);
    /// What happened since the last call, for the process that runs this one.
    fn drain_nested(&mut self) -> Vec<RunEvent>;
    /// The state as JSON.
    fn state_json(&self) -> serde_json::Result<Box<RawValue>>;
    /// The names of the state's fields, as they are serialized.
    fn state_fields(&self) -> Vec<String>;
    /// The state.
    fn into_state(self: Box<Self>) -> Box<dyn Any>;
    /// The code of the process that is being run, or was when it panicked.
    fn place(&self) -> PanicPlace;
    /// The fingerprint of the process.
    fn fingerprint(&self) -> &'static Fingerprint;
}

impl dyn ProcessHost + '_ {
    /// Emits an event. The closure runs only if events are recorded.
    pub(crate) fn emit(&mut self, event: impl FnOnce() -> IndexEvent) {
        if self.is_recording() {
            self.record_event(event());
        }
    }
}

/// A text of the declaration.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TemplateId {
    Goal,
    Intro,
    System,
    GoalPrimer,
    HistoryPrimer,
    ErrorsPrimer(TaskIndex),
    TransitionsPrimer,
    OutputPrimer,
    Prompt(TaskIndex),
    FullPrompt(TaskIndex),
    Fail(TaskIndex),
    Label(TaskIndex, usize),
    Part(usize),
}
