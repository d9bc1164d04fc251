//! The model of a task.

use cot_syntax::{Arm, EffectValue, OnRoute, Slot, TaskKind, Transition};
use proc_macro2::Ident;
use syn::Type;

use super::tools::ResolvedTool;

/// A task with resolved names.
#[derive(Debug)]
pub(crate) struct Task<'a> {
    /// The index of the task in the process.
    pub(crate) index: usize,
    pub(crate) syntax: &'a cot_syntax::Task,
    /// The variant of the task in the generated enums.
    pub(crate) variant: Ident,
    pub(crate) kind: TaskKind,
    /// The output type: the declared one, or the library's own type if the task reasons.
    pub(crate) output: Option<Type>,
    /// The first two items that determine different kinds, if any.
    pub(crate) conflicting_kinds: Option<[(TaskKind, &'a Ident); 2]>,
    /// Whether an invalid item would determine the kind.
    pub(crate) kind_is_uncertain: bool,
    pub(crate) transitions: Vec<Edge<'a, Transition>>,
    pub(crate) next: Vec<Edge<'a, Arm>>,
    /// The tasks between which `process_output` chooses.
    pub(crate) choices: Vec<Edge<'a, Ident>>,
    /// The routes of `on`.
    pub(crate) on: Vec<Edge<'a, OnRoute>>,
    /// The first tasks of the branches.
    pub(crate) branches: Vec<Edge<'a, Ident>>,
    /// The tools that the model can call.
    pub(crate) tools: Vec<ResolvedTool<'a>>,
    /// Whether one of the tools has `effect: once`.
    pub(crate) calls_once: bool,
    /// Whether one of the tools has it, or is of a source, whose tools can have it.
    pub(crate) may_call_once: bool,
    /// The next task in the sequence of the task.
    pub(crate) in_sequence: Option<usize>,
    /// Whether a target of the task could not be resolved.
    pub(crate) incomplete: bool,
}

/// The items with which a task asks a model for more than a choice.
const ASKS_MORE: [&str; 7] =
    ["prompt", "full_prompt", "reason", "read", "turns", "examples", "tools"];

/// An edge to a task, with the syntax that declares it.
#[derive(Debug)]
pub(crate) struct Edge<'a, T> {
    pub(crate) target: usize,
    pub(crate) syntax: &'a T,
}

/// Returns whether `effect` is `once`.
pub(crate) fn is_once(effect: &Slot<EffectValue>) -> bool {
    effect.as_ref().is_some_and(|effect| effect.value == EffectValue::Once)
}

impl Task<'_> {
    pub(crate) fn name(&self) -> &Ident {
        &self.syntax.name
    }

    /// Returns whether the task determines the next task after success itself.
    pub(crate) fn routes(&self) -> bool {
        !self.next.is_empty() || !self.choices.is_empty() || self.in_sequence.is_some()
    }

    /// Returns whether the function of the task has `effect: once`.
    pub(crate) fn is_once(&self) -> bool {
        is_once(&self.syntax.items.effect)
    }

    /// Returns whether the function of the task has `effect: transaction`.
    pub(crate) fn is_transaction(&self) -> bool {
        let effect = self.syntax.items.effect.as_ref();
        effect.is_some_and(|effect| effect.value == EffectValue::Transaction)
    }

    /// Returns whether the task asks a model for the choice of a transition and for nothing else.
    pub(crate) fn only_chooses(&self) -> bool {
        let asks_more = |key: &Ident| ASKS_MORE.iter().any(|item| key == item);
        let is_plain = self.output.is_none() && !self.syntax.keys.iter().any(asks_more);
        self.kind == TaskKind::Ai && is_plain && !self.transitions.is_empty()
    }

    /// Returns whether the kind of the task is known and unambiguous.
    pub(crate) fn kind_is_certain(&self) -> bool {
        self.kind != TaskKind::Unknown
            && self.conflicting_kinds.is_none()
            && !self.kind_is_uncertain
    }

    /// Returns whether a name is that of a tool of the task, even if the process does not declare it.
    pub(crate) fn has_tool(&self, name: &Ident) -> bool {
        let tools = self.syntax.items.tools.iter().flat_map(|item| &item.value);
        tools.into_iter().any(|used| used.name == *name)
    }

    /// Returns whether the task can succeed, after which `next` or one of its alternatives applies.
    pub(crate) fn can_succeed(&self) -> bool {
        match self.kind {
            // Without an output, the task leaves by a transition.
            TaskKind::Ai => self.output.is_some() || self.syntax.read().is_some(),
            kind => kind.performs_work(),
        }
    }
}
