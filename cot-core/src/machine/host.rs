//! The typed side of a machine.

use std::{any::Any, collections::VecDeque, fmt, sync::Arc};

use serde::Deserialize;
use serde_json::{
    Value,
    value::{RawValue, to_raw_value},
};

use super::{
    AfterCommit, Fingerprint, NestedEvent, ResumeOptions, RunEvent, Snapshot, SnapshotError,
    directive::Begin,
    hooks::{Hooks, Prepared, StateUpdate, contained},
    naming::{task_at, typed_event},
    nested::Child,
    typed::{Notice, Piece, Refusal, Typed, View},
};
use crate::{
    History, HistoryEntry, Inputs, Issues, OutputSchema, Process, Scope,
    blueprint::{
        Chosen, CommitScope, OutputCode, SchemaCache, TaskCode, TaskIndex, Template, Work,
    },
    mock::Mocked,
    prompt::PromptWriter,
    reasoning::Reasoning,
};

/// The typed side of one run.
pub(super) struct Host<P: Process> {
    pub(super) state: P::State,
    /// The output that is about to be written into the state.
    pending: Option<P::Output>,
    /// What hooks add to the state together with the pending output.
    updates: Vec<StateUpdate<P>>,
    /// What hooks add to the history.
    entries: Vec<HistoryEntry>,
    /// The output that was committed last, of a process that shows it.
    last: Option<(TaskIndex, P::Output)>,
    hooks: Arc<Hooks<P>>,
    events: VecDeque<RunEvent<P>>,
    is_recording: bool,
}

/// How many events are kept for a driver that does not fetch them, beyond those of its last call.
const MAX_EVENTS: usize = 256;

impl<P: Process> Host<P> {
    pub(super) fn new(state: P::State, is_recording: bool) -> Self {
        Self {
            state,
            pending: None,
            updates: Vec::new(),
            entries: Vec::new(),
            last: None,
            hooks: Arc::default(),
            events: VecDeque::new(),
            is_recording,
        }
    }

    pub(super) fn with_hooks(mut self, hooks: &Arc<Hooks<P>>) -> Self {
        self.hooks = Arc::clone(hooks);
        self
    }

    pub(super) fn set_hooks(&mut self, hooks: &Arc<Hooks<P>>) {
        self.hooks = Arc::clone(hooks);
    }

    pub(super) fn drain_events(&mut self) -> impl Iterator<Item = RunEvent<P>> + '_ {
        self.events.drain(..)
    }

    /// Forgets the oldest events that the driver has not fetched.
    pub(super) fn forget_events(&mut self) {
        self.events.drain(..self.events.len().saturating_sub(MAX_EVENTS));
    }

    /// Puts back the output that was committed last, from a snapshot.
    pub(super) fn restore_last(&mut self, task: TaskIndex, value: Value) {
        let read = output_code::<P>(task).map(|code| (code.restore)(value));
        // What can't be read any more is as if it had never been.
        self.last = read.and_then(Result::ok).map(|output| (task, output));
    }

    fn scope<'a>(&'a self, view: &View<'a>) -> Scope<'a, P> {
        Scope {
            state: &self.state,
            goal: view.goal,
            task: view.task,
            process: view.process,
            history: view.history,
            inputs: view.inputs,
            item: view.item,
            last_output: self.last.as_ref().map(|(_, output)| output),
            parts: view.parts,
        }
    }
}

impl<P: Process> Typed for Host<P> {
    fn write(
        &self,
        piece: Piece,
        view: &View<'_>,
        writer: &mut PromptWriter,
    ) -> Result<bool, fmt::Error> {
        match template::<P>(piece) {
            Some(template) => template(&self.scope(view), writer).map(|()| true),
            None => Ok(false),
        }
    }

    fn part(&self, name: &str) -> Option<usize> {
        P::CODE.parts.iter().position(|(part, _)| *part == name)
    }

