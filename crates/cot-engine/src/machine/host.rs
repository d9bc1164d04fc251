//! The typed side of a run, as a generic implementation of `ProcessHost`.

use std::{
    any::Any,
    fmt,
    sync::{Arc, Mutex, MutexGuard, OnceLock, Weak},
};

use cot_model::{BlobSet, ToolCall, Turn, internal::refer_to_blobs};
use cot_schema::{Issues, OutputSchema, internal};
use serde_json::{Value, value::RawValue};

use crate::{
    machine::{
        hooks::{AfterCommit, Hooks, PreparedCommit, StateUpdate},
        lookup::{inputs_schema, output_code, output_schema, task_code, template},
        recorded::RecordedEvent,
        tasks::task_from_index,
    },
    process::{
        child::ChildRun,
        code::TaskFunction,
        environment::{Environment, Notes},
        examples::{examples::task_examples, task_examples::TaskExamples},
        host::{ProcessHost, TemplateId},
        process::Process,
        schemas::cache::SchemaCache,
        scope::ScopeData,
        tables::{ChosenTask, TaskIndex},
    },
    protocol::{
        directive::{FunctionCall, FunctionStart},
        run_event::event::IndexEvent,
    },
    snapshot::{
        compute::process_fingerprint, data::Snapshot, error::SnapshotError,
        fingerprint::Fingerprint, options::ResumeOptions,
    },
    values::{
        catch::RunningCode,
        history::{History, HistoryEntry},
        inputs::Inputs,
        panicked::PanicPlace,
    },
};
use cot_template::PromptWriter;

/// The typed side of one run: its state, pending output, hooks and events.
pub(crate) struct TypedHost<P: Process> {
    pub(super) state: P::State,
    /// The cached JSON of the state, with its blobs, valid until the state changes. Boxed, so that a run is
    /// small.
    pub(super) state_json: OnceLock<Box<(Box<RawValue>, BlobSet)>>,
    /// The copy of the state that functions in flight share, valid until the state changes.
    pub(super) copied_state: Mutex<Weak<P::State>>,
    /// The output that is about to be committed.
    pub(super) pending: Option<P::Output>,
    /// The updates that hooks add to the commit of the pending output.
    pub(super) updates: Vec<StateUpdate<P>>,
    /// The history entries that hooks add.
    pub(super) entries: Vec<HistoryEntry>,
    /// The last committed output, if the process uses it.
    pub(super) last: Option<(TaskIndex, P::Output)>,
    pub(super) hooks: Arc<Hooks<P>>,
    pub(super) environment: Environment<P>,
    pub(super) events: Vec<RecordedEvent>,
    is_recording: bool,
    pub(super) running_code: RunningCode,
}

impl<P: Process> TypedHost<P> {
    pub(crate) fn new(state: P::State, environment: Environment<P>, is_recording: bool) -> Self {
        Self {
            state,
            state_json: OnceLock::new(),
            copied_state: Mutex::default(),
            pending: None,
            updates: Vec::new(),
            entries: Vec::new(),
            last: None,
            hooks: Arc::default(),
            environment,
            events: Vec::new(),
            is_recording,
            running_code: RunningCode::default(),
        }
    }
}

impl<P: Process> ProcessHost for TypedHost<P> {
    fn write(
        &self,
        piece: TemplateId,
        view: &ScopeData<'_>,
        writer: &mut PromptWriter,
    ) -> Result<bool, fmt::Error> {
        match template::<P>(piece) {
            Some(template) => {
                let write = || template(&self.cx(view), writer);
                self.running_code.run(PanicPlace::Template, write).map(|()| true)
            }
            None => Ok(false),
        }
    }

