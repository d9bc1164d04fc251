//! The typed side of a run as an object-safe trait.

use std::{any::Any, fmt, mem, sync::MutexGuard};

use cot_model::{BlobSet, ToolCall, Turn};
use cot_schema::{Issues, OutputSchema, internal::UntypedOutput};
use serde_json::{Value, value::RawValue};

use crate::{
    machine::recorded::RecordedEvent,
    process::{
        child::ChildRun,
        environment::Notes,
        examples::task_examples::TaskExamples,
        reading::host::ReplyHost,
        schemas::cache::SchemaCache,
        scope::ScopeData,
        tables::{ChosenTask, TaskIndex},
        texts::Primer,
        tool::host::ToolHost,
    },
    protocol::{
        directive::{FunctionCall, FunctionStart},
        run_event::event::{IndexEvent, RunEvent},
    },
    snapshot::{
        data::Snapshot, error::SnapshotError, fingerprint::Fingerprint, options::ResumeOptions,
    },
    values::{
        history::{History, HistoryEntry},
        inputs::Inputs,
        panicked::PanicPlace,
    },
};
use cot_template::PromptWriter;

/// The minimum number of events that are kept for a driver that does not drain them. At most twice as many
/// are kept, plus those since the last call.
const MAX_EVENTS: usize = 128;