    fn part_names(&self) -> Vec<&'static str> {
        P::CODE.parts.iter().map(|(name, _)| *name).collect()
    }

    fn is_visible(&self, task: TaskIndex, transition: usize, view: &View<'_>) -> bool {
        let code = task_code::<P>(task).and_then(|code| code.transitions.get(transition));
        code.and_then(|code| code.guard).is_none_or(|guard| guard(&self.scope(view)))
    }

    fn is_guarded(&self, task: TaskIndex, transition: usize) -> bool {
        let code = task_code::<P>(task).and_then(|code| code.transitions.get(transition));
        code.is_some_and(|code| code.guard.is_some())
    }

    fn transition_inputs(&self, task: TaskIndex, index: usize, view: &View<'_>) -> Option<Inputs> {
        let with = task_code::<P>(task)?.transitions.get(index)?.with?;
        with(&self.scope(view))
    }

    fn takes_arm(&self, task: TaskIndex, arm: usize, view: &View<'_>) -> bool {
        let guard = task_code::<P>(task).and_then(|code| code.next.get(arm)?.guard);
        guard.is_none_or(|guard| guard(&self.scope(view), self.pending.as_ref()))
    }

    fn arm_inputs(&self, task: TaskIndex, arm: usize, view: &View<'_>) -> Option<Inputs> {
        let with = task_code::<P>(task)?.next.get(arm)?.with?;
        with(&self.scope(view), self.pending.as_ref())
    }

    fn inputs_schema(&self, task: TaskIndex) -> Option<&'static OutputSchema> {
        inputs_schema::<P>(task)
    }

    fn read_inputs(&self, task: TaskIndex, value: Value) -> Result<Option<Inputs>, Issues> {
        let code = task_code::<P>(task).and_then(|code| code.inputs.as_ref());
        code.map(|code| (code.read)(value)).transpose()
    }

    fn unwritten(&self, task: TaskIndex) -> Option<&'static str> {
        task_code::<P>(task)?.unwritten?(&self.state)
    }

    fn mock(&self, task: TaskIndex, view: &View<'_>) -> Option<serde_json::Result<Value>> {
        let mock = task_code::<P>(task)?.mock?;
        let schema = output_schema::<P>(task);
        Some(mock(&self.scope(view)).and_then(|mocked| match (mocked, schema) {
            (Mocked::Output(output), _) if P::DEFINITION.task(task).kind.reasons() => {
                Reasoning::deserialize(output).map(|output| output.to_text().into())
            }
            (Mocked::Output(output), Some(schema)) => Ok(schema.wrap(output)),
            (Mocked::Output(value) | Mocked::Reply(value), _) => Ok(value),
        }))
    }

    fn code(&self, task: TaskIndex, inputs: Option<&Inputs>) -> Option<Begin> {
        let Work::Run(run) = task_code::<P>(task)?.work else {
            return None;
        };
        let (state, inputs) = (self.state.clone(), inputs.cloned());
        Some(Arc::new(move || run(state.clone(), inputs.clone())))
    }

    fn count(&self, task: TaskIndex, view: &View<'_>) -> usize {
        match task_code::<P>(task).map(|code| &code.work) {
            Some(Work::Each(each)) => (each.count)(&self.scope(view)),
            _ => 0,
        }
    }

    fn check_item(&self, task: TaskIndex, value: Value, view: &View<'_>) -> Result<(), Issues> {
        match task_code::<P>(task).map(|code| &code.work) {
            Some(Work::Each(each)) => (each.read)(value, &self.scope(view)),
            _ => Ok(()),
        }
    }

    fn begin_process(&self, task: TaskIndex, view: &View<'_>) -> Option<Child> {
        match &task_code::<P>(task)?.work {
            Work::Process(process) => (process.begin)(&self.scope(view)),
            _ => None,
        }
    }

    fn resume_process(
        &self,
        task: TaskIndex,
        snapshot: Snapshot,
        options: &ResumeOptions,
    ) -> Result<Option<Child>, SnapshotError> {
        match task_code::<P>(task).map(|code| &code.work) {
            Some(Work::Process(process)) => (process.resume)(snapshot, options).map(Some),
            _ => Ok(None),
        }
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

    fn read(&mut self, task: TaskIndex, value: Value, view: &View<'_>) -> Result<(), Issues> {
        if let Some(code) = output_code::<P>(task) {
            self.pending = Some((code.read)(value, &self.scope(view))?);
        }
        Ok(())
    }

    fn take_state(&mut self, task: TaskIndex, state: Box<dyn Any>) {
        if let Some(Work::Process(process)) = task_code::<P>(task).map(|code| &code.work) {
            self.pending = (process.end)(state);
        }
    }

    fn output_json(&self, task: TaskIndex) -> serde_json::Result<String> {
        match (output_code::<P>(task), &self.pending) {
            (Some(code), Some(output)) => (code.to_json)(output),
            _ => Ok("null".to_owned()),
        }
    }

    fn before_commit(&mut self, task: TaskIndex, goal: &str) -> Result<(), Refusal> {
        if !self.hooks.has_before() {
            return Ok(());
        }
        let Some(output) = self.pending.take() else {
            return Ok(());
        };
        let Prepared { output, updates, entries } =
            self.hooks.prepare(task, output, &self.state, goal)?;
        (self.pending, self.updates, self.entries) = (Some(output), updates, entries);
        Ok(())
    }

    fn commit(&mut self, task: TaskIndex, view: &View<'_>) -> Result<Option<Chosen>, Refusal> {
        let (Some(code), Some(output)) = (output_code::<P>(task), &self.pending) else {
            return Ok(None);
        };
        let scope = CommitScope {
            goal: view.goal,
            inputs: view.inputs,
            last_output: self.last.as_ref().map(|(_, output)| output),
        };
        if self.updates.is_empty() {
            return (code.commit)(output, &mut self.state, &scope).map_err(Refusal::Issues);
        }
        // A hook's update may panic: the state is replaced when all of it is done.
        let mut state = self.state.clone();
        let chosen = (code.commit)(output, &mut state, &scope).map_err(Refusal::Issues)?;
        for update in self.updates.drain(..) {
            contained(|| update(&mut state))?;
        }
        self.state = state;
        Ok(chosen)
    }

    fn after_commit(&mut self, task: TaskIndex, goal: &str) {
        if let (true, Some(output)) = (self.hooks.has_after(), &self.pending) {
            let task = task_at::<P>(task);
            self.hooks.tell(&AfterCommit { task, output, state: &self.state, goal });
        }
    }

    fn take_entries(&mut self) -> Vec<HistoryEntry> {
        std::mem::take(&mut self.entries)
    }

    fn keep_output(&mut self, task: TaskIndex) {
        if let Some(output) = self.pending.take() {
            self.last = Some((task, output));
        }
    }

    fn forget_output(&mut self) {
        self.pending = None;
        self.updates.clear();
        self.entries.clear();
    }

    fn last_output_json(&self) -> Option<(TaskIndex, serde_json::Result<String>)> {
        let (task, output) = self.last.as_ref()?;
        Some((*task, (output_code::<P>(*task)?.to_json)(output)))
    }

    fn mirror(&mut self) -> Option<&mut History> {
        P::CODE.mirror.map(|mirror| mirror(&mut self.state))
    }

    fn is_recording(&self) -> bool {
        self.is_recording
    }

    fn notify(&mut self, notice: Notice<'_>) {
        if !self.is_recording {
            return;
        }
        let Some(event) = typed_event::<P>(notice, &mut self.pending) else {
            return;
        };
        self.events.push_back(event);
    }

    fn record(&mut self, on: bool) {
        self.is_recording = on;
        if !on {
            self.events = VecDeque::new();
        }
    }

    fn drain_nested(&mut self) -> Vec<NestedEvent> {
        self.events.drain(..).map(NestedEvent::new).collect()
    }

    fn state_json(&self) -> serde_json::Result<Box<RawValue>> {
        to_raw_value(&self.state)
    }

    fn into_state(self: Box<Self>) -> Box<dyn Any> {
        Box::new(self.state)
    }

    fn fingerprint(&self) -> &'static Fingerprint {
        Fingerprint::of::<P>()
    }
}

