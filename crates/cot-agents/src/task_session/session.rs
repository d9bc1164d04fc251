//! A conversation: its trace, its run and its usage.

use std::{fmt, sync::Arc};

use cot_engine::{Approval, Machine, Question};
use cot_model::{BoxFuture, Usage};
use cot_runtime::{ActiveRun, RunError, Runner};
use cot_store::RunId;
use cot_task_format::Trace;

use super::{
    conversation::{context::SessionContext, process::Conversation, state::ConversationState},
    error::ToolChange,
    view::View,
};

/// A conversation with a model in the TASK format.
///
/// A clone is independent of the original. It has its trace, and is not stored.
pub struct Session {
    pub(super) context: SessionContext,
    pub(super) runner: Runner<Conversation>,
    /// The conversation as the session shows it.
    pub(super) view: View,
    pub(super) run: SessionRun,
    /// Approves the calls of tools that need it.
    pub(super) approver: Option<Approver>,
    /// What the run receives when it asks.
    pub(super) pending: Pending,
    pub(super) changes: Vec<ToolChange>,
    pub(super) usage: Usage,
    /// The usage of earlier runs of the session.
    pub(super) earlier_usage: Usage,
}

/// Where the run of a session is between turns.
pub(super) enum SessionRun {
    /// In the memory of the session; `None` before its start.
    Memory(Option<Box<Machine<Conversation>>>),
    /// In the store of these runners. The second one has neither model nor tools, so that an abandoned turn
    /// stops.
    Stored { run: RunId, runner: Runner<Conversation>, abandoning: Runner<Conversation> },
}

/// Approves calls of tools.
pub(super) type Approver = Arc<dyn Fn(Arc<Question>) -> BoxFuture<'static, Approval> + Send + Sync>;

/// The answers that a session has for its run.
#[derive(Clone, Debug, Default)]
pub(super) struct Pending {
    /// The unfinished turn is removed.
    pub(super) abandons: bool,
    /// The unfinished turn is continued.
    pub(super) continues: bool,
    /// The next message of the user, which the view contains already.
    pub(super) message: Option<String>,
}

impl Session {
    pub(super) fn new(
        context: SessionContext,
        runner: Runner<Conversation>,
        state: ConversationState,
        run: SessionRun,
        approver: Option<Approver>,
    ) -> Self {
        let view = View::new(state, &context);
        let (pending, changes) = (Pending::default(), Vec::new());
        let (usage, earlier_usage) = (Usage::default(), Usage::default());
        Self { context, runner, view, run, approver, pending, changes, usage, earlier_usage }
    }

    /// Removes the last turn from the trace, if it has no response.
    ///
    /// A stored run is changed by the next turn. If the program ends before, the run keeps the turn.
    pub fn abandon(&mut self) {
        if !self.is_unfinished() {
            return;
        }
        self.view.change(ConversationState::abandon);
        self.pending.continues = false;
        if self.pending.message.take().is_some() {
            return;
        }
        match &mut self.run {
            SessionRun::Memory(run) => {
                *run = None;
                self.earlier_usage = self.usage;
            }
            SessionRun::Stored { .. } => self.pending.abandons = true,
        }
    }

    /// Returns whether the last turn has no response yet.
    #[must_use]
    pub const fn is_unfinished(&self) -> bool {
        self.view.state.is_unfinished()
    }

    /// Returns the conversation so far, with its [todo items](Trace::todos). The trace can be stored and
    /// [resumed](super::SessionBuilder::resume).
    #[must_use]
    pub const fn trace(&self) -> &Trace {
        &self.view.trace
    }

    /// Returns how the tools differ from those of the trace that the session was resumed from, or of the run
    /// that it was opened from. Empty for a new session.
    #[must_use]
    pub fn tool_changes(&self) -> &[ToolChange] {
        &self.changes
    }

    /// Returns the usage of all model calls. The usage of a cancelled call is unknown and counts as zero
    /// tokens.
    #[must_use]
    pub const fn usage(&self) -> Usage {
        self.usage
    }

    pub(super) const fn is_stored(&self) -> bool {
        matches!(self.run, SessionRun::Stored { .. })
    }

    /// Starts or continues the run.
    pub(super) fn start_run(&mut self) -> Result<ActiveRun<Conversation>, RunError> {
        match &mut self.run {
            SessionRun::Stored { run, runner, .. } => runner
                .clone()
                .run_id(run.as_str())
                .start(self.view.state_of_run(self.pending.message.is_some())),
            SessionRun::Memory(machine) => match machine.take() {
                Some(mut machine) => {
                    if self.pending.continues {
                        machine.change_state(ConversationState::reset_limits);
                        self.view.state.reset_limits();
                    }
                    self.runner.start_machine(*machine)
                }
                None => self.runner.start(self.view.state_of_run(self.pending.message.is_some())),
            },
        }
    }

    /// Continues a stored run with neither model nor tools, so that its turn stops and can be abandoned.
    /// Returns `None` if there is nothing to abandon.
    pub(super) fn start_abandoning(&self) -> Option<Result<ActiveRun<Conversation>, RunError>> {
        let SessionRun::Stored { run, abandoning, .. } = &self.run else { return None };
        self.pending.abandons.then_some(())?;
        Some(abandoning.resume(run.as_str()))
    }

    /// Compares the view with the run at the start of a turn: other programs may have continued a stored
    /// run.
    pub(super) fn meet_run(&mut self, state: &ConversationState) {
        let Some(message) = self.pending.message.clone() else {
            return self.view.follow(state, &self.context);
        };
        if self.view.precedes_turn(state) {
            return;
        }
        if self.view.has_turn_in_common(state) {
            self.pending.message = None;
            return self.view.follow(state, &self.context);
        }
        self.view = View::new(state.clone(), &self.context);
        if !state.is_unfinished() {
            let context = &self.context;
            self.view.change(|state| state.start_turn(&message, context));
        }
    }

    /// Takes a run back that is no longer polled.
    pub(super) fn keep_run(&mut self, run: ActiveRun<Conversation>) {
        if run.is_opening() {
            return;
        }
        let machine = run.into_machine();
        self.usage = self.earlier_usage + machine.usage();
        if let Some(state) = machine.state() {
            if self.view.has_turn_in_common(state) {
                self.pending.message = None;
            }
            if self.pending.message.is_none() {
                self.view.follow(state, &self.context);
            }
        }
        if let SessionRun::Memory(kept) = &mut self.run {
            if machine.is_running() {
                *kept = Some(Box::new(machine));
            } else {
                self.earlier_usage = self.usage;
            }
        }
    }
}

impl Clone for Session {
    fn clone(&self) -> Self {
        let Self { context, runner, view, approver, pending, changes, usage, .. } = self;
        Self {
            context: context.clone(),
            runner: runner.clone(),
            view: view.clone(),
            run: SessionRun::Memory(None),
            approver: approver.clone(),
            pending: Pending { abandons: false, ..pending.clone() },
            changes: changes.clone(),
            usage: *usage,
            earlier_usage: *usage,
        }
    }
}

impl fmt::Debug for Session {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Session")
            .field("blocks", &self.trace().blocks.len())
            .field("tools", self.context.tools())
            .field("is_unfinished", &self.is_unfinished())
            .field("usage", &self.usage)
            .finish_non_exhaustive()
    }
}
