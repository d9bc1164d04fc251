//! A call of a served process: a run, its progress, and its result.

use std::{sync::Arc, time::Duration};

use cot_engine::{Ending, FunctionError, Process, ProcessEvent, ProcessTypes, RunEvent};
use cot_model::TraceContext;
use cot_runtime::{ActiveRun, Runner};
use rmcp::{
    model::{CallToolResult, ContentBlock, ProgressNotificationParam, ProgressToken},
    service::{Peer, RoleServer},
};
use serde_json::Value;
use tokio_util::sync::CancellationToken;

use crate::clock::within;

/// Returns the result of a call from the final state.
pub(super) type ResultOf<P> = Arc<dyn Fn(&StateOf<P>) -> serde_json::Result<Value> + Send + Sync>;

type StateOf<P> = <P as ProcessTypes>::State;

/// The client's side of a call.
pub(super) struct Call {
    pub(super) peer: Peer<RoleServer>,
    /// Cancelled when the client cancels the call or disconnects.
    pub(super) cancelled: CancellationToken,
    /// The trace of the client, if it tells it.
    pub(super) caller: Option<TraceContext>,
    /// The token of notifications, if the client asks for them.
    pub(super) progress: Option<ProgressToken>,
}

/// The time that a client has to take a notification. Then the run continues without it.
const NOTIFICATION_LIMIT: Duration = Duration::from_secs(1);
/// The reason that a cancelled run records.
const CANCELLED: &str = "the client cancelled the call";

/// Runs the process to its end.
pub(super) async fn run<P: Process>(
    runner: &Runner<P>,
    state: P::State,
    result: &ResultOf<P>,
    mut call: Call,
) -> CallToolResult {
    let runner = match call.caller.take() {
        Some(caller) => runner.clone().trace_context(caller),
        None => runner.clone(),
    };
    let started = runner.check_responders().and_then(|()| runner.start(state));
    let mut active = match started {
        Ok(active) => active,
        Err(error) => return failed(&FunctionError::from_error(&error).to_string()),
    };
    let handle = active.handle();
    let mut is_cancelled = false;
    loop {
        tokio::select! {
            biased;
            () = call.cancelled.cancelled(), if !is_cancelled => {
                is_cancelled = true;
                handle.cancel(CANCELLED);
            }
            event = active.next() => match event {
                Some(event) => call.report::<P>(&event).await,
                None => break,
            },
        }
    }
    // A run that could not be driven to its end says why.
    let ending = active.machine().ending();
    match ending {
        Some(ending) => finished(&active, ending, result),
        None => match active.finish().await {
            Ok(_) => failed("the run did not end"),
            Err(error) => failed(&FunctionError::from_error(&error).to_string()),
        },
    }
}

fn finished<P: Process>(
    active: &ActiveRun<P>,
    ending: Ending<P::Task>,
    result: &ResultOf<P>,
) -> CallToolResult {
    match (ending, active.machine().state()) {
        (Ending::Fail(task, why), _) if why.is_empty() => {
            failed(&format!("the process failed at its task `{task}`"))
        }
        (Ending::Fail(_, why), _) => failed(&why),
        (Ending::Halted(halt), _) => failed(&halt.to_string()),
        (Ending::End(_) | Ending::RanOut(_), Some(state)) => match result(state) {
            Ok(value) => succeeded(value),
            Err(error) => failed(&format!("the result can't be written as JSON: {error}")),
        },
        (_, None) => failed("the run has no state"),
    }
}

/// Creates a result: an object is structured content as well.
fn succeeded(value: Value) -> CallToolResult {
    match value {
        Value::Object(_) => CallToolResult::structured(value),
        Value::String(text) => CallToolResult::success(vec![ContentBlock::text(text)]),
        other => CallToolResult::success(vec![ContentBlock::text(other.to_string())]),
    }
}

/// Creates the result of a call that failed. Long messages are truncated.
pub(super) fn failed(message: &str) -> CallToolResult {
    let message = FunctionError::new(message).to_string();
    CallToolResult::error(vec![ContentBlock::text(message)])
}

impl Call {
    /// Notifies the client when a task starts. The progress is the number of started tasks.
    async fn report<P: Process>(&mut self, event: &ProcessEvent<P>) {
        let (Some(token), RunEvent::TaskStarted { task, step, .. }) = (&self.progress, event)
        else {
            return;
        };
        // Progress is a floating-point number in the protocol; no run has that many steps.
        #[expect(clippy::cast_precision_loss, reason = "exact below 2^53 steps")]
        let progress = ProgressNotificationParam::new(token.clone(), *step as f64)
            .with_message(task.to_string());
        // A client that does not listen keeps its run.
        if let None | Some(Err(_)) =
            within(NOTIFICATION_LIMIT, self.peer.notify_progress(progress)).await
        {
            self.progress = None;
        }
    }
}
