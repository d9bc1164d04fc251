//! Computes the possible next tasks of each task: the declared ones and those that follow from defaults.

use std::collections::BTreeSet;

use cot_engine::internal::{
    Definition, Success, TaskDefinition, TaskIndex, TaskOutline, TransitionDefinition,
};

use crate::facts::{Edge, EdgeRoute};

/// Returns the possible next tasks of each task, in the order of evaluation.
pub(crate) fn edges(definition: &'static Definition, coded: &[TaskOutline]) -> Vec<Vec<Edge>> {
    let callers = callers(definition);
    let of_task = |((task, coded), callers)| EdgeFinder { definition, task, coded, callers }.all();
    definition.tasks.iter().zip(coded).zip(&callers).map(of_task).collect()
}

/// The tasks that can have called a task; `None` means that no task called it.
type CallerSet = BTreeSet<Option<TaskIndex>>;

struct EdgeFinder<'a> {
    definition: &'static Definition,
    task: &'static TaskDefinition,
    coded: &'a TaskOutline,
    callers: &'a CallerSet,
}

impl EdgeFinder<'_> {
    fn all(&self) -> Vec<Edge> {
        let mut edges = self.chosen();
        let branches = self.task.kind.parallel().map_or(&[][..], |it| it.branches).iter();
        edges.extend(branches.map(|target| self.edge(*target, EdgeRoute::Branch, false)));
        if self.succeeds() {
            edges.extend(self.after_success());
        }
        let on = self.task.on.named();
        edges.extend(on.map(|(name, target)| self.edge(target, EdgeRoute::On(name), false)));
        edges
    }

    /// Returns the transitions that the model can choose.
    fn chosen(&self) -> Vec<Edge> {
        let transitions = self.task.kind.ai().map_or(&[][..], |ai| ai.transitions);
        let guards = self
            .coded
            .transitions
            .iter()
            .map(|edge| edge.has_guard)
            .chain(std::iter::repeat(false));
        let edge = |(transition, guard): (&TransitionDefinition, bool)| {
            self.edge(transition.target, EdgeRoute::Transition, guard)
        };
        transitions.iter().zip(guards).map(edge).collect()
    }

    /// Returns whether the task can succeed other than by a transition.
    const fn succeeds(&self) -> bool {
        match self.task.kind.info().success {
            Success::Always => true,
            Success::WithOutput => self.coded.has_output,
            Success::Never => false,
        }
    }

    /// Returns the next tasks after a success. The first of these that exists decides: choices and arms,
    /// sequence, default, callers.
    fn after_success(&self) -> Vec<Edge> {
        let Self { definition, task, .. } = self;
        if !task.choices.is_empty() || !task.next.is_empty() {
            let choice = |target: &TaskIndex| self.edge(*target, EdgeRoute::Choice, false);
            let arm = |(arm, target): (usize, &TaskIndex)| {
                let guard = self.coded.arms.get(arm).is_some_and(|arm| arm.has_guard);
                let route = match task.kind.parallel() {
                    Some(_) => EdgeRoute::Join,
                    None => EdgeRoute::Next(arm),
                };
                self.edge(*target, route, guard)
            };
            let choices = task.choices.iter().map(choice);
            return choices.chain(task.next.iter().enumerate().map(arm)).collect();
        }
        let sequence = task.in_sequence.map(|target| self.edge(target, EdgeRoute::Sequence, false));
        let default = definition.default_return;
        let default = default.map(|target| self.edge(target, EdgeRoute::DefaultReturn, false));
        match sequence.or(default) {
            Some(edge) => vec![edge],
            None => self.returns(),
        }
    }

    fn returns(&self) -> Vec<Edge> {
        let back = self.callers.iter().flatten();
        let mut edges: Vec<Edge> =
            back.map(|target| self.edge(*target, EdgeRoute::Return, false)).collect();
        if self.callers.contains(&None) {
            edges.push(Edge { task: None, index: None, route: EdgeRoute::Return, guard: false });
        }
        edges
    }

    fn edge(&self, target: TaskIndex, route: EdgeRoute, guard: bool) -> Edge {
        let task = Some(self.definition.task(target).about.name);
        Edge { task, index: Some(target), route, guard }
    }
}

/// Returns the possible callers of each task: those with a transition to it, and the callers of tasks that
/// lead to it by another route.
fn callers(definition: &Definition) -> Vec<CallerSet> {
    let mut callers = vec![CallerSet::new(); definition.tasks.len()];
    if let Some(start) = callers.get_mut(definition.start) {
        start.insert(None);
    }
    for (index, task) in definition.tasks.iter().enumerate() {
        let transitions = task.kind.ai().map_or(&[][..], |ai| ai.transitions);
        // A task with a transition to itself keeps its caller.
        for transition in transitions.iter().filter(|transition| transition.target != index) {
            callers[transition.target].insert(Some(index));
        }
    }
    while propagate_callers(definition, &mut callers) {}
    callers
}

/// Adds the callers of each task to the tasks that it leads to without a transition. Returns whether that
/// changed anything.
fn propagate_callers(definition: &Definition, callers: &mut [CallerSet]) -> bool {
    let mut has_changed = false;
    for (index, task) in definition.tasks.iter().enumerate() {
        let inherited = callers[index].clone();
        for target in targets_without_call(task) {
            let known = callers[target].len();
            // A waiting task is not its own caller.
            callers[target].extend(inherited.iter().filter(|caller| **caller != Some(target)));
            has_changed |= callers[target].len() > known;
        }
    }
    has_changed
}

/// Returns the next tasks of a task, except those of transitions.
fn targets_without_call(task: &TaskDefinition) -> impl Iterator<Item = TaskIndex> {
    let on = task.on.named().map(|(_, target)| target).collect::<Vec<_>>();
    task.next.iter().chain(task.choices).copied().chain(on).chain(task.in_sequence)
}