/// Calls the typed functions of a process and owns its state. Every method looks up a function and calls it.
pub(crate) trait ProcessHost: ToolHost + ReplyHost + Sync {
    /// Writes a text of the declaration. Returns `false` if the declaration does not have it.
    fn write(
        &self,
        template: TemplateId,
        scope: &ScopeData<'_>,
        writer: &mut PromptWriter,
    ) -> Result<bool, fmt::Error>;
    /// Returns the names of the parts of `prompts`, by index.
    fn part_names(&self) -> &'static [&'static str];

    /// Returns the examples of a task, if it has some.
    fn examples(&self, task: TaskIndex) -> Option<&'static TaskExamples>;
    /// Returns the turns of an earlier conversation that precede the prompt of a task.
    fn turns(&self, task: TaskIndex, scope: &ScopeData<'_>) -> Vec<Turn>;

    /// Returns whether the guard of a transition holds, or there is none.
    fn is_visible(&self, task: TaskIndex, transition: usize, scope: &ScopeData<'_>) -> bool;
    /// Returns whether a transition has a guard.
    fn is_guarded(&self, task: TaskIndex, transition: usize) -> bool;
    /// Computes the inputs of a transition.
    fn transition_inputs(
        &self,
        task: TaskIndex,
        index: usize,
        scope: &ScopeData<'_>,
    ) -> Option<Inputs>;
    /// Returns whether the guard of a `next` arm holds. The guard receives the pending output.
    fn is_arm_taken(&self, task: TaskIndex, arm: usize, scope: &ScopeData<'_>) -> bool;
    /// Computes the inputs of a `next` arm from the pending output.
    fn arm_inputs(&self, task: TaskIndex, arm: usize, scope: &ScopeData<'_>) -> Option<Inputs>;
    /// Returns the schema of the inputs that a model provides for a task.
    fn inputs_schema(&self, task: TaskIndex) -> Option<&'static OutputSchema>;
    /// Reads the inputs of a task into their type.
    fn read_inputs(&self, task: TaskIndex, value: Value) -> Result<Option<Inputs>, Issues>;

    /// Returns a state field that a task reads and that is not set.
    fn unset_field(&self, task: TaskIndex) -> Option<&'static str>;
    /// Returns the mock answer of a task: a reply in the form that a model would give, or an output if no
    /// model is asked.
    fn mock_answer(
        &self,
        task: TaskIndex,
        scope: &ScopeData<'_>,
    ) -> Option<serde_json::Result<Value>>;
    /// Returns the function of a code task, with copies of what it can reach.
    fn function(&self, task: TaskIndex, scope: &ScopeData<'_>) -> Option<FunctionCall>;
    /// Returns the tool calls that a task performs.
    fn tool_calls(&self, task: TaskIndex, scope: &ScopeData<'_>) -> Vec<ToolCall>;
    /// Returns whether a task has an async `check`.
    fn has_async_check(&self, task: TaskIndex) -> bool;
    /// Returns the async `check` of the pending output, with copies of the output and the state.
    fn async_check(&self, task: TaskIndex, scope: &ScopeData<'_>) -> Option<FunctionStart>;
    /// Returns the number of items of a for-each task.
    fn item_count(&self, task: TaskIndex, scope: &ScopeData<'_>) -> usize;
    /// Reads the output of one item, checks it, and stores the output of the task with this item only as the
    /// pending output.
    fn read_item(
        &mut self,
        task: TaskIndex,
        given: UntypedOutput<'_>,
        scope: &ScopeData<'_>,
    ) -> Result<(), Issues>;
    /// Returns the item in the pending output of a task with one item only.
    fn item_json(&self, task: TaskIndex) -> serde_json::Result<Value>;
    /// Creates the sub-process of a task, or of an item.
    fn create_child(&self, task: TaskIndex, scope: &ScopeData<'_>) -> Option<Box<dyn ChildRun>>;
    /// Restores the sub-process of a task, or of an item, from a snapshot.
    fn restore_child(
        &self,
        task: TaskIndex,
        snapshot: Snapshot,
        options: &ResumeOptions,
        scope: &ScopeData<'_>,
    ) -> Result<Option<Box<dyn ChildRun>>, SnapshotError>;

    /// Returns the schema of one reply to a task.
    fn output_schema(&self, task: TaskIndex) -> Option<&'static OutputSchema>;
    /// Returns whether a task has an output.
    fn has_output(&self, task: TaskIndex) -> bool;
    /// Returns the reply schemas of the process.
    fn schemas(&self) -> &'static SchemaCache;
    /// Reads an output into its type and stores it as the pending output.
    fn read_output(
        &mut self,
        task: TaskIndex,
        given: UntypedOutput<'_>,
        scope: &ScopeData<'_>,
    ) -> Result<(), Issues>;
    /// Stores the final state of a sub-process as the pending output of its task; for that of an item, the
    /// output of the task with this item only.
    fn accept_child_state(&mut self, task: TaskIndex, state: Box<dyn Any>);
    /// Returns the pending output as JSON.
    fn output_json(&self, task: TaskIndex) -> serde_json::Result<Box<RawValue>>;
    /// Runs the hooks that precede the commit of the pending output.
    fn before_commit(&mut self, task: TaskIndex, scope: &ScopeData<'_>) -> Result<(), Issues>;
    /// Commits the pending output to the state. Returns the task that `process_output` chose.
    fn commit(
        &mut self,
        task: TaskIndex,
        scope: &ScopeData<'_>,
    ) -> Result<Option<ChosenTask>, Issues>;
    /// Runs the hooks that follow the commit of the pending output.
    fn after_commit(&mut self, task: TaskIndex, scope: &ScopeData<'_>);
    /// Takes the history entries that hooks have added.
    fn take_entries(&mut self) -> Vec<HistoryEntry>;
    /// Stores the pending output as the last committed one.
    fn promote_output(&mut self, task: TaskIndex);
    /// Discards the pending output.
    fn discard_output(&mut self);
    /// Returns the notes about the present output.
    fn notes(&self) -> MutexGuard<'_, Notes>;
    /// Returns the last committed output as JSON.
    fn last_output_json(&self) -> Option<(TaskIndex, serde_json::Result<Box<RawValue>>)>;

    /// Returns the field of the state that mirrors the history.
    fn history_mirror(&mut self) -> Option<&mut History>;
    /// Returns whether events are recorded.
    fn is_recording(&self) -> bool;
    /// Records an event, with the pending output if it is a commit.
    fn record_event(&mut self, event: IndexEvent);
    /// Returns the recorded events.
    fn events(&mut self) -> &mut Vec<RecordedEvent>;

    /// Switches the recording of events on or off.
    fn record(&mut self, on: bool);
    /// Returns the state as JSON, which refers to images and documents by their digests, and their blobs.
    fn state_json(&self) -> serde_json::Result<(Box<RawValue>, BlobSet)>;
    /// Returns the serialized names of the state's fields.
    fn state_fields(&self) -> Vec<String>;
    /// Returns the state, type-erased.
    fn into_state(self: Box<Self>) -> Box<dyn Any>;
    /// Returns the place of the code that is running, or that was running when it panicked.
    fn panic_place(&self) -> PanicPlace;
    /// Returns the fingerprint of the process.
    fn fingerprint(&self) -> &'static Fingerprint;
}

impl dyn ProcessHost + '_ {
    /// Emits an event. The closure runs only if events are recorded.
    pub(crate) fn emit(&mut self, event: impl FnOnce() -> IndexEvent) {
        if self.is_recording() {
            self.record_event(event());
        }
    }

    /// Drops the oldest events that the driver has not drained.
    pub(crate) fn forget_events(&mut self) {
        let events = self.events();
        let surplus = events.len().saturating_sub(MAX_EVENTS);
        if surplus > MAX_EVENTS {
            events.drain(..surplus);
        }
    }

    /// Returns the index of a part of `prompts`.
    pub(crate) fn part_index(&self, name: &str) -> Option<usize> {
        self.part_names().iter().position(|part| *part == name)
    }

    /// Emits the passages of the pending output, if it has some.
    pub(crate) fn emit_passages(&mut self, task: TaskIndex, item: Option<usize>) {
        let passages = mem::take(&mut self.notes().passages);
        if !passages.is_empty() {
            self.emit(|| RunEvent::Found { task, item, passages });
        }
    }
}

impl From<Primer> for TemplateId {
    fn from(primer: Primer) -> Self {
        Self::Primer(primer)
    }
}

/// Identifies a text of the declaration.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TemplateId {
    Goal,
    Intro,
    System,
    Primer(Primer),
    ErrorsPrimer(TaskIndex),
    Prompt(TaskIndex),
    FullPrompt(TaskIndex),
    Fail(TaskIndex),
    Label(TaskIndex, usize),
    Part(usize),
}
