//! Calls of the async functions of a process, which work on copies.

use std::sync::{Arc, PoisonError};

use cot_model::ToolCall;

use crate::{
    machine::{
        host::TypedHost,
        lookup::{output_code, task_code},
    },
    process::{
        call_place::CallRole,
        code::{FunctionCode, TaskFunction},
        connection::Connection,
        context::OwnedCx,
        process::Process,
        scope::ScopeData,
        tables::TaskIndex,
    },
    protocol::directive::{FunctionCall, FunctionStart},
    values::panicked::PanicPlace,
};

impl<P: Process> TypedHost<P> {
    /// Returns the function of a code task.
    pub(super) fn start_of_function(
        &self,
        task: TaskIndex,
        view: &ScopeData<'_>,
    ) -> Option<FunctionCall> {
        let (run, result) = task_code::<P>(task)?.work.run()?;
        let owned = self.owned_cx(view, CallRole::Function);
        let call = match run {
            FunctionCode::Run(run) => FunctionCall::new(Arc::new(move || run(Arc::clone(&owned)))),
            FunctionCode::Transact(run) => {
                FunctionCall::transacting(Arc::new(move |connection: &mut Connection| {
                    run(Arc::clone(&owned), connection)
                }))
            }
        };
        Some(call.returning(result))
    }

    /// Returns the tool calls that a task takes from the state.
    pub(super) fn calls_of_task(&self, task: TaskIndex, view: &ScopeData<'_>) -> Vec<ToolCall> {
        match task_code::<P>(task).map(|code| &code.work) {
            Some(TaskFunction::Calls(calls)) => {
                self.running_code.run(PanicPlace::Calls, || calls(&self.scope(view)))
            }
            _ => Vec::new(),
        }
    }

    /// Returns the async `check` of the pending output.
    pub(super) fn start_of_check(
        &self,
        task: TaskIndex,
        view: &ScopeData<'_>,
    ) -> Option<FunctionStart> {
        let check = output_code::<P>(task)?.check?;
        let output = self.running_code.run(PanicPlace::Data, || self.pending.clone())?;
        let (output, owned) = (Arc::new(output), self.owned_cx(view, CallRole::Check));
        Some(Arc::new(move || check(Arc::clone(&output), Arc::clone(&owned))))
    }

    pub(super) fn owned_cx(&self, view: &ScopeData<'_>, role: CallRole) -> Arc<OwnedCx<P>> {
        let copy =
            || Arc::new(OwnedCx::new(&self.cx(view), self.copied_state(), view.history, role));
        self.running_code.run(PanicPlace::Data, copy)
    }

    /// Returns a copy of the state. Functions that are called concurrently share it.
    fn copied_state(&self) -> Arc<P::State> {
        let mut copied = self.copied_state.lock().unwrap_or_else(PoisonError::into_inner);
        copied.upgrade().unwrap_or_else(|| {
            let state = Arc::new(self.state.clone());
            *copied = Arc::downgrade(&state);
            state
        })
    }
}
