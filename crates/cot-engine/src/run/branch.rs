//! A branch of a parallel task.

use std::{sync::Arc, time::Duration};

use crate::{
    process::{
        child::{DueDirectives, Totals},
        host::ProcessHost,
        tables::{Definition, ParallelDefinition, TaskIndex},
    },
    protocol::{
        event::{Event, EventOutcome},
        open_calls::{NoCalls, OpenCalls},
    },
    run::{
        branch_facts::BranchFacts,
        context::{Arrival, RunContext, RunFacts, RunView, Visit},
        phase::{
            branches::{Branch, BranchEnd, BranchesPhase},
            question::ModelQuestion,
            task_phase::TaskPhase,
        },
        position::Position,
        save::{save_callers, save_position},
        track::Track,
    },
    snapshot::{data::BranchData, error::SnapshotError},
    values::{branch_history::BranchHistory, outcome::Attempt},
};

/// A branch: a position of its own over the facts of the run.
#[derive(Debug)]
pub(crate) struct BranchTrack {
    first: TaskIndex,
    join: TaskIndex,
    position: Position,
    own: BranchFacts,
}

impl BranchTrack {
    fn begin(first: TaskIndex, join: TaskIndex, facts: &RunFacts) -> Self {
        let history = Some(BranchHistory::new(Arc::clone(facts.seen_history())));
        let own = BranchFacts { elapsed: facts.elapsed, history, ..BranchFacts::default() };
        Self { first, join, position: Position::BetweenTasks(Arrival::new(first, None)), own }
    }

    pub(crate) const fn restore(
        first: TaskIndex,
        join: TaskIndex,
        position: Position,
        own: BranchFacts,
    ) -> Self {
        Self { first, join, position, own }
    }

    /// Moves the branch with its own part of the facts.
    fn with_track<T>(
        &mut self,
        facts: &mut RunFacts,
        move_on: impl FnOnce(&mut Track<'_>) -> T,
    ) -> T {
        self.own.swap(facts);
        let Self { position, join, .. } = self;
        let moved = move_on(&mut Track { facts, position, join: Some(*join) });
        self.own.swap(facts);
        self.own.share_entries(facts);
        moved
    }

    fn has_joined(&self) -> bool {
        matches!(&self.position, Position::BetweenTasks(arrival) if arrival.task == self.join)
    }

    fn phase(&self) -> Option<&dyn TaskPhase> {
        Some(self.position.phase()?.as_dyn())
    }
}

impl Track<'_> {
    /// Starts the branches of a parallel task. They join at the target of its `next`.
    pub(crate) fn begin_branches(
        parallel: &ParallelDefinition,
        cx: &mut RunContext<'_>,
    ) -> Box<dyn TaskPhase + Send + Sync> {
        let task = cx.facts.definition.task(cx.visit.task);
        // The macro declares the join as the only arm of `next`.
        let join = task.next.first().copied().unwrap_or(cx.visit.task);
        let branches = parallel.branches.iter();
        let branches = branches.map(|first| BranchTrack::begin(*first, join, cx.facts)).collect();
        Box::new(BranchesPhase::new((*parallel, cx.facts.definition), cx.facts.elapsed, branches))
    }
}

impl Branch for BranchTrack {
    fn first(&self) -> TaskIndex {
        self.first
    }

    fn own(&mut self) -> &mut BranchFacts {
        &mut self.own
    }

    fn elapsed(&self) -> Duration {
        self.own.elapsed
    }

    fn end(&self) -> Option<BranchEnd<'_>> {
        match &self.position {
            _ if self.has_joined() => Some(BranchEnd::Joined),
            Position::Finished(ending) => Some(BranchEnd::Failed(ending)),
            _ => None,
        }
    }

    fn poll(
        &mut self,
        facts: &mut RunFacts,
        host: &mut dyn ProcessHost,
        due: &mut DueDirectives<'_>,
    ) {
        self.with_track(facts, |track| track.poll(host, due));
    }

    fn handle(
        &mut self,
        event: Event,
        facts: &mut RunFacts,
        host: &mut dyn ProcessHost,
    ) -> EventOutcome {
        self.with_track(facts, |track| track.handle(event, host))
    }

    fn open_calls(&self) -> &dyn OpenCalls {
        self.phase().map_or(&NoCalls, TaskPhase::open_calls)
    }

    fn unsettled(&self, facts: &RunFacts) -> Totals {
        let inner = self.position.unsettled(facts);
        let elapsed = self.own.elapsed.saturating_add(inner.elapsed);
        Totals { elapsed, ..inner }
    }

    fn take_attempts(&mut self) -> Vec<Attempt> {
        let phase = self.position.phase_mut();
        phase.map(|phase| phase.as_dyn_mut().take_attempts()).unwrap_or_default()
    }

    fn record_children(&mut self, on: bool) {
        if let Some(phase) = self.position.phase_mut() {
            phase.as_dyn_mut().record_children(on);
        }
    }

    fn question(&self, facts: &RunFacts, host: &dyn ProcessHost) -> Option<(Visit, ModelQuestion)> {
        let Position::InTask { visit, phase } = &self.position else { return None };
        let phase = phase.as_dyn();
        let own = || phase.current_question(RunView { facts, visit, host }).ok();
        phase.branch_question(facts, host).or_else(|| Some((visit.clone(), own()?)))
    }

    fn save(&self, definition: &'static Definition) -> Result<BranchData, SnapshotError> {
        Ok(BranchData {
            branch: definition.task(self.first).about.name.to_owned(),
            position: save_position(&self.position, definition)?,
            has_joined: self.has_joined(),
            callers: save_callers(&self.own.callers, definition)?,
            elapsed: self.own.elapsed,
            shared: 0,
            history: self.own.history.as_ref().map(|own| Arc::clone(&own.seen)).unwrap_or_default(),
        })
    }
}
