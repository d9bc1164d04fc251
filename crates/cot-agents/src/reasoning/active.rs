//! A running question.

use std::{
    collections::VecDeque,
    fmt,
    pin::Pin,
    task::{Context, Poll, ready},
};

use cot_engine::{Ending, Halt, HaltReason, ProcessEvent, RunEvent};
use cot_model::{FinishReason, ModelError, ModelErrorKind, ModelReply};
use cot_runtime::{ActiveRun, RunError, RunReport};
use cot_schema::internal::truncate;
use futures_core::Stream;
use futures_util::{FutureExt, StreamExt};

use crate::reasoning::{
    machine::Machine,
    message::{ChunkType, Message, Status},
    process::Reason,
};

/// An event of a running question.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum ReasoningEvent {
    /// The model call was started.
    Started {
        /// The id of the call.
        call_id: String,
    },
    /// The next chunk of the reply. A model that can't stream emits none.
    Delta(String),
    /// The reply starts again; all previous chunks are void.
    Restarted,
    /// The reply is complete, or the run failed. The [`Machine`] holds the result.
    Finished(Status),
}

/// A running question: a stream of [`ReasoningEvent`]s. Dropping it cancels the model call.
///
/// It is a run of [`Reason`], and passes the events of the run to its [`Machine`] as messages.
pub struct ActiveReasoning {
    machine: Machine,
    run: Option<Box<ActiveRun<Reason>>>,
    /// Whether the machine is known to be that of the run, which can be a stored one.
    is_opened: bool,
    events: VecDeque<ReasoningEvent>,
}

impl ActiveReasoning {
    /// Creates the stream of a machine that waits for no call.
    pub(super) const fn finished(machine: Machine) -> Self {
        Self { machine, run: None, is_opened: true, events: VecDeque::new() }
    }

    /// Creates the stream of a run, which may have failed to start.
    pub(super) fn new(machine: Machine, run: Result<ActiveRun<Reason>, RunError>) -> Self {
        let mut reasoning = Self { is_opened: false, ..Self::finished(machine) };
        match run {
            Ok(run) => {
                reasoning.run = Some(Box::new(run));
                reasoning.open();
            }
            Err(error) => reasoning.end(Err(run_error(error))),
        }
        reasoning
    }

    /// Returns the current machine.
    #[must_use]
    pub const fn machine(&self) -> &Machine {
        &self.machine
    }

    /// Waits for the reply and returns the machine in its final state.
    ///
    /// # Errors
    ///
    /// Fails with the error of the model. A run that ends without a reply for another reason has an error too:
    /// of the kind [`Timeout`](ModelErrorKind::Timeout) after a time limit; of the kind
    /// [`Other`](ModelErrorKind::Other), with the [`RunError`] as its source, after a used up
    /// budget or a failure of the store.
    pub async fn finish(mut self) -> Result<Machine, ModelError> {
        while self.next().await.is_some() {}
        match self.machine.error.as_ref() {
            Some(error) => Err(error.clone()),
            None => Ok(self.machine),
        }
    }

    /// Takes the machine of the run, once the run is opened: a stored run has its own question.
    fn open(&mut self) {
        if self.is_opened {
            return;
        }
        let Some(run) = &self.run else { return };
        let machine = run.machine();
        let Some(state) = machine.state().filter(|_| !run.is_opening()) else {
            return;
        };
        self.is_opened = true;
        if state.prompt.as_deref() != self.machine.prompt.as_deref() {
            let quoted = |prompt: Option<&str>| quote(prompt.unwrap_or_default());
            let (stored, asked) =
                (quoted(state.prompt.as_deref()), quoted(self.machine.prompt.as_deref()));
            let error = ModelError::new(
                ModelErrorKind::Other,
                format!("run `{}` has the question {stored}, not {asked}", run.run_id()),
            );
            self.run = None;
            return self.end(Err(error));
        }
        self.machine = state.reopen();
        if machine.outcome().is_none() {
            let call_id = self.call_id();
            self.events.push_back(ReasoningEvent::Started { call_id });
        }
    }

