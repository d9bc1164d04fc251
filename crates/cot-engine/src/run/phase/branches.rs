//! The phase of a parallel task: branches that run at the same time.

use std::{fmt, time::Duration};

use cot_model::Usage;

use crate::{
    process::{
        child::{DueDirectives, Totals},
        host::ProcessHost,
        kinds::group::Join,
        tables::{Definition, ParallelDefinition, TaskIndex},
    },
    protocol::{
        directive::CallId,
        event::{Event, EventOutcome},
        open_calls::{Answerer, OpenCalls},
        run_event::event::{BranchOutcome, RunEvent},
    },
    run::{
        branch_facts::BranchFacts,
        context::{RunContext, RunFacts, RunView, Visit},
        end::{PhaseHandled, TaskEnd},
        failure::failure_name,
        phase::{question::ModelQuestion, task_phase::TaskPhase},
    },
    snapshot::{
        data::{BranchData, Delivery, PositionData},
        error::SnapshotError,
    },
    values::outcome::{Attempt, Ending, FailedBranch, Halt, HaltReason},
};

/// A branch: a position of its own over the facts of the run.
pub(crate) trait Branch: fmt::Debug {
    /// Returns the first task.
    fn first(&self) -> TaskIndex;
    fn own(&mut self) -> &mut BranchFacts;
    /// Returns the elapsed time of the run as the branch sees it.
    fn elapsed(&self) -> Duration;
    /// Returns how the branch ended, once it has.
    fn end(&self) -> Option<BranchEnd<'_>>;
    /// Advances the branch until it needs the driver, and adds the directives that should be in flight to `due`.
    fn poll(
        &mut self,
        facts: &mut RunFacts,
        host: &mut dyn ProcessHost,
        due: &mut DueDirectives<'_>,
    );
    fn handle(
        &mut self,
        event: Event,
        facts: &mut RunFacts,
        host: &mut dyn ProcessHost,
    ) -> EventOutcome;
    fn open_calls(&self) -> &dyn OpenCalls;
    /// Returns what the branch has consumed beyond the facts of the run, and its whole elapsed time.
    fn unsettled(&self, facts: &RunFacts) -> Totals;
    fn take_attempts(&mut self) -> Vec<Attempt>;
    fn record_children(&mut self, on: bool);
    /// Returns the question of the branch, to inspect its prompt, with its visit.
    fn question(&self, facts: &RunFacts, host: &dyn ProcessHost) -> Option<(Visit, ModelQuestion)>;
    fn save(&self, definition: &'static Definition) -> Result<BranchData, SnapshotError>;
}

/// How a branch ended.
#[derive(Debug, Clone, Copy)]
pub(crate) enum BranchEnd<'a> {
    Joined,
    Failed(&'a Ending<TaskIndex>),
}

/// Runs the branches of a task. An event is applied to the branch that waits for it, which then moves on at once: so
/// calls have the same ids whether the events come one by one, as when a journal is replayed, or together.
pub(crate) struct BranchesPhase<B> {
    definition: ParallelDefinition,
    /// The elapsed time of the run at the start of the task.
    began: Duration,
    lanes: Vec<Lane<B>>,
    /// The tables of the process.
    tables: &'static Definition,
}

/// A branch, and what its phase knows of it.
#[derive(Debug)]
struct Lane<B> {
    branch: B,
    /// Whether the branch has to be advanced although no directive of it is asked for.
    is_new: bool,
    /// An id that is at least that of the newest call of the branch.
    newest: CallId,
    /// Whether the end of the branch was emitted.
    is_over: bool,
}

impl<B: Branch> BranchesPhase<B> {
    pub(crate) fn new(
        (definition, tables): (ParallelDefinition, &'static Definition),
        began: Duration,
        branches: Vec<B>,
    ) -> Self {
        let lanes = branches.into_iter().map(|branch| Lane {
            branch,
            is_new: true,
            newest: CallId(0),
            is_over: false,
        });
        Self { definition, began, lanes: lanes.collect(), tables }
    }

    /// Restores branches. `newest` is the newest call of the run.
    pub(crate) fn restore(
        definition: (ParallelDefinition, &'static Definition),
        began: Duration,
        newest: CallId,
        branches: Vec<B>,
    ) -> Self {
        let mut phase = Self::new(definition, began, branches);
        for lane in &mut phase.lanes {
            (lane.newest, lane.is_over) = (newest, lane.branch.end().is_some());
        }
        phase
    }

    /// Returns the time limit of the branches: that of the run, or that of the task if it ends earlier.
    fn time_limit(&self, cx: &RunContext<'_>) -> Option<Duration> {
        let own = self.own_limit(cx);
        own.into_iter().chain(cx.facts.limits.time).min()
    }

    /// Returns the elapsed time at which the time limit of the task ends.
    fn own_limit(&self, cx: &RunContext<'_>) -> Option<Duration> {
        let limit = cx.facts.definition.task(cx.visit.task).timeout?;
        Some(self.began.saturating_add(limit))
    }

    /// Returns what the branches but one have consumed beyond the facts of the run, with their calls in flight.
    fn beside(&self, lane: usize, facts: &RunFacts) -> Totals {
        let mut beside = facts.beside.as_deref().copied().unwrap_or_default();
        let others = self.lanes.iter().enumerate().filter(|(other, _)| *other != lane);
        for (_, Lane { branch, .. }) in others.filter(|(_, other)| !other.is_over) {
            let Totals { usage, steps, .. } = branch.unsettled(facts);
            let calls = branch.open_calls().counts().models;
            beside.usage += usage + Usage { calls, ..Usage::default() };
            beside.steps = beside.steps.saturating_add(steps);
        }
        beside
    }

    /// Moves a branch with its part of the facts. Returns the end of the task if the branch decides it.
    fn with_branch<T>(
        &mut self,
        index: usize,
        cx: &mut RunContext<'_>,
        move_on: impl FnOnce(&mut B, &mut RunFacts, &mut dyn ProcessHost) -> T,
    ) -> (T, Option<TaskEnd>) {
        let (time_limit, beside) = (self.time_limit(cx), self.beside(index, cx.facts));
        let calls = cx.facts.last_call;
        let lane = &mut self.lanes[index];
        let own = lane.branch.own();
        (own.time_limit, own.beside) = (time_limit, Some(Box::new(beside)));
        let moved = move_on(&mut lane.branch, cx.facts, cx.host);
        if cx.facts.last_call > calls {
            lane.newest = CallId(cx.facts.last_call);
        }
        cx.facts.elapsed = cx.facts.elapsed.max(lane.branch.elapsed());
        (moved, self.settle(index, cx))
    }

    /// Advances a branch, and adds its directives to `due`.
    fn advance(
        &mut self,
        index: usize,
        due: &mut DueDirectives<'_>,
        cx: &mut RunContext<'_>,
    ) -> Option<TaskEnd> {
        self.lanes[index].is_new = false;
        self.with_branch(index, cx, |branch, facts, host| branch.poll(facts, host, due)).1
    }

    /// Takes note of the end of a branch. Returns the end of the task if it follows.
    fn settle(&mut self, index: usize, cx: &mut RunContext<'_>) -> Option<TaskEnd> {
        let Lane { branch, is_over, .. } = &mut self.lanes[index];
        if *is_over {
            return None;
        }
        let (task, first) = (cx.visit.task, branch.first());
        let failure = match branch.end()? {
            BranchEnd::Joined => None,
            BranchEnd::Failed(ending) => Some(failed_branch(first, ending, cx.facts)),
        };
        *is_over = true;
        let outcome = match &failure {
            None => BranchOutcome::Joined,
            Some((failed, _)) => BranchOutcome::Failed(failed.why.clone()),
        };
        cx.host.emit(|| RunEvent::BranchEnded { task, branch: first, outcome });
        let are_over = self.lanes.iter().all(|lane| lane.is_over);
        let Some((failed, attempts)) = failure else {
            return match self.definition.join {
                Join::Any => Some(self.join(cx)),
                Join::All | Join::Settled => are_over.then(|| self.join(cx)),
            };
        };
        let reason = self.task_reason(failed, cx);
        let is_forgiven =
            failure_name(&reason, false).is_some() && !matches!(reason, HaltReason::TaskTimeout(_));
        match self.definition.join {
            Join::Settled if is_forgiven => are_over.then(|| self.join(cx)),
            Join::Any if is_forgiven && !are_over => None,
            _ => {
                self.cancel_others(cx);
                Some(TaskEnd::failed(reason, attempts))
            }
        }
    }

    /// Returns the reason for which the task fails with a branch. Limits of the run are the reason themselves.
    fn task_reason(&self, failed: FailedBranch, cx: &RunContext<'_>) -> HaltReason {
        let limit = cx.facts.definition.task(cx.visit.task).timeout;
        let own_limit = self.own_limit(cx);
        let is_own =
            own_limit.is_some() && own_limit < cx.facts.limits.time.or(Some(Duration::MAX));
        match failed.reason.as_ref().map(root_reason) {
            Some(HaltReason::RunTimeout(ended)) if is_own && Some(*ended) == own_limit => {
                HaltReason::TaskTimeout(limit.unwrap_or_default())
            }
            Some(
                reason @ (HaltReason::RunTimeout(_)
                | HaltReason::MaxSteps(_)
                | HaltReason::DefaultSteps(_)
                | HaltReason::GatewayLoop
                | HaltReason::Cancelled(_)),
            ) => reason.clone(),
            Some(reason @ HaltReason::Panicked(_)) if failure_name(reason, false).is_none() => {
                reason.clone()
            }
            _ => HaltReason::BranchFailed(Box::new(failed)),
        }
    }

    /// Ends the task at the join.
    fn join(&mut self, cx: &mut RunContext<'_>) -> TaskEnd {
        self.cancel_others(cx);
        TaskEnd::Done(cx.facts.route_from(cx.visit, None, cx.host))
    }

    /// Drops the branches that are not over. What they have consumed is kept, and their calls are dropped.
    fn cancel_others(&mut self, cx: &mut RunContext<'_>) {
        let task = cx.visit.task;
        for lane in self.lanes.iter_mut().filter(|lane| !lane.is_over) {
            lane.is_over = true;
            let (branch, outcome) = (lane.branch.first(), BranchOutcome::Cancelled);
            cx.host.emit(|| RunEvent::BranchEnded { task, branch, outcome });
            let Totals { usage, steps, elapsed, .. } = lane.branch.unsettled(cx.facts);
            cx.facts.usage += usage;
            cx.facts.steps = cx.facts.steps.saturating_add(steps);
            cx.facts.elapsed = cx.facts.elapsed.max(elapsed);
            cx.facts.drop_model_calls(lane.branch.open_calls().counts().models);
        }
    }

    fn open(&self) -> impl Iterator<Item = &Lane<B>> {
        self.lanes.iter().filter(|lane| !lane.is_over)
    }
}

/// Returns the reason of the item or branch that failed.
fn root_reason(reason: &HaltReason) -> &HaltReason {
    match reason {
        HaltReason::ItemFailed(failed) => root_reason(&failed.reason),
        HaltReason::BranchFailed(failed) => failed.reason.as_ref().map_or(reason, root_reason),
        reason => reason,
    }
}

/// Describes a branch that ended without reaching the join, with its failed attempts.
fn failed_branch(
    first: TaskIndex,
    ending: &Ending<TaskIndex>,
    facts: &RunFacts,
) -> (FailedBranch, Vec<Attempt>) {
    let name = |task: TaskIndex| facts.name(task).to_owned();
    let (reason, why, attempts) = match ending {
        Ending::Halted(Halt { reason, attempts, .. }) => {
            (Some(reason.clone()), reason.to_string(), attempts.clone())
        }
        Ending::Fail(_, why) => (None, why.clone(), Vec::new()),
        Ending::End(_) | Ending::RanOut(_) => {
            (None, "it ended before the join".to_owned(), Vec::new())
        }
    };
    let (branch, task) = (name(first), name(ending.task()));
    (FailedBranch { branch, task, reason, why }, attempts)
}

impl<B: Branch> TaskPhase for BranchesPhase<B> {
    fn poll(&mut self, cx: &mut RunContext<'_>, due: &mut DueDirectives<'_>) -> Option<TaskEnd> {
        let before = due.len();
        for index in 0..self.lanes.len() {
            let Lane { branch, is_new, newest, is_over } = &self.lanes[index];
            let is_listed =
                due.reaches(*newest) && due.only().is_none_or(|id| branch.open_calls().contain(id));
            if *is_over || !(*is_new || is_listed) {
                continue;
            }
            if let Some(end) = self.advance(index, due, cx) {
                due.truncate(before);
                return Some(end);
            }
        }
        due.sort(before);
        None
    }

    fn handle(&mut self, event: Event, cx: &mut RunContext<'_>) -> PhaseHandled {
        let waits = |id| {
            self.lanes.iter().position(|lane| !lane.is_over && lane.branch.open_calls().contain(id))
        };
        let Some(index) = event.id().and_then(waits) else { return PhaseHandled::STALE };
        let (handled, end) =
            self.with_branch(index, cx, |branch, facts, host| branch.handle(event, facts, host));
        if handled == EventOutcome::Stale || end.is_some() {
            return PhaseHandled { handled, end };
        }
        let end = self.advance(index, &mut DueDirectives::none(&mut Vec::new()), cx);
        PhaseHandled { handled, end }
    }

    fn open_calls(&self) -> &dyn OpenCalls {
        self
    }

    fn unsettled(&self, facts: &RunFacts) -> Totals {
        let mut sum = Totals { elapsed: facts.elapsed, ..Totals::default() };
        for Lane { branch, .. } in self.open() {
            let Totals { usage, steps, elapsed, .. } = branch.unsettled(facts);
            sum.usage += usage;
            sum.steps = sum.steps.saturating_add(steps);
            sum.elapsed = sum.elapsed.max(elapsed);
        }
        Totals { elapsed: sum.elapsed.saturating_sub(facts.elapsed), ..sum }
    }

    fn take_attempts(&mut self) -> Vec<Attempt> {
        self.lanes.iter_mut().flat_map(|lane| lane.branch.take_attempts()).collect()
    }

    fn record_children(&mut self, on: bool) {
        self.lanes.iter_mut().for_each(|lane| lane.branch.record_children(on));
    }

    fn branch_question(
        &self,
        facts: &RunFacts,
        host: &dyn ProcessHost,
    ) -> Option<(Visit, ModelQuestion)> {
        self.open().find_map(|lane| lane.branch.question(facts, host))
    }

    fn current_question(&self, _: RunView<'_>) -> Result<ModelQuestion, String> {
        Err("none of its branches asks a model".to_owned())
    }

    fn save(&self, visit: Delivery) -> Result<PositionData, SnapshotError> {
        let branches = self.lanes.iter().map(|lane| lane.branch.save(self.tables));
        let branches = branches.collect::<Result<_, _>>()?;
        Ok(PositionData::Branches { visit, began: self.began, branches })
    }
}

impl<B: Branch> OpenCalls for BranchesPhase<B> {
    fn visit(&self, visit: &mut dyn FnMut(CallId, Answerer)) {
        self.open().for_each(|lane| lane.branch.open_calls().visit(visit));
    }

    fn contain(&self, id: CallId) -> bool {
        self.open().any(|lane| lane.branch.open_calls().contain(id))
    }
}

impl<B: fmt::Debug> fmt::Debug for BranchesPhase<B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BranchesPhase").field("lanes", &self.lanes).finish_non_exhaustive()
    }
}