    fn part_names(&self) -> &'static [&'static str] {
        P::CODE.part_names
    }

    fn examples(&self, task: TaskIndex) -> Option<&'static TaskExamples> {
        task_examples::<P>(task)
    }

    fn turns(&self, task: TaskIndex, view: &ScopeData<'_>) -> Vec<Turn> {
        let turns = task_code::<P>(task).and_then(|code| code.conversation.turns);
        let Some(turns) = turns else {
            return Vec::new();
        };
        self.running_code.run(PanicPlace::Turns, || turns(&self.scope(view)))
    }

    fn is_visible(&self, task: TaskIndex, transition: usize, view: &ScopeData<'_>) -> bool {
        let code = task_code::<P>(task).and_then(|code| code.transitions.get(transition));
        let Some(guard) = code.and_then(|code| code.guard) else {
            return true;
        };
        self.running_code.run(PanicPlace::Guard, || guard(&self.scope(view)))
    }

    fn is_guarded(&self, task: TaskIndex, transition: usize) -> bool {
        let code = task_code::<P>(task).and_then(|code| code.transitions.get(transition));
        code.is_some_and(|code| code.guard.is_some())
    }

    fn transition_inputs(
        &self,
        task: TaskIndex,
        index: usize,
        view: &ScopeData<'_>,
    ) -> Option<Inputs> {
        let with = task_code::<P>(task)?.transitions.get(index)?.with?;
        self.running_code.run(PanicPlace::Inputs, || with(&self.scope(view)))
    }

    fn is_arm_taken(&self, task: TaskIndex, arm: usize, view: &ScopeData<'_>) -> bool {
        let guard = task_code::<P>(task).and_then(|code| code.next.get(arm)?.guard);
        let Some(guard) = guard else {
            return true;
        };
        self.running_code.run(PanicPlace::Guard, || guard(&self.scope(view), self.pending.as_ref()))
    }

    fn arm_inputs(&self, task: TaskIndex, arm: usize, view: &ScopeData<'_>) -> Option<Inputs> {
        let with = task_code::<P>(task)?.next.get(arm)?.with?;
        self.running_code.run(PanicPlace::Inputs, || with(&self.scope(view), self.pending.as_ref()))
    }

    fn inputs_schema(&self, task: TaskIndex) -> Option<&'static OutputSchema> {
        inputs_schema::<P>(task)
    }

    fn read_inputs(&self, task: TaskIndex, value: Value) -> Result<Option<Inputs>, Issues> {
        let code = task_code::<P>(task).and_then(|code| code.inputs.as_ref());
        let code = code.map(|code| code.read);
        code.map(|read| self.running_code.run(PanicPlace::Inputs, || read(value))).transpose()
    }

    fn unset_field(&self, task: TaskIndex) -> Option<&'static str> {
        task_code::<P>(task)?.unwritten?(&self.state)
    }

    fn mock_answer(
        &self,
        task: TaskIndex,
        view: &ScopeData<'_>,
    ) -> Option<serde_json::Result<Value>> {
        self.compute_mock(task, view)
    }

    fn function(&self, task: TaskIndex, view: &ScopeData<'_>) -> Option<FunctionCall> {
        self.start_of_function(task, view)
    }

    fn tool_calls(&self, task: TaskIndex, view: &ScopeData<'_>) -> Vec<ToolCall> {
        self.calls_of_task(task, view)
    }

    fn has_async_check(&self, task: TaskIndex) -> bool {
        output_code::<P>(task).is_some_and(|code| code.check.is_some())
    }

    fn async_check(&self, task: TaskIndex, view: &ScopeData<'_>) -> Option<FunctionStart> {
        self.start_of_check(task, view)
    }

    fn item_count(&self, task: TaskIndex, view: &ScopeData<'_>) -> usize {
        match task_code::<P>(task).map(|code| &code.work) {
            Some(TaskFunction::Each(each)) => {
                self.running_code.run(PanicPlace::ForEach, || (each.count)(&self.scope(view)))
            }
            _ => 0,
        }
    }

    fn read_item(
        &mut self,
        task: TaskIndex,
        given: internal::UntypedOutput<'_>,
        view: &ScopeData<'_>,
    ) -> Result<(), Issues> {
        if let Some(TaskFunction::Each(each)) = task_code::<P>(task).map(|code| &code.work) {
            let read = || (each.read)(given, &self.cx(view));
            self.pending = Some(self.running_code.run(PanicPlace::Check, read)?);
        }
        Ok(())
    }

    fn item_json(&self, task: TaskIndex) -> serde_json::Result<Value> {
        let (Some(code), Some(output)) = (output_code::<P>(task), &self.pending) else {
            return Ok(Value::Null);
        };
        let to_json = || (code.to_json)(output);
        let list = internal::shallow(self.running_code.run(PanicPlace::Data, to_json)?)?;
        serde_json::from_str::<[Value; 1]>(list.get()).map(|[item]| item)
    }

    fn create_child(&self, task: TaskIndex, view: &ScopeData<'_>) -> Option<Box<dyn ChildRun>> {
        let process = task_code::<P>(task)?.work.process()?;
        self.running_code.run(PanicPlace::SubProcess, || (process.begin)(&self.cx(view)))
    }

    fn restore_child(
        &self,
        task: TaskIndex,
        snapshot: Snapshot,
        options: &ResumeOptions,
        view: &ScopeData<'_>,
    ) -> Result<Option<Box<dyn ChildRun>>, SnapshotError> {
        let process = task_code::<P>(task).and_then(|code| code.work.process());
        process.map(|process| (process.resume)(snapshot, options, &self.cx(view))).transpose()
    }

    fn output_schema(&self, task: TaskIndex) -> Option<&'static OutputSchema> {
        output_schema::<P>(task)
    }

    fn has_output(&self, task: TaskIndex) -> bool {
        output_code::<P>(task).is_some()
    }

    fn schemas(&self) -> &'static SchemaCache {
        P::schemas()
    }

    fn read_output(
        &mut self,
        task: TaskIndex,
        given: internal::UntypedOutput<'_>,
        view: &ScopeData<'_>,
    ) -> Result<(), Issues> {
        if let Some(code) = output_code::<P>(task) {
            let read = || (code.read)(given, &self.cx(view));
            self.pending = Some(self.running_code.run(PanicPlace::Check, read)?);
        }
        Ok(())
    }

    fn accept_child_state(&mut self, task: TaskIndex, state: Box<dyn Any>) {
        if let Some(process) = task_code::<P>(task).and_then(|code| code.work.process()) {
            self.pending = (process.end)(state);
        }
    }

    fn output_json(&self, task: TaskIndex) -> serde_json::Result<Box<RawValue>> {
        match (output_code::<P>(task), &self.pending) {
            (Some(code), Some(output)) => {
                let to_json = || (code.to_json)(output);
                refer_to_blobs(|| self.running_code.run(PanicPlace::Data, to_json))
                    .and_then(internal::shallow)
            }
            _ => Ok(RawValue::NULL.to_owned()),
        }
    }

    fn before_commit(&mut self, task: TaskIndex, view: &ScopeData<'_>) -> Result<(), Issues> {
        if !self.hooks.has_before() {
            return Ok(());
        }
        let Some(output) = self.pending.take() else {
            return Ok(());
        };
        let prepare = || self.hooks.run_before(task, output, self.cx(view));
        let PreparedCommit { output, updates, entries } =
            self.running_code.run(PanicPlace::Hook, prepare)?;
        (self.pending, self.updates, self.entries) = (Some(output), updates, entries);
        Ok(())
    }

    fn commit(
        &mut self,
        task: TaskIndex,
        view: &ScopeData<'_>,
    ) -> Result<Option<ChosenTask>, Issues> {
        self.commit_pending(task, view)
    }

    fn after_commit(&mut self, task: TaskIndex, view: &ScopeData<'_>) {
        if let (true, Some(output)) = (self.hooks.has_after(), &self.pending) {
            let task = task_from_index::<P>(task);
            self.hooks.run_after(&AfterCommit { task, output, cx: self.cx(view) });
        }
    }

    fn take_entries(&mut self) -> Vec<HistoryEntry> {
        std::mem::take(&mut self.entries)
    }

    fn promote_output(&mut self, task: TaskIndex) {
        if let Some(output) = self.pending.take() {
            self.last = Some((task, output));
        }
    }

    fn notes(&self) -> MutexGuard<'_, Notes> {
        self.environment.notes()
    }

    fn discard_output(&mut self) {
        self.pending = None;
        self.notes().passages.clear();
        self.updates.clear();
        self.entries.clear();
    }

    fn last_output_json(&self) -> Option<(TaskIndex, serde_json::Result<Box<RawValue>>)> {
        let (task, output) = self.last.as_ref()?;
        Some((*task, (output_code::<P>(*task)?.to_json)(output)))
    }

    fn history_mirror(&mut self) -> Option<&mut History> {
        let mirror = P::CODE.mirror?;
        Some(mirror(self.state_mut()))
    }

    fn is_recording(&self) -> bool {
        self.is_recording
    }

    fn record_event(&mut self, event: IndexEvent) {
        self.push_event(event);
    }

    fn events(&mut self) -> &mut Vec<RecordedEvent> {
        &mut self.events
    }

    fn record(&mut self, on: bool) {
        self.is_recording = on;
        if !on {
            self.events = Vec::new();
        }
    }

    fn state_json(&self) -> serde_json::Result<(Box<RawValue>, BlobSet)> {
        self.serialized_state()
    }

    fn state_fields(&self) -> Vec<String> {
        self.serialized_fields()
    }

    fn into_state(self: Box<Self>) -> Box<dyn Any> {
        Box::new(self.state)
    }

    fn panic_place(&self) -> PanicPlace {
        self.running_code.place()
    }

    fn fingerprint(&self) -> &'static Fingerprint {
        process_fingerprint::<P>()
    }
}
