//! Restores a run from a snapshot.

use std::{
    collections::{BTreeMap, BTreeSet},
    time::Duration,
};

use cot_model::Usage;
use serde_json::Value;

use crate::{
    process::{
        host::ProcessHost,
        tables::{Definition, TaskIndex, TaskKind},
    },
    protocol::directive::CallId,
    run::{
        attempts::Attempts,
        callers::{Caller, Callers},
        context::{Arrival, RunFacts, Visit},
        phase::{
            function::FunctionPhase,
            group::{GroupPhase, GroupProgress},
            human::HumanPhase,
            model::ModelPhase,
            pending_check::PendingCheck,
            phase::Phase,
            question::ModelQuestion,
            sub_process::SubProcessPhase,
            timer::TimerPhase,
        },
        run::{Position, Run},
    },
    snapshot::{
        data::{Delivery, PendingCall, PositionData, Snapshot},
        error::{SnapshotError, inconsistent},
        options::ResumeOptions,
    },
    values::{
        inputs::Inputs,
        outcome::{Halt, map_ending},
    },
};

/// Restores a run from a snapshot.
pub(crate) fn restore(
    snapshot: Snapshot,
    options: &ResumeOptions,
    definition: &'static Definition,
    host: &dyn ProcessHost,
) -> Result<Run, SnapshotError> {
    let current = find_task(definition, snapshot.task())?;
    let halted_inputs = snapshot.halted_inputs.clone();
    let halted = Delivery { task: snapshot.task().to_owned(), inputs: halted_inputs };
    let chain = snapshot.callers.iter().map(|caller| {
        let (task, inputs) = read_delivery(definition, caller.clone(), host)?;
        Ok(Caller { task, inputs })
    });
    let callers = Callers::restore(chain.collect::<Result<_, SnapshotError>>()?, current)
        .ok_or_else(|| inconsistent("a task waits twice in the chain of callers"))?;
    let arrival = Arrival::new(current, None);
    let mut run = Run::new(definition, snapshot.options, snapshot.goal, arrival);
    let facts = &mut run.facts;
    facts.history = snapshot.history;
    facts.callers = callers;
    facts.usage = snapshot.usage;
    facts.steps = snapshot.steps;
    facts.elapsed = snapshot.elapsed;
    facts.last_call = snapshot.last_call;
    facts.is_alone = snapshot.is_alone;
    facts.apply_inherited(snapshot.inherited);
    if let Some(Halt { task, reason, attempts }) = snapshot.last_failure {
        facts.last_failure = Some(Halt { task: find_task(definition, &task)?, reason, attempts });
    }
    for task in &snapshot.out_of_budget {
        facts.out_of_budget.insert(find_task(definition, task)?);
    }
    for (task, count) in &snapshot.visits {
        facts.visits[find_task(definition, task)?] = *count;
    }
    // Counters above half of their range are not plausible and could overflow.
    if facts.steps.max(facts.last_call) > u64::MAX / 2 {
        return Err(inconsistent("it counts more steps or calls than a run can make"));
    }
    run.position = read_position(snapshot.position, options, &run.facts, host)?;
    run.facts.current_inputs = match &run.position {
        Position::Finished(_) if halted.inputs.is_some() => {
            read_delivery(definition, halted, host)?.1
        }
        Position::BetweenTasks(arrival) => arrival.inputs.clone(),
        Position::InTask { visit, .. } => visit.inputs.clone(),
        Position::Finished(_) | Position::Taken(_) => None,
    };
    Ok(run)
}

fn read_position(
    data: PositionData,
    options: &ResumeOptions,
    facts: &RunFacts,
    host: &dyn ProcessHost,
) -> Result<Position, SnapshotError> {
    let read_arrival = |arrival| read_delivery(facts.definition, arrival, host);
    let visit = |delivery, fits| read_visit(delivery, fits, facts, host);
    let (visit, phase) = match data {
        PositionData::At { arrival, has_waited } => {
            let (task, inputs) = read_arrival(arrival)?;
            return Ok(Position::BetweenTasks(Arrival { task, inputs, has_waited }));
        }
        PositionData::Finished(ending) => {
            let ending = map_ending(ending, |task| find_task(facts.definition, &task))?;
            return Ok(Position::Finished(ending));
        }
        PositionData::Waiting { arrival, call } => {
            let (task, inputs) = read_arrival(arrival)?;
            let number = facts.visits[task].saturating_add(1);
            let phase = Phase::Timer(TimerPhase { id: check_call_id(call, facts)? });
            (Visit { task, inputs, number }, phase)
        }
        PositionData::Calling { visit: delivery, pending } => {
            let visit = visit(delivery, |kind| matches!(kind, TaskKind::Ai(_)))?;
            let phase = model_phase(&visit, pending, facts, host)?;
            (visit, Phase::Model(phase))
        }
        PositionData::Each { visit: delivery, total, next, done, usage, pending, began } => {
            let visit = visit(delivery, |kind| matches!(kind, TaskKind::Each(..)))?;
            let items = ItemProgress { total, next, done, usage, pending, began };
            let phase = group_phase(&visit, items, facts, host)?;
            (visit, Phase::Group(phase))
        }
        PositionData::Running { visit: delivery, mut pending, is_pausing } => {
            let visit = visit(delivery, |kind| matches!(kind, TaskKind::Code))?;
            let id = check_call_id(pending.call, facts)?;
            let phase = FunctionPhase::restore(id, Attempts::restore(&mut pending), is_pausing);
            (visit, Phase::Function(phase))
        }
        PositionData::Asking { visit: delivery, mut pending } => {
            let visit = visit(delivery, |kind| matches!(kind, TaskKind::Human))?;
            let checking = pending.checking.take().map(PendingCheck::from_unchecked);
            let id = check_call_id(pending.call, facts)?;
            let phase = HumanPhase::restore(id, Attempts::restore(&mut pending), checking);
            (visit, Phase::Human(phase))
        }
        PositionData::Within { visit: delivery, mut pending, process } => {
            let visit = visit(delivery, |kind| matches!(kind, TaskKind::Process(_)))?;
            let child = host.restore_child(visit.task, *process, options)?;
            let child = child
                .ok_or_else(|| inconsistent("it has a sub-process of a task that runs none"))?;
            let call = CallId(facts.last_call);
            let phase = SubProcessPhase::restore(Attempts::restore(&mut pending), child, call);
            (visit, Phase::SubProcess(phase))
        }
    };
    Ok(Position::InTask { visit, phase })
}

