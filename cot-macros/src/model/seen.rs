//! What can be used where.

use proc_macro2::Ident;
use syn::Expr;

use super::{process::Model, task::Task, templates::Role};
use cot_syntax::{StateField, With};

/// Where an expression of a task stands, which decides what it sees.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    /// The guard of a transition.
    Guard,
    /// The inputs that a transition delivers.
    With,
    /// The guard of an arm of `next`.
    ArmGuard,
    /// The inputs that an arm of `next` delivers.
    ArmWith,
    /// The right side of a state write, or the key in its path.
    Write,
    /// The list of a for-each task.
    List,
    /// The state that a sub-process starts with.
    Start,
}

/// The names that can be used at a place.
#[derive(Debug)]
pub(crate) struct Seen<'a> {
    pub(crate) names: Vec<String>,
    /// The fields of a state that the process declares.
    pub(crate) fields: &'a [StateField],
    /// Whether these are all of them.
    sure: bool,
}

impl Seen<'_> {
    pub(crate) fn has(&self, name: &Ident) -> bool {
        self.names.iter().any(|seen| name == seen)
    }

    /// Whether `state.field?` reads this field: it is unset until a task writes it.
    pub(crate) fn reads_unset(&self, field: &Ident) -> bool {
        self.fields.iter().any(|it| it.is_unset() && it.name == *field)
    }

    /// Whether the process declares its state without such a field.
    pub(crate) fn lacks_field(&self, name: &Ident) -> bool {
        self.sure && !self.fields.is_empty() && self.fields.iter().all(|it| it.name != *name)
    }

    /// Whether this field has a value from the start.
    pub(crate) fn is_always_set(&self, field: &Ident) -> bool {
        self.fields.iter().any(|it| !it.is_unset() && it.name == *field)
    }
}

/// All names that the language gives a meaning somewhere.
pub(crate) const RESERVED: &[&str] =
    &["state", "goal", "task", "process", "history", "output", "inputs", "item", "last_output"];

impl<'a> Model<'a> {
    /// What a template sees.
    pub(crate) fn seen_in(&self, role: Role) -> Seen<'a> {
        let mut names = match role {
            Role::Goal => vec!["state", "process"],
            _ => vec!["state", "goal", "task", "process", "history", "last_output"],
        };
        let mut item = None;
        if let Role::Task(task) | Role::Full(task) = role {
            let items = &self.tasks[task].syntax.items;
            names.extend(items.inputs.is_some().then_some("inputs"));
            item = items.for_each.as_ref().map(|item| item.value.item.to_string());
        }
        let names = names.into_iter().map(str::to_owned).chain(item).collect();
        self.seen(names)
    }

    /// What an expression of a task sees.
    pub(crate) fn seen_at(&self, task: &Task<'_>, place: Place) -> Seen<'a> {
        // That an update needs an output is reported as such.
        let after = match place {
            Place::Write => true,
            Place::ArmGuard | Place::ArmWith => task.has_output(),
            Place::Guard | Place::With | Place::List | Place::Start => false,
        };
        let after = after.then_some("output");
        let inputs = task.syntax.items.inputs.is_some().then_some("inputs");
        let decides = matches!(place, Place::Guard | Place::ArmGuard | Place::Write);
        let last = decides.then_some("last_output");
        let names = after.into_iter().chain(["state", "goal"]).chain(inputs).chain(last);
        self.seen(names.map(str::to_owned).collect())
    }

    fn seen(&self, names: Vec<String>) -> Seen<'a> {
        let sure = !self.syntax.invalid.may_include(&["state"]);
        Seen { names, fields: self.state_fields(), sure }
    }

    /// What the default of a state field sees: nothing.
    pub(crate) fn seen_by_defaults(&self) -> Seen<'a> {
        Seen { names: Vec::new(), fields: &[], sure: true }
    }
}

impl<'a> Task<'a> {
    /// Whether there is an `output` after success.
    pub(crate) fn has_output(&self) -> bool {
        // The output of a sub-process is its final state.
        self.output.is_some() || self.syntax.items.process.is_some()
    }

    /// Every expression of the task outside templates, and where it stands.
    pub(crate) fn expressions(&self) -> Vec<(Place, &'a Expr)> {
        let items = &self.syntax.items;
        let mut expressions = Vec::new();
        let mut add =
            |place, expr: Option<&'a Expr>| expressions.extend(expr.map(|it| (place, it)));
        for edge in &self.transitions {
            add(Place::With, edge.syntax.with.as_ref().and_then(With::expr));
            add(Place::Guard, edge.syntax.guard.as_ref());
        }
        for edge in &self.next {
            add(Place::ArmWith, edge.syntax.with.as_ref());
            add(Place::ArmGuard, edge.syntax.guard.as_ref());
        }
        for write in items.update.iter().flat_map(|item| &item.value.writes) {
            write.path.keys().for_each(|key| add(Place::Write, Some(key)));
            add(Place::Write, write.value.as_ref());
            add(Place::Write, write.guard.as_ref());
        }
        add(Place::List, items.for_each.as_ref().map(|item| &item.value.list));
        add(Place::Start, items.process.as_ref().and_then(|item| item.value.with.as_ref()));
        expressions
    }
}
