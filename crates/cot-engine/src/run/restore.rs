//! Restores a run from a snapshot.

use std::{convert::Infallible, sync::Arc, time::Duration};

use crate::{
    process::{
        host::ProcessHost,
        tables::{Definition, TaskIndex, TaskKind},
    },
    protocol::{directive::CallId, key::call_key::VisitKey},
    run::{
        branch::BranchTrack,
        branch_facts::BranchFacts,
        callers::{Caller, Callers},
        context::{Arrival, Visit},
        phase::{branches::BranchesPhase, phase::Phase},
        position::Position,
        restore_context::{RestoreContext, find_task, read_delivery},
        run::Run,
        start::check_whole_sources,
    },
    snapshot::{
        data::{BranchData, Delivery, PositionData, Snapshot},
        error::{SnapshotError, inconsistent},
        options::ResumeOptions,
    },
    values::{
        branch_history::BranchHistory,
        outcome::{Halt, map_ending},
    },
};

/// Restores a run from a snapshot. `outer` has the visits of the tasks that run it as a sub-process.
pub(crate) fn restore(
    snapshot: Snapshot,
    options: &ResumeOptions,
    definition: &'static Definition,
    host: &dyn ProcessHost,
    outer: Option<Arc<[VisitKey]>>,
) -> Result<Run, SnapshotError> {
    check_whole_sources(definition, host).map_err(SnapshotError::Tools)?;
    let current = find_task(definition, snapshot.task())?;
    let halted_inputs = snapshot.halted_inputs.clone();
    let halted = Delivery::new(snapshot.task().to_owned(), halted_inputs);
    let callers = read_callers(&snapshot.callers, current, definition, host)?;
    let arrival = Arrival::new(current, None);
    let mut run = Run::new(definition, Arc::new(snapshot.options), snapshot.goal, arrival);
    let facts = &mut run.facts;
    facts.outer = outer;
    facts.history = snapshot.history;
    facts.callers = callers;
    facts.usage = snapshot.usage;
    facts.steps = snapshot.steps;
    facts.elapsed = snapshot.elapsed;
    facts.last_call = snapshot.last_call;
    facts.once = snapshot.once;
    facts.is_alone = snapshot.is_alone;
    facts.is_moved = snapshot.is_moved;
    facts.unattended = snapshot.unattended.map(Box::new);
    facts.apply_inherited(snapshot.inherited);
    if let Some(Halt { task, reason, attempts }) = snapshot.last_failure {
        facts.last_failure = Some(Halt { task: find_task(definition, &task)?, reason, attempts });
    }
    for task in &snapshot.out_of_budget {
        facts.out_of_budget.insert(find_task(definition, task)?);
    }
    for (task, count) in &snapshot.visits {
        // A task that is gone may return with a later version, and its calls must not get the same keys again.
        match find_task(definition, task) {
            Ok(task) => facts.visits[task] = *count,
            Err(_) => drop(facts.other_visits.insert(task.clone(), *count)),
        }
    }
    // Counters above half of their range are not plausible and could overflow.
    if facts.steps.max(facts.last_call) > u64::MAX / 2 {
        return Err(inconsistent("it counts more steps or calls than a run can make"));
    }
    let elapsed = run.facts.elapsed;
    let cx = RestoreContext { facts: &run.facts, elapsed, host, options };
    run.position = read_position(snapshot.position, &cx)?;
    run.facts.current_inputs = match &run.position {
        Position::Finished(_) if halted.inputs.is_some() => {
            read_delivery(definition, halted, host)?.1
        }
        position => position.inputs().cloned(),
    };
    Ok(run)
}

fn read_callers(
    callers: &[Delivery],
    current: TaskIndex,
    definition: &'static Definition,
    host: &dyn ProcessHost,
) -> Result<Callers, SnapshotError> {
    let chain = callers.iter().map(|caller| {
        let (task, inputs) = read_delivery(definition, caller.clone(), host)?;
        Ok(Caller { task, inputs })
    });
    Callers::restore(chain.collect::<Result<_, SnapshotError>>()?, current)
        .ok_or_else(|| inconsistent("a task waits twice in the chain of callers"))
}

/// Restores the branches of a task, which has to have the same ones.
fn restore_branches(
    visit: &Visit,
    began: Duration,
    mut branches: Vec<BranchData>,
    cx: &RestoreContext<'_>,
) -> Result<Phase, SnapshotError> {
    let definition = cx.facts.definition;
    let (task, count) = (definition.task(visit.task), branches.len());
    let TaskKind::Parallel(parallel) = &task.kind else {
        return Err(inconsistent("its task runs no branches"));
    };
    let Some(join) = task.next.first().copied().filter(|_| count == parallel.branches.len()) else {
        return Err(inconsistent("the branches of its task have changed"));
    };
    let restored = parallel.branches.iter().map(|first| {
        let name = definition.task(*first).about.name;
        let index = branches.iter().position(|branch| branch.branch == name);
        let index = index.ok_or_else(|| inconsistent(&format!("it has no branch `{name}`")))?;
        let BranchData { position, has_joined, callers, elapsed, shared, history, .. } =
            branches.swap_remove(index);
        // A branch that is over stands on no task any more.
        let is_over = has_joined || matches!(position, PositionData::Finished(_));
        let position = match position {
            _ if has_joined => Position::BetweenTasks(Arrival::new(join, None)),
            PositionData::Finished(ending) => {
                let task = |task: String| find_task(definition, &task).unwrap_or(*first);
                let Ok(ending) = map_ending(ending, |name| Ok::<_, Infallible>(task(name)));
                Position::Finished(ending)
            }
            position => read_position(position, &RestoreContext { elapsed, ..*cx })?,
        };
        let callers = match is_over {
            true => Callers::default(),
            false => read_callers(&callers, position.task(), definition, cx.host)?,
        };
        let own = BranchFacts {
            callers,
            current_inputs: position.inputs().cloned(),
            elapsed,
            history: Some(BranchHistory::new(Arc::new(
                cx.facts.history.start_with(shared, &history),
            ))),
            ..BranchFacts::default()
        };
        Ok(BranchTrack::restore(*first, join, position, own))
    });
    let restored = restored.collect::<Result<Vec<_>, SnapshotError>>()?;
    Ok(Phase::Branches(Box::new(BranchesPhase::restore(
        (*parallel, definition),
        began,
        CallId(cx.facts.last_call),
        restored,
    ))))
}

fn read_position(data: PositionData, cx: &RestoreContext<'_>) -> Result<Position, SnapshotError> {
    match data {
        PositionData::At { arrival, has_waited, is_interrupted } => {
            let key = arrival.key.as_deref().map(Arc::from);
            let (task, inputs) = cx.read_delivery(arrival)?;
            Ok(Position::BetweenTasks(Arrival { task, inputs, has_waited, is_interrupted, key }))
        }
        PositionData::Finished(ending) => {
            let ending = map_ending(ending, |task| find_task(cx.facts.definition, &task))?;
            Ok(Position::Finished(ending))
        }
        PositionData::Branches { visit, began, branches } => {
            let visit = cx.read_visit(visit, |kind| matches!(kind, TaskKind::Parallel(_)))?;
            let phase = restore_branches(&visit, began, branches, cx)?;
            Ok(Position::InTask { visit, phase })
        }
        data => {
            let (visit, phase) = Phase::restore(data, cx)?;
            Ok(Position::InTask { visit, phase })
        }
    }
}
