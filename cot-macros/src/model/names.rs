//! Resolves names, and reports those that can't be resolved.

use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::Ident;
use quote::format_ident;
use syn::ext::IdentExt;

use super::task::{Edge, Task};
use cot_syntax::{
    OnRoute, Part, Sequence,
    diagnostics::{Errors, join_names, suggest},
};

/// The names of the tasks of a process.
#[derive(Debug, Default)]
pub(super) struct TaskNames {
    /// Each name and the index of its task, in the order of declaration.
    names: Vec<(String, usize)>,
    /// The index of each name, for lookups.
    index: BTreeMap<String, usize>,
    /// Whether an invalid task may have a name that is not among these.
    is_incomplete: bool,
}

impl TaskNames {
    /// Declares tasks and returns them without duplicates, which are reported.
    pub(super) fn declare<'a>(
        &mut self,
        process: &'a cot_syntax::Process,
        errors: &Errors,
    ) -> Vec<&'a cot_syntax::Task> {
        self.is_incomplete = process.invalid.may_include(&["task", "parallel"]);
        let tasks = &process.items.tasks;
        let mut variants: BTreeMap<String, usize> = BTreeMap::new();
        let mut declared: Vec<&cot_syntax::Task> = Vec::new();
        for task in tasks {
            let name = task.name.unraw().to_string();
            if self.find(&name).is_some() {
                errors.add_with_help(
                    task.name.span(),
                    format!("task `{name}` is declared twice"),
                    "give one of the two another name",
                );
                continue;
            }
            let variant = variant_name(&task.name);
            if let Some(&other) = variants.get(&variant.to_string()) {
                errors.add_with_help(
                    task.name.span(),
                    format!(
                        "tasks `{}` and `{name}` would have the same variant `{variant}`",
                        declared[other].name
                    ),
                    "give one of the two another name",
                );
                self.add(name, other);
                continue;
            }
            variants.insert(variant.to_string(), declared.len());
            self.add(name, declared.len());
            declared.push(task);
        }
        declared
    }

    /// Returns the index of a task. An unknown name is reported and resolved to the most similar name.
    pub(super) fn resolve(&self, name: &Ident, errors: &Errors) -> Option<usize> {
        let wanted = name.unraw().to_string();
        if let Some(index) = self.find(&wanted) {
            return Some(index);
        }
        let names = || self.names.iter().map(|(name, _)| name.as_str());
        let near = suggest(&wanted, names());
        if near.is_none() && self.is_incomplete {
            return None;
        }
        let help = match near {
            Some(near) => format!("did you mean `{near}`?"),
            None if self.names.is_empty() => "declare it: `task name { … }`".to_owned(),
            None => format!("the tasks are {}", join_names(names())),
        };
        errors.add_with_help(name.span(), format!("no task `{wanted}` in this process"), help);
        near.and_then(|near| self.find(near))
    }

    fn declares(&self, name: &Ident) -> bool {
        self.find(&name.unraw().to_string()).is_some()
    }

    fn add(&mut self, name: String, task: usize) {
        self.index.insert(name.clone(), task);
        self.names.push((name, task));
    }

    fn find(&self, wanted: &str) -> Option<usize> {
        self.index.get(wanted).copied()
    }
}

/// Resolves the targets of one task.
pub(super) struct TargetResolver<'n> {
    names: &'n TaskNames,
    errors: &'n Errors,
    /// The index of the task.
    task: usize,
    pub(super) incomplete: bool,
}

impl<'n> TargetResolver<'n> {
    pub(super) fn new(names: &'n TaskNames, task: usize, errors: &'n Errors) -> Self {
        Self { names, errors, task, incomplete: false }
    }