    /// Polls the run until it emits an event or ends.
    fn poll_run(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        let Some(run) = &mut self.run else { return Poll::Ready(()) };
        let polled = run.poll_next_unpin(cx);
        self.open();
        match (polled, self.run.take()) {
            (_, None) => {}
            // A run whose events are over has ended.
            (Poll::Ready(None), Some(run)) => {
                let ended = run.finish().now_or_never();
                self.end(reply(ended.unwrap_or(Err(RunError::NotStarted))));
            }
            (Poll::Ready(Some(event)), run) => {
                self.run = run;
                self.handle(event);
            }
            (Poll::Pending, run) => {
                self.run = run;
                return if self.events.is_empty() { Poll::Pending } else { Poll::Ready(()) };
            }
        }
        Poll::Ready(())
    }

    fn handle(&mut self, event: ProcessEvent<Reason>) {
        let RunEvent::Delta { text, .. } = event else {
            return;
        };
        let call_id = self.call_id();
        let (message, event) = match text {
            Some(text) => {
                let delta = text.as_ref().to_owned();
                let event = ReasoningEvent::Delta(delta.clone());
                (Message::LlmPartial { call_id, delta, chunk_type: ChunkType::Content }, event)
            }
            None => (Message::LlmRestart { call_id }, ReasoningEvent::Restarted),
        };
        self.machine.update(message);
        self.events.push_back(event);
    }

    fn end(&mut self, result: Result<ModelReply, ModelError>) {
        let call_id = self.call_id();
        self.machine.update(Message::LlmResult { call_id, result });
        self.events.push_back(ReasoningEvent::Finished(self.machine.status));
    }

    fn call_id(&self) -> String {
        self.machine.current_call_id.as_deref().unwrap_or_default().to_owned()
    }
}

/// Returns the reply of a run, or why it has none.
fn reply(report: Result<RunReport<Reason>, RunError>) -> Result<ModelReply, ModelError> {
    let error = match report {
        Ok(RunReport { state, usage, .. }) => {
            let text = state.raw_response.as_deref().unwrap_or_default();
            let finish = state.finish.as_ref().cloned().unwrap_or(FinishReason::Stop);
            return Ok(ModelReply::new(text).finish(finish).usage(usage));
        }
        Err(error) => error,
    };
    if let RunError::Failed(failed) = &error
        && let Ending::Halted(halt) = failed.ending()
    {
        return match &halt.reason {
            HaltReason::Refused(text) => {
                let reply = ModelReply::new(text).finish(FinishReason::Refusal);
                Ok(reply.usage(failed.usage()))
            }
            HaltReason::Unreachable(error) => Err(error.clone()),
            _ => Err(halt_error(halt).with_source(error)),
        };
    }
    Err(run_error(error))
}

fn halt_error<T>(halt: &Halt<T>) -> ModelError {
    let kind = match &halt.reason {
        HaltReason::RunTimeout(_) | HaltReason::TaskTimeout(_) => ModelErrorKind::Timeout,
        _ => ModelErrorKind::Other,
    };
    let message = match (&halt.reason, halt.attempts.last()) {
        (HaltReason::Exhausted, Some(attempt)) => attempt.issues.to_string(),
        (reason, _) => reason.to_string(),
    };
    ModelError::new(kind, message)
}

/// Quotes the beginning of a question.
fn quote(prompt: &str) -> String {
    format!("`{}`", truncate(prompt, 200))
}

fn run_error(error: RunError) -> ModelError {
    ModelError::new(ModelErrorKind::Other, error.to_string()).with_source(error)
}

impl Stream for ActiveReasoning {
    type Item = ReasoningEvent;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<ReasoningEvent>> {
        while self.events.is_empty() && self.run.is_some() {
            ready!(self.poll_run(cx));
        }
        Poll::Ready(self.events.pop_front())
    }
}

impl fmt::Debug for ActiveReasoning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ActiveReasoning").field("machine", &self.machine).finish_non_exhaustive()
    }
}
