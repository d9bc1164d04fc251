//! Where a run of a snapshot stands, put back.

use std::{
    collections::{BTreeMap, BTreeSet},
    time::Duration,
};

use cot_model::Usage;
use serde_json::Value;

use super::{
    CallId, ResumeOptions, SnapshotError,
    core::Core,
    naming::map_ending,
    phase::{Arrival, Ask, Each, Pause, Phase, Visit, Wanted},
    snapshot::{Asked, Delivery, Position, Unchecked},
    typed::Typed,
};
use crate::{
    Inputs,
    blueprint::{Definition, TaskIndex, TaskKind},
};

/// The phase of a position.
pub(super) fn phase(
    position: Position,
    options: &ResumeOptions,
    core: &Core,
    host: &dyn Typed,
) -> Result<Phase, SnapshotError> {
    Ok(match position {
        Position::At { arrival, has_waited } => {
            let (task, inputs) = delivered(core.definition, arrival, host)?;
            Phase::At(Arrival { task, inputs, has_waited })
        }
        Position::Waiting { arrival, call } => {
            let (task, inputs) = delivered(core.definition, arrival, host)?;
            let arrival = Arrival { task, inputs, has_waited: false };
            Phase::Waiting { arrival, id: known(call, core)? }
        }
        Position::Calling { visit, asked } => {
            let visit = self::visit(visit, core, host, |kind| matches!(kind, TaskKind::Ai(_)))?;
            let ask = ask(&visit, asked, core, host)?;
            Phase::Calling { visit, ask }
        }
        Position::Each { visit, total, next, done, usage, asked, began } => {
            let visit = self::visit(visit, core, host, |kind| matches!(kind, TaskKind::Each(..)))?;
            let items = Items { total, next, done, usage, asked, began };
            Phase::Each(each(visit, items, core, host)?)
        }
        Position::Running { visit, asked, is_pausing } => {
            let visit = self::visit(visit, core, host, |kind| matches!(kind, TaskKind::Code))?;
            let (id, tries) = (known(asked.call, core)?, asked.into_tries());
            let pause = if is_pausing { Pause::Backoff } else { Pause::None };
            Phase::Running { visit, tries, id, code: None, pause }
        }
        Position::Asking { visit, mut asked } => {
            let visit = self::visit(visit, core, host, |kind| matches!(kind, TaskKind::Human))?;
            let checking = asked.checking.take().map(Unchecked::into_checking);
            let (id, tries) = (known(asked.call, core)?, asked.into_tries());
            Phase::Asking { visit, tries, id, waits_for: checking.map(Wanted::Check) }
        }
        Position::Within { visit, asked, process } => {
            let visit =
                self::visit(visit, core, host, |kind| matches!(kind, TaskKind::Process(_)))?;
            let child = host.resume_process(visit.task, *process, options)?;
            let child = child.ok_or_else(|| inconsistent("a task runs a process that has none"))?;
            Phase::Within { visit, tries: asked.into_tries(), child: Box::new(child) }
        }
        Position::Finished(ending) => {
            Phase::Finished { ending: map_ending(ending, |task| find(core.definition, &task))? }
        }
    })
}

fn visit(
    delivery: Delivery,
    core: &Core,
    host: &dyn Typed,
    fits: fn(&TaskKind) -> bool,
) -> Result<Visit, SnapshotError> {
    let (task, inputs) = delivered(core.definition, delivery, host)?;
    if !fits(&core.definition.task(task).kind) {
        return Err(inconsistent("a task waits for something that it never asks for"));
    }
    Ok(Visit { task, inputs, number: core.visits[task].max(1) })
}

fn ask(
    visit: &Visit,
    mut asked: Asked,
    core: &Core,
    host: &dyn Typed,
) -> Result<Ask, SnapshotError> {
    let ask = core.question(visit, asked.item, host);
    let checking = asked.checking.take().map(Unchecked::into_checking);
    let engine = asked.engine.min(core.engines(visit.task).len().saturating_sub(1));
    let id = known(asked.call, core)?;
    Ok(Ask { id, engine, tries: asked.into_tries(), checking, ..ask })
}

/// How far a for-each task has come.
struct Items {
    total: usize,
    next: usize,
    done: BTreeMap<usize, Value>,
    usage: Usage,
    asked: Vec<Asked>,
    began: Duration,
}

impl Items {
    /// Whether every item before the next one is either done or asked about, once.
    fn add_up(&self) -> bool {
        let asked = self.asked.iter().filter_map(|asked| asked.item);
        let begun: BTreeSet<usize> = self.done.keys().copied().chain(asked).collect();
        let calls: BTreeSet<CallId> = self.asked.iter().map(|asked| asked.call).collect();
        let are_distinct =
            calls.len() == self.asked.len() && begun.len() == self.done.len() + self.asked.len();
        let last = begun.last().map_or(0, |item| item.saturating_add(1));
        // What is done of all items is not left there: the outputs are committed at once.
        let goes_on = !self.asked.is_empty();
        are_distinct
            && goes_on
            && begun.len() == self.next
            && last == self.next
            && self.next <= self.total
    }
}

fn each(visit: Visit, items: Items, core: &Core, host: &dyn Typed) -> Result<Each, SnapshotError> {
    let counts = items.total == host.count(visit.task, &core.view(&visit, None));
    if !counts || !items.add_up() {
        return Err(inconsistent("the items of a for-each task do not add up"));
    }
    let Items { total, next, done, usage, asked, began } = items;
    // More may be in flight than are begun at once by now.
    let count = core.lanes(visit.task, total).max(asked.len());
    let mut lanes: Vec<Duration> = asked.iter().map(|asked| asked.lane).collect();
    lanes.resize(count, core.elapsed.saturating_sub(began));
    let free = (asked.len()..count).rev().collect();
    let asks = asked.into_iter().enumerate();
    let asks = asks.map(|(lane, asked)| {
        let ask = Ask { checking: None, ..ask(&visit, asked, core, host)? };
        Ok((ask.id, (lane, ask)))
    });
    let asks = asks.collect::<Result<BTreeMap<_, _>, SnapshotError>>()?;
    let longest = lanes.iter().max().copied().unwrap_or_default();
    Ok(Each { visit, total, next, done, usage, asks, written: None, lanes, longest, free, began })
}

/// A call id that the run has given out.
fn known(id: CallId, core: &Core) -> Result<CallId, SnapshotError> {
    if id.0 > core.last_call {
        return Err(inconsistent("the numbers of calls do not add up"));
    }
    Ok(id)
}

/// A task by its name, and what was delivered to it.
pub(super) fn delivered(
    definition: &Definition,
    delivery: Delivery,
    host: &dyn Typed,
) -> Result<(TaskIndex, Option<Inputs>), SnapshotError> {
    let task = find(definition, &delivery.task)?;
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

/// A task by its name.
pub(super) fn find(definition: &Definition, name: &str) -> Result<TaskIndex, SnapshotError> {
    let found = definition.tasks.iter().position(|task| task.about.name == name);
    found.ok_or_else(|| inconsistent(&format!("there is no task `{name}`")))
}

pub(super) fn inconsistent(what: &str) -> SnapshotError {
    SnapshotError::Inconsistent(what.to_owned())
}
