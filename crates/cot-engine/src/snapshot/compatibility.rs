//! Compares a stored run with the present version of its process.
//!
//! A run depends on the types of its state, on its current task and on its callers. It depends on the schema
//! and the texts of the current task only once the task has asked: a task that has not begun is started by the
//! present version. Routes are not compared, since they are taken by the present version.

use cot_reader::internal::check_answer;
use serde_json::{Value, value::RawValue};

use super::{
    conflict::{Change, Conflict, ConflictKind},
    data::{BegunTask, BranchData, Delivery, Place, PositionData, Snapshot},
    difference::changes,
    fingerprint::{Fingerprint, Hashes, PROCESS},
};
use crate::values::outcome::Ending;

/// The present version of a process.
pub(crate) trait PresentProcess {
    fn name(&self) -> &str;
    fn fingerprint(&self) -> &Fingerprint;
    fn task(&self, name: &str) -> Option<PresentTask<'_>>;
}

/// A task of the present version.
pub(crate) struct PresentTask<'a> {
    /// The kind, as in manifests.
    pub(crate) kind: &'a str,
    pub(crate) takes_inputs: bool,
    /// The schema of the inputs, if a model can provide them.
    pub(crate) inputs_schema: Option<&'a Value>,
    /// The first tasks of the branches that the task runs.
    pub(crate) branches: Vec<&'a str>,
    /// The sub-process that the task runs.
    pub(crate) process: Option<Box<dyn PresentProcess + 'a>>,
}

/// The rules of a comparison.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Rules {
    pub(crate) accepts_changed_prompts: bool,
    /// Whether the driver replays the run from its start, so that it depends on every task.
    pub(crate) is_replayed: bool,
    /// Whether events that answer calls of the current task were stored after the snapshot.
    pub(crate) is_answered: bool,
}

/// Returns the conflicts of a run with the present version, sub-processes included.
pub(crate) fn conflicts(
    snapshot: &Snapshot,
    present: &dyn PresentProcess,
    rules: Rules,
) -> Vec<Conflict> {
    let own = level_conflicts(snapshot, present, rules);
    let mut all: Vec<Conflict> =
        own.into_iter().map(|kind| Conflict { sub_process: None, kind }).collect();
    for (child, process) in children(snapshot, present) {
        for conflict in conflicts(child, &*process, rules) {
            let sub_process = conflict.sub_process.or_else(|| Some(child.process.clone()));
            let conflict = Conflict { sub_process, ..conflict };
            // The sub-processes of several items have the same conflicts.
            if !all.contains(&conflict) {
                all.push(conflict);
            }
        }
    }
    all
}

/// Returns the sub-processes of the current tasks with their present versions, if the tasks still run them.
fn children<'a>(
    snapshot: &'a Snapshot,
    present: &'a dyn PresentProcess,
) -> impl Iterator<Item = (&'a Snapshot, Box<dyn PresentProcess + 'a>)> {
    snapshot.position.processes().into_iter().filter_map(|(task, process)| {
        let present = present.task(task)?.process?;
        (present.name() == process.process).then_some((process, present))
    })
}

/// Returns the conflicts of a run with the present version, without those of its sub-process.
pub(crate) fn level_conflicts(
    snapshot: &Snapshot,
    present: &dyn PresentProcess,
    rules: Rules,
) -> Vec<ConflictKind> {
    if *snapshot.fingerprint == *present.fingerprint() {
        return Vec::new();
    }
    let mut level = Level { stored: &snapshot.fingerprint, present, rules, found: Vec::new() };
    level.compare_state();
    if rules.is_replayed {
        level.compare_all_tasks();
    } else {
        level.compare_position(&snapshot.position, &snapshot.callers);
    }
    let Level { mut found, .. } = level;
    found.retain(|conflict| !(rules.accepts_changed_prompts && conflict.is_prompt()));
    found
}

