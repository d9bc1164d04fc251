//! Hooks, events, commits and the last output of a typed host.

use std::sync::{Arc, PoisonError, Weak};

use cot_model::{BlobSet, internal::collect_blobs};
use cot_schema::{
    Issues,
    internal::{UntypedOutput, field_names, shallow},
};
use serde_json::{
    Map, Value,
    value::{RawValue, to_raw_value},
};

use crate::{
    machine::{
        hooks::Hooks,
        host::TypedHost,
        lookup::{output_code, output_schema, own_json, task_code},
        recorded::RecordedEvent,
    },
    process::{
        commit::CommitView,
        context::Cx,
        host::ProcessHost as _,
        mock::Mocked,
        process::Process,
        scope::{Scope, ScopeData},
        tables::{ChosenTask, TaskIndex},
    },
    protocol::run_event::{
        any_output::AnyOutput,
        event::{IndexEvent, PendingOutput, RunEvent},
    },
    values::{
        catch::catch_panic,
        panicked::{PanicPlace, describe_panic},
        update_error::UpdateError,
    },
};

impl<P: Process> TypedHost<P> {
    pub(super) fn scope<'a>(&'a self, view: &ScopeData<'a>) -> Scope<'a, P> {
        view.scope(&self.state, self.last.as_ref().map(|(_, output)| output))
    }

    pub(super) fn cx<'a>(&'a self, view: &ScopeData<'a>) -> Cx<'a, P> {
        Cx::new(self.scope(view), &self.environment, view.call)
    }

    /// Returns the state as JSON with its blobs, which are cached until the state changes.
    pub(super) fn serialized_state(&self) -> serde_json::Result<(Box<RawValue>, BlobSet)> {
        if let Some(json) = self.state_json.get() {
            return Ok((**json).clone());
        }
        let (json, blobs) = collect_blobs(|| to_raw_value(&self.state).and_then(shallow));
        let json = (json?, blobs);
        let _ = self.state_json.set(Box::new(json.clone()));
        Ok(json)
    }

    pub(super) fn serialized_fields(&self) -> Vec<String> {
        all_fields(field_names::<P::State>(), self.serialized_state())
    }

    pub(super) fn with_hooks(mut self, hooks: &Arc<Hooks<P>>) -> Self {
        self.hooks = Arc::clone(hooks);
        self
    }

    pub(super) fn set_hooks(&mut self, hooks: &Arc<Hooks<P>>) {
        self.hooks = Arc::clone(hooks);
    }

    pub(super) fn state_mut(&mut self) -> &mut P::State {
        self.forget_copies();
        &mut self.state
    }

    /// Drops what was made from the state, which is about to change.
    fn forget_copies(&mut self) {
        self.state_json.take();
        *self.copied_state.get_mut().unwrap_or_else(PoisonError::into_inner) = Weak::new();
    }

    /// Records an event, with the pending output if it has one. Ignores an event whose output is missing.
    pub(super) fn push_event(&mut self, event: IndexEvent) {
        let output = match event.output() {
            None => None,
            Some(PendingOutput { is_kept: true, .. }) => self.pending.clone(),
            Some(PendingOutput { is_kept: false, .. }) => self.pending.take(),
        };
        if output.is_some() || event.output().is_none() {
            let output = output.map(AnyOutput::from_value);
            self.events.push(RecordedEvent::new(event, output));
        }
    }

    /// Commits the pending output to the state, with the updates of hooks.
    pub(super) fn commit_pending(
        &mut self,
        task: TaskIndex,
        view: &ScopeData<'_>,
    ) -> Result<Option<ChosenTask>, Issues> {
        self.forget_copies();
        let (Some(code), Some(output)) = (output_code::<P>(task), &self.pending) else {
            return Ok(None);
        };
        let last = self.last.as_ref().map(|(_, output)| output);
        let mut commit = CommitView::new(view, last, &self.environment);
        if self.updates.is_empty() {
            let run = || (code.commit)(output, &mut self.state, &mut commit);
            let chosen = self.running_code.run(PanicPlace::Update, run)?;
            self.entries.append(&mut commit.entries);
            return Ok(chosen);
        }
        // An update of a hook may panic, so the state is replaced only at the end.
        let mut state = self.state.clone();
        let run = || (code.commit)(output, &mut state, &mut commit);
        let chosen = self.running_code.run(PanicPlace::Update, run)?;
        self.entries.append(&mut commit.entries);
        for update in self.updates.drain(..) {
            self.running_code.run(PanicPlace::Hook, || update(&mut state));
        }
        self.state = state;
        Ok(chosen)
    }

    /// Computes the mock answer of a task.
    pub(super) fn compute_mock(
        &self,
        task: TaskIndex,
        view: &ScopeData<'_>,
    ) -> Option<serde_json::Result<Value>> {
        let schema = output_schema::<P>(task);
        let mocked = match (task_code::<P>(task)?.mock, P::CODE.mock) {
            (Some(mock), _) => self.running_code.run(PanicPlace::Mock, || mock(&self.cx(view))),
            (None, Some(mock)) => {
                let reply = self.running_code.run(PanicPlace::Mock, || mock(&self.cx(view)));
                Mocked::from_process_reply(reply, |output| own_json::<P>(task, output), view.item)
            }
            (None, None) => return None,
        };
        let format = P::DEFINITION.task(task).kind.ai().map(|ai| ai.format);
        Some(mocked.and_then(|mocked| mocked.into_answer(schema, format)))
    }

    /// Restores the last committed output from a snapshot.
    pub(super) fn restore_last(&mut self, task: TaskIndex, value: Value) {
        let read = output_code::<P>(task).map(|code| (code.restore)(UntypedOutput::Value(value)));
        // An output that can't be read any more is ignored.
        self.last = read.and_then(Result::ok).map(|output| (task, output));
    }

    /// Changes the state from outside, atomically.
    pub(super) fn update_state(
        &mut self,
        task: TaskIndex,
        change: impl FnOnce(&mut P::State),
    ) -> Result<(), UpdateError> {
        let mut state = self.state.clone();
        let changed = catch_panic(|| change(&mut state));
        changed.map_err(|payload| UpdateError::Panicked(describe_panic(&*payload)))?;
        *self.state_mut() = state;
        if self.is_recording() {
            self.push_event(RunEvent::StateUpdated { task });
        }
        Ok(())
    }
}

/// Returns the names of a state's fields: those that its type knows, and flattened ones.
fn all_fields(
    mut fields: Vec<String>,
    state: serde_json::Result<(Box<RawValue>, BlobSet)>,
) -> Vec<String> {
    let state = state.and_then(|(json, _)| serde_json::from_str::<Map<_, _>>(json.get()));
    fields.extend(state.into_iter().flatten().map(|(name, _)| name));
    fields
}