fn template<P: Process>(piece: Piece) -> Option<Template<P>> {
    let code = P::CODE;
    match piece {
        Piece::Goal => code.goal,
        Piece::Intro => code.intro,
        Piece::System => code.system,
        Piece::GoalPrimer => code.primers.goal,
        Piece::HistoryPrimer => code.primers.history,
        Piece::ErrorsPrimer(task) => task_code::<P>(task)?.errors_primer.or(code.primers.errors),
        Piece::TransitionsPrimer => code.primers.transitions,
        Piece::OutputPrimer => code.primers.output,
        Piece::Prompt(task) => task_code::<P>(task)?.prompt,
        Piece::FullPrompt(task) => task_code::<P>(task)?.full_prompt,
        Piece::Fail(task) => task_code::<P>(task)?.fail,
        Piece::Label(task, index) => task_code::<P>(task)?.transitions.get(index)?.label,
        Piece::Part(index) => code.parts.get(index).map(|(_, template)| *template),
    }
}

/// The schema of a task's output.
pub(super) fn output_schema<P: Process>(task: TaskIndex) -> Option<&'static OutputSchema> {
    output_code::<P>(task)?.schema.map(|schema| schema())
}

/// The schema of the inputs of a task that a model supplies.
pub(super) fn inputs_schema<P: Process>(task: TaskIndex) -> Option<&'static OutputSchema> {
    task_code::<P>(task)?.inputs.as_ref()?.schema.map(|schema| schema())
}

fn task_code<P: Process>(task: TaskIndex) -> Option<&'static TaskCode<P>> {
    P::CODE.tasks.get(task)
}

fn output_code<P: Process>(task: TaskIndex) -> Option<&'static OutputCode<P>> {
    task_code::<P>(task)?.output.as_ref()
}
