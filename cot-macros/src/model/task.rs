//! A task whose names are resolved.

use cot_syntax::{Arm, OnRoute, TaskKind, Transition};
use proc_macro2::Ident;
use syn::Type;

/// A task whose names are resolved.
#[derive(Debug)]
pub(crate) struct Task<'a> {
    /// Its place in the declaration.
    pub(crate) index: usize,
    pub(crate) syntax: &'a cot_syntax::Task,
    /// Its variant in the generated enums.
    pub(crate) variant: Ident,
    pub(crate) kind: TaskKind,
    /// The type that it asks for or returns: what it declares, or, where it reasons, the library's own.
    pub(crate) output: Option<Type>,
    /// The first two items that tell different kinds, if there are such.
    pub(crate) conflicting_kinds: Option<[(TaskKind, &'a Ident); 2]>,
    /// An item that would tell its kind could not be read.
    pub(crate) kind_is_hidden: bool,
    pub(crate) transitions: Vec<Edge<'a, Transition>>,
    pub(crate) next: Vec<Edge<'a, Arm>>,
    /// Where `process_output` may choose to go.
    pub(crate) choices: Vec<Edge<'a, Ident>>,
    /// Where it goes instead of halting.
    pub(crate) on: Vec<Edge<'a, OnRoute>>,
    /// The task after it in its sequence.
    pub(crate) in_sequence: Option<usize>,
    /// Something that leads away from it could not be read.
    pub(crate) blurred: bool,
}

/// A way from one task to another, and the words that declare it.
#[derive(Debug)]
pub(crate) struct Edge<'a, T> {
    pub(crate) target: usize,
    pub(crate) syntax: &'a T,
}

impl Task<'_> {
    pub(crate) fn name(&self) -> &Ident {
        &self.syntax.name
    }

    /// Whether the task says itself where it goes after an output.
    pub(crate) fn routes(&self) -> bool {
        !self.next.is_empty() || !self.choices.is_empty() || self.in_sequence.is_some()
    }
    /// Returns whether it is known what the task is meant to be.
    pub(crate) fn kind_is_sure(&self) -> bool {
        self.kind != TaskKind::Unknown && self.conflicting_kinds.is_none() && !self.kind_is_hidden
    }

    /// Returns whether the task can succeed, and then go on as `next` or what stands for it says.
    pub(crate) fn can_succeed(&self) -> bool {
        match self.kind {
            // One without an output leaves by its transitions.
            TaskKind::Ai => self.output.is_some(),
            kind => kind.performs_work(),
        }
    }
}