/// Returns whether a task of the stored version no longer exists.
pub(crate) fn is_gone(task: &str, stored: &Fingerprint, present: &dyn PresentProcess) -> bool {
    stored.graph.contains_key(task) && present.task(task).is_none()
}

/// The comparison of one process.
struct Level<'a> {
    stored: &'a Fingerprint,
    present: &'a dyn PresentProcess,
    rules: Rules,
    found: Vec<ConflictKind>,
}

impl Level<'_> {
    fn compare_state(&mut self) {
        let types = changes(&self.stored.state, &self.present.fingerprint().state);
        let conflict = |(name, change): (&str, _)| {
            let name = name.to_owned();
            ConflictKind::StateType { name, change }
        };
        self.found.extend(types.map(conflict));
    }

    /// Compares a position and its callers: those of the run, or of a branch.
    fn compare_position(&mut self, position: &PositionData, callers: &[Delivery]) {
        match position.place() {
            Place::Before(arrival) => {
                let asks = |kind: &str| matches!(kind, "ai" | "for_each" | "human" | "calls");
                let has_asked = self.rules.is_answered
                    && matches!(position, PositionData::At { .. })
                    && self.present.task(&arrival.task).is_some_and(|task| asks(task.kind));
                self.compare_task(arrival, None, has_asked);
            }
            Place::Within(BegunTask { visit, kind, has_asked }) => {
                self.compare_task(visit, Some(kind), has_asked);
                if let PositionData::Branches { branches, .. } = position {
                    self.compare_branches(&visit.task, branches);
                } else if let Some((task, child)) = position.processes().first() {
                    self.compare_process(task, &child.process);
                }
            }
            Place::After(ending) => return self.compare_end(ending),
        }
        for caller in callers {
            self.compare_caller(caller);
        }
    }

    fn compare_branches(&mut self, task: &str, branches: &[BranchData]) {
        let Some(present) = self.present.task(task).filter(|task| task.kind == "parallel") else {
            return;
        };
        let has = |name: &str| present.branches.contains(&name);
        let fits = branches.iter().all(|branch| has(&branch.branch));
        if !fits || branches.len() != present.branches.len() {
            self.found.push(ConflictKind::TaskBranches { task: task.to_owned() });
        }
        // A branch that is over depends on nothing.
        let is_over = |branch: &&BranchData| {
            branch.has_joined || matches!(branch.position, PositionData::Finished(_))
        };
        for branch in branches.iter().filter(|branch| !is_over(branch)) {
            self.compare_position(&branch.position, &branch.callers);
        }
    }

    /// Compares the current task. `began_as` is its kind if it has begun, `has_asked` whether it has asked a
    /// model or a person.
    fn compare_task(&mut self, visit: &Delivery, began_as: Option<&str>, has_asked: bool) {
        let name = || visit.task.clone();
        let Some(present) = self.present.task(&visit.task) else {
            if self.stored.graph.contains_key(&visit.task) {
                self.found.push(ConflictKind::TaskGone { task: name() });
            }
            return;
        };
        if let Some(before) = began_as
            && before != present.kind
            && self.is_changed(&visit.task, |fingerprint| &fingerprint.graph)
        {
            let (before, now) = (before.to_owned(), present.kind.to_owned());
            self.found.push(ConflictKind::TaskKind { task: name(), before, now });
            return;
        }
        if !self.has_fitting_inputs(visit, &present) {
            self.found.push(ConflictKind::TaskInputs { task: name() });
        }
        if has_asked {
            self.compare_question(&visit.task, present.kind);
        }
    }

    fn compare_question(&mut self, task: &str, kind: &str) {
        let name = || task.to_owned();
        if self.is_changed(task, |fingerprint| &fingerprint.schemas) {
            self.found.push(ConflictKind::TaskSchema { task: name() });
        }
        if kind == "calls" {
            return;
        }
        if self.is_changed(task, |fingerprint| &fingerprint.prompts) {
            self.found.push(ConflictKind::TaskPrompt { task: name() });
        }
        if self.is_changed(PROCESS, |fingerprint| &fingerprint.prompts) {
            self.found.push(ConflictKind::CommonPrompt { task: name() });
        }
    }

    fn compare_process(&mut self, task: &str, before: &str) {
        let process = self.present.task(task).and_then(|task| task.process);
        if let Some(process) = process
            && process.name() != before
            && self.is_changed(task, |fingerprint| &fingerprint.graph)
        {
            let (task, before, now) =
                (task.to_owned(), before.to_owned(), process.name().to_owned());
            self.found.push(ConflictKind::TaskProcess { task, before, now });
        }
    }

    fn compare_caller(&mut self, caller: &Delivery) {
        let task = caller.task.clone();
        match self.present.task(&task) {
            None if self.stored.graph.contains_key(&task) => {
                self.found.push(ConflictKind::CallerGone { task });
            }
            // A name that no version has is reported when the run is restored.
            None => {}
            Some(present) if present.kind != "ai" => {
                let now = present.kind.to_owned();
                self.found.push(ConflictKind::CallerKind { task, now });
            }
            Some(present) if !self.has_fitting_inputs(caller, &present) => {
                self.found.push(ConflictKind::CallerInputs { task });
            }
            Some(_) => {}
        }
    }

    fn compare_end(&mut self, ending: &Ending<String>) {
        let (task, kind) = match ending {
            Ending::End(task) => (task, Some("end")),
            Ending::Fail(task, _) => (task, Some("fail")),
            Ending::RanOut(task) => (task, None),
            Ending::Halted(halt) => (&halt.task, None),
        };
        let present = self.present.task(task);
        let fits = present.is_some_and(|present| kind.is_none_or(|kind| kind == present.kind));
        if !fits && self.is_changed(task, |fingerprint| &fingerprint.graph) {
            self.found.push(ConflictKind::EndTask { task: task.clone() });
        }
    }

    fn compare_all_tasks(&mut self) {
        let present = self.present.fingerprint();
        for (stored, present) in
            [(&self.stored.graph, &present.graph), (&self.stored.schemas, &present.schemas)]
        {
            for (task, change) in changes(stored, present) {
                let conflict = ConflictKind::ReplayedTask { task: task.to_owned(), change };
                let is_known = self.found.iter().any(|known| match known {
                    ConflictKind::ReplayedTask { task: known, .. } => known == task,
                    _ => false,
                });
                if !is_known {
                    self.found.push(conflict);
                }
            }
        }
        for (task, change) in changes(&self.stored.prompts, &present.prompts) {
            if change == Change::Changed {
                let task = (task != PROCESS).then(|| task.to_owned());
                self.found.push(ConflictKind::ReplayedPrompt { task });
            }
        }
    }

    /// Returns whether the inputs that the run has for a task fit the task. Inputs whose type has no schema are
    /// read when the run is restored.
    fn has_fitting_inputs(&self, delivery: &Delivery, present: &PresentTask<'_>) -> bool {
        let Delivery { task, inputs, .. } = delivery;
        let Some(inputs) = inputs.as_deref().filter(|_| present.takes_inputs) else {
            return inputs.is_some() == present.takes_inputs
                || !self.is_changed(task, |fingerprint| &fingerprint.graph);
        };
        let Some(schema) = present.inputs_schema else { return true };
        !self.is_changed(task, |fingerprint| &fingerprint.schemas) || is_valid(inputs, schema)
    }

    fn is_changed(&self, name: &str, table: fn(&Fingerprint) -> &Hashes) -> bool {
        table(self.stored).get(name) != table(self.present.fingerprint()).get(name)
    }
}

fn is_valid(inputs: &RawValue, schema: &Value) -> bool {
    serde_json::from_str(inputs.get()).is_ok_and(|inputs| check_answer(schema, &inputs).is_ok())
}
