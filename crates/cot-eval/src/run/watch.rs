//! What the events of a run tell an eval.

use std::{
    collections::{BTreeMap, BTreeSet},
    mem,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::{Duration, SystemTime},
};

use cot_engine::{Ending, Process, ProcessEvent, RunEvent, TaskId as _, TaskName};
use cot_runtime::Runner;

use crate::report::result::TaskTotals;

/// Gathers the facts of one run.
pub(super) struct Watch<P: Process>(Arc<Mutex<RunFacts<P>>>);

/// The facts of a run.
pub(super) struct RunFacts<P: Process> {
    pub(super) outputs: Vec<P::Output>,
    pub(super) ending: Option<Ending<P::Task>>,
    pub(super) elapsed: Duration,
    /// When the last event happened.
    pub(super) at: Option<SystemTime>,
    pub(super) tasks: BTreeMap<String, TaskTotals>,
    /// The tasks whose items have been counted, so that their commit is not.
    items: BTreeSet<String>,
}

impl<P: Process> Watch<P> {
    /// Starts to watch the next run of a runner.
    pub(super) fn new(runner: Runner<P>) -> (Self, Runner<P>) {
        let watch = Self(Arc::new(Mutex::new(RunFacts::none())));
        let facts = Arc::clone(&watch.0);
        let runner = runner.observe(move |event, context| {
            let mut facts = lock(&facts);
            facts.at = Some(context.at);
            facts.apply(event);
        });
        (watch, runner)
    }

    /// Returns the facts of the run, which is over.
    pub(super) fn into_facts(self) -> RunFacts<P> {
        mem::replace(&mut *lock(&self.0), RunFacts::none())
    }
}

fn lock<P: Process>(facts: &Mutex<RunFacts<P>>) -> MutexGuard<'_, RunFacts<P>> {
    facts.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<P: Process> RunFacts<P> {
    const fn none() -> Self {
        Self {
            outputs: Vec::new(),
            ending: None,
            elapsed: Duration::ZERO,
            at: None,
            tasks: BTreeMap::new(),
            items: BTreeSet::new(),
        }
    }

    fn apply(&mut self, event: &ProcessEvent<P>) {
        match event {
            RunEvent::Committed { output, .. } => self.outputs.push(output.clone()),
            RunEvent::Finished { ending, elapsed, .. } => {
                (self.ending, self.elapsed) = (Some(ending.clone()), *elapsed);
            }
            _ => {}
        }
        count((&mut self.tasks, &mut self.items), "", event, &|task| task.name());
    }
}

/// Adds an event to the totals of its task. `prefix` names the tasks around it.
fn count<T, O>(
    (tasks, items): (&mut BTreeMap<String, TaskTotals>, &mut BTreeSet<String>),
    prefix: &str,
    event: &RunEvent<T, O>,
    name: &dyn Fn(&T) -> &str,
) {
    let Some(task) = event.task() else { return };
    let path = format!("{prefix}{}", name(task));
    match event {
        RunEvent::Nested { event, .. } => {
            return count((tasks, items), &format!("{path}."), event, &|task: &TaskName| task);
        }
        RunEvent::TaskStarted { .. }
        | RunEvent::AttemptFailed { .. }
        | RunEvent::Repaired { .. }
        | RunEvent::ItemDone { .. }
        | RunEvent::Committed { .. }
        | RunEvent::Transitioned { .. } => {}
        _ => return,
    }
    let has_items = items.contains(&path);
    match event {
        RunEvent::TaskStarted { .. } if has_items => drop(items.remove(&path)),
        RunEvent::ItemDone { .. } if !has_items => drop(items.insert(path.clone())),
        _ => {}
    }
    let totals = tasks.entry(path).or_default();
    match event {
        RunEvent::TaskStarted { .. } => totals.visits += 1,
        RunEvent::AttemptFailed { attempt, will_retry, .. } => {
            totals.failed_attempts += 1;
            totals.retries += u64::from(*will_retry);
            totals.usage += attempt.usage;
        }
        RunEvent::Repaired { .. } => totals.repaired_replies += 1,
        RunEvent::Committed { .. } if has_items => {}
        RunEvent::Committed { usage, .. }
        | RunEvent::ItemDone { usage, .. }
        | RunEvent::Transitioned { usage, .. } => {
            totals.accepted_replies += u64::from(usage.calls > 0);
            totals.usage += *usage;
        }
        _ => {}
    }
}