fn read_visit(
    delivery: Delivery,
    fits: fn(&TaskKind) -> bool,
    facts: &RunFacts,
    host: &dyn ProcessHost,
) -> Result<Visit, SnapshotError> {
    let (task, inputs) = read_delivery(facts.definition, delivery, host)?;
    if !fits(&facts.definition.task(task).kind) {
        return Err(inconsistent("the pending call does not fit the kind of its task"));
    }
    Ok(Visit { task, inputs, number: facts.visits[task].max(1) })
}

fn model_phase(
    visit: &Visit,
    mut pending: PendingCall,
    facts: &RunFacts,
    host: &dyn ProcessHost,
) -> Result<ModelPhase, SnapshotError> {
    let checking = pending.checking.take().map(PendingCheck::from_unchecked);
    Ok(ModelPhase::restore(model_question(visit, pending, facts, host)?, checking))
}

fn model_question(
    visit: &Visit,
    mut pending: PendingCall,
    facts: &RunFacts,
    host: &dyn ProcessHost,
) -> Result<ModelQuestion, SnapshotError> {
    let question = ModelQuestion::new((pending.call, pending.item), facts, visit, host);
    let engine = pending.engine.min(facts.engines(visit.task).len().saturating_sub(1));
    check_call_id(pending.call, facts)?;
    Ok(ModelQuestion { engine, attempts: Attempts::restore(&mut pending), ..question })
}

/// The progress of a for-each task.
struct ItemProgress {
    total: usize,
    next: usize,
    done: BTreeMap<usize, Value>,
    usage: Usage,
    pending: Vec<PendingCall>,
    began: Duration,
}

impl ItemProgress {
    /// Returns whether every item before the next one is either done or pending, once.
    fn is_consistent(&self) -> bool {
        let pending = self.pending.iter().filter_map(|pending| pending.item);
        let begun: BTreeSet<usize> = self.done.keys().copied().chain(pending).collect();
        let calls: BTreeSet<CallId> = self.pending.iter().map(|pending| pending.call).collect();
        let are_distinct = calls.len() == self.pending.len()
            && begun.len() == self.done.len() + self.pending.len();
        let last = begun.last().map_or(0, |item| item.saturating_add(1));
        // A for-each task with all items done would have committed.
        let is_unfinished = !self.pending.is_empty();
        are_distinct
            && is_unfinished
            && begun.len() == self.next
            && last == self.next
            && self.next <= self.total
    }
}

fn group_phase(
    visit: &Visit,
    items: ItemProgress,
    facts: &RunFacts,
    host: &dyn ProcessHost,
) -> Result<GroupPhase<ModelQuestion>, SnapshotError> {
    let has_same_count = items.total == host.item_count(visit.task, &facts.scope(visit, None));
    if !has_same_count || !items.is_consistent() {
        return Err(inconsistent("the items of a for-each task do not add up"));
    }
    let ItemProgress { total, next, done, usage, pending, began } = items;
    let slots = pending
        .into_iter()
        .map(|pending| Ok((pending.lane, model_question(visit, pending, facts, host)?)));
    let slots = slots.collect::<Result<_, SnapshotError>>()?;
    let progress = GroupProgress { total, next, done, usage, began, slots };
    Ok(GroupPhase::restore(progress, facts.concurrency(visit.task, total), facts.elapsed))
}

/// Checks that the run has assigned a call id.
fn check_call_id(id: CallId, facts: &RunFacts) -> Result<CallId, SnapshotError> {
    if id.0 > facts.last_call {
        return Err(inconsistent("it has a call id that was never assigned"));
    }
    Ok(id)
}

/// Returns a task by name, with its inputs.
pub(crate) fn read_delivery(
    definition: &Definition,
    delivery: Delivery,
    host: &dyn ProcessHost,
) -> Result<(TaskIndex, Option<Inputs>), SnapshotError> {
    let task = find_task(definition, &delivery.task)?;
    let Some(inputs) = delivery.inputs else {
        return match definition.task(task).takes_inputs {
            true => Err(inconsistent(&format!("`{}` lacks its inputs", delivery.task))),
            false => Ok((task, None)),
        };
    };
    let value = serde_json::from_str(inputs.get()).map_err(SnapshotError::NotASnapshot)?;
    let read = host.read_inputs(task, value);
    let unreadable = |issues| {
        inconsistent(&format!("the inputs of `{}` can't be read: {issues}", delivery.task))
    };
    Ok((task, read.map_err(unreadable)?))
}

/// Returns the index of a task by name.
pub(crate) fn find_task(definition: &Definition, name: &str) -> Result<TaskIndex, SnapshotError> {
    let found = definition.tasks.iter().position(|task| task.about.name == name);
    found.ok_or_else(|| inconsistent(&format!("there is no task `{name}`")))
}