    pub(super) fn edges<'a, T>(
        &mut self,
        declared: &'a [T],
        target: fn(&T) -> &Ident,
    ) -> Vec<Edge<'a, T>> {
        let mut edges: Vec<Edge<'a, T>> = Vec::new();
        for syntax in declared {
            let name = target(syntax);
            let Some(index) = self.names.resolve(name, self.errors) else {
                self.incomplete = true;
                continue;
            };
            // A suggestion that is the task itself or is also named explicitly is unlikely to be right.
            let named = |other: &T| {
                let other = target(other);
                self.names.declares(other) && self.names.resolve(other, self.errors) == Some(index)
            };
            if self.names.declares(name) {
                edges.push(Edge { target: index, syntax });
            } else if index == self.task || declared.iter().any(named) {
                self.incomplete = true;
            } else {
                edges.push(Edge { target: index, syntax });
            }
        }
        edges
    }
}

impl TargetResolver<'_> {
    /// Resolves the routes of `on`. Several routes can lead to the same task.
    pub(super) fn routes<'a>(&mut self, declared: &'a [OnRoute]) -> Vec<Edge<'a, OnRoute>> {
        let mut edges = Vec::new();
        for syntax in declared {
            // A suggestion is too uncertain here: other routes usually name the same task.
            match self.names.resolve(&syntax.target, self.errors) {
                Some(target) if self.names.declares(&syntax.target) => {
                    edges.push(Edge { target, syntax });
                }
                _ => self.incomplete = true,
            }
        }
        edges
    }
}

/// Links each member of a sequence to the next one. A task can be in one sequence only.
pub(super) fn link_sequences(
    sequences: &[Sequence],
    names: &TaskNames,
    tasks: &mut [Task<'_>],
    errors: &Errors,
) {
    let (mut named, mut members) = (BTreeSet::new(), BTreeSet::new());
    for sequence in sequences {
        if !named.insert(sequence.name.to_string()) {
            errors.add_with_help(
                sequence.name.span(),
                format!("sequence `{}` is declared twice", sequence.name),
                "give one of the two another name",
            );
        }
        let mut before: Option<usize> = None;
        for name in &sequence.members.0 {
            let Some(member) = names.resolve(name, errors) else {
                if let Some(before) = before.take() {
                    tasks[before].incomplete = true;
                }
                continue;
            };
            if !members.insert(member) {
                errors.add_with_help(
                    name.span(),
                    format!("task `{name}` is in a sequence twice"),
                    "a task is in one sequence at most, and once: use `next` for other ways",
                );
                if let Some(before) = before {
                    tasks[before].incomplete = true;
                }
                continue;
            }
            let Some(before) = before.replace(member) else { continue };
            tasks[before].in_sequence = Some(member);
        }
    }
}

/// Returns the parts without duplicate names, which are reported.
pub(super) fn distinct_parts<'a>(parts: &'a [Part], what: &str, errors: &Errors) -> Vec<&'a Part> {
    let mut kept: Vec<&Part> = Vec::new();
    let mut names = BTreeSet::new();
    for part in parts {
        if !names.insert(part.name.to_string()) {
            errors.add_with_help(
                part.name.span(),
                format!("{what} `{}` is declared twice", part.name),
                "remove one of the two, or give it another name",
            );
        } else {
            kept.push(part);
        }
    }
    kept
}

/// Returns the enum variant of a task: `AddField` for `add_field`.
pub(crate) fn variant_name(name: &Ident) -> Ident {
    let mut camel = String::new();
    for word in name.unraw().to_string().split('_') {
        let mut letters = word.chars();
        camel.extend(letters.next().into_iter().flat_map(char::to_uppercase));
        camel.push_str(letters.as_str());
    }
    let is_identifier = syn::parse_str::<Ident>(&camel).is_ok();
    // `Halted` and `RanOut` are variants of every outcome. Terminals with these names are reported
    // elsewhere.
    let taken = ["Halted", "RanOut"].contains(&camel.as_str());
    if is_identifier && !taken {
        format_ident!("{camel}", span = name.span())
    } else {
        // With a letter before it, the rest of an identifier is a valid one.
        format_ident!("Task{camel}", span = name.span())
    }
}
