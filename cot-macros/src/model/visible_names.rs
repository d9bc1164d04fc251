//! The names that templates and expressions can use.

use proc_macro2::Ident;
use syn::Expr;

use super::{
    process::Model,
    task::Task,
    templates::Role,
    uses::{Uses, root_of_place},
};
use cot_syntax::{StateField, StatePath, With};

/// The place of an expression in a task, which determines the names that it can use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    /// The guard of a transition.
    Guard,
    /// The inputs that a transition passes on.
    With,
    /// The guard of an arm of `next`.
    ArmGuard,
    /// The inputs that an arm of `next` passes on.
    ArmWith,
    /// The value or the guard of a state write, or a key in its path.
    Write,
    /// The list of a for-each task.
    List,
    /// The tool calls that a task performs.
    Calls,
    /// The initial state of a sub-process.
    Start,
    /// The turns of an earlier conversation.
    Turns,
    /// A source of `found_in`.
    Source,
}

/// The names that an expression can use.
#[derive(Debug)]
pub(crate) struct VisibleNames<'a> {
    pub(crate) names: Vec<String>,
    /// The fields of a state that the process declares.
    pub(crate) fields: &'a [StateField],
    /// Whether `fields` is complete.
    is_complete: bool,
    /// The names that patterns in the conditions of writes bind.
    bound: Vec<Ident>,
}

impl VisibleNames<'_> {
    pub(crate) fn contains(&self, name: &Ident) -> bool {
        self.names.iter().any(|seen| name == seen)
    }

    /// Returns whether a pattern of another expression binds a name.
    pub(crate) fn binds(&self, name: &Ident) -> bool {
        self.bound.contains(name)
    }

    /// Returns whether this field is unset until a task writes it, so that `state.field?` can read it. If the state
    /// is invalid, any field may be.
    pub(crate) fn may_be_unset(&self, field: &Ident) -> bool {
        !self.is_complete && !self.is_always_set(field)
            || self.fields.iter().any(|it| it.is_unset() && it.name == *field)
    }

    /// Returns whether the process declares its state and the state does not have this field.
    pub(crate) fn lacks_field(&self, name: &Ident) -> bool {
        self.is_complete && !self.fields.is_empty() && self.fields.iter().all(|it| it.name != *name)
    }

    /// Returns whether this field has a value from the start of a run.
    pub(crate) fn is_always_set(&self, field: &Ident) -> bool {
        self.fields.iter().any(|it| !it.is_unset() && it.name == *field)
    }
}

/// All names that have a meaning in some place.
pub(crate) const RESERVED: &[&str] =
    &["state", "goal", "task", "process", "history", "output", "inputs", "item", "last_output"];

impl<'a> Model<'a> {
    /// Returns the names that a template can use.
    pub(crate) fn names_in_template(&self, role: Role) -> VisibleNames<'a> {
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
        self.visible_names(names)
    }

    /// Returns the names that an expression of a task can use.
    pub(crate) fn names_at(&self, task: &Task<'_>, place: Place) -> VisibleNames<'a> {
        // An update without an output is reported by another check.
        let after = match place {
            Place::Write => true,
            Place::ArmGuard | Place::ArmWith => task.has_output() || task.kind_is_uncertain,
            Place::Guard
            | Place::With
            | Place::List
            | Place::Calls
            | Place::Start
            | Place::Turns
            | Place::Source => false,
        };
        let after = after.then_some("output");
        let inputs = task.syntax.items.inputs.is_some().then_some("inputs");
        let decides = matches!(place, Place::Guard | Place::ArmGuard | Place::Write | Place::Calls);
        let last = decides.then_some("last_output");
        let is_of_item = matches!(place, Place::Turns | Place::Start | Place::Source);
        let item = task.syntax.items.for_each.as_ref().filter(|_| is_of_item);
        let item = item.map(|item| item.value.item.to_string());
        let names = after.into_iter().chain(["state", "goal"]).chain(inputs).chain(last);
        let names = self.visible_names(names.map(str::to_owned).chain(item).collect());
        let writes = task.syntax.items.update.iter().flat_map(|item| &item.value.writes);
        let guards = writes.filter_map(|write| write.guard.as_ref());
        let bound = guards.filter(|_| place == Place::Write).flat_map(Uses::bound_in);
        VisibleNames { bound: bound.collect(), ..names }
    }

    /// Returns the names that the guard of a tool can use.
    pub(crate) fn names_in_tools(&self) -> VisibleNames<'a> {
        let names = ["state", "goal", "last_output"];
        self.visible_names(names.map(str::to_owned).to_vec())
    }

    fn visible_names(&self, names: Vec<String>) -> VisibleNames<'a> {
        let is_complete = !self.syntax.invalid.may_include(&["state"]);
        VisibleNames { names, fields: self.state_fields(), is_complete, bound: Vec::new() }
    }

    /// Returns the names that the default of a state field can use: none.
    pub(crate) fn names_in_defaults(&self) -> VisibleNames<'a> {
        VisibleNames { names: Vec::new(), fields: &[], is_complete: true, bound: Vec::new() }
    }
}

impl<'a> Task<'a> {
    /// Returns whether the task has an `output` after success.
    pub(crate) fn has_output(&self) -> bool {
        // The output of a sub-process is its final state.
        self.output.is_some() || self.syntax.items.process.is_some()
    }

    /// Returns whether an invalid item may change the types of the output and of the functions.
    pub(crate) fn types_are_uncertain(&self) -> bool {
        self.syntax.invalid.may_include(&["for_each", "inputs"])
    }

    /// Returns the members of `found_in` whose sources are values, with these.
    pub(crate) fn sources(&self) -> impl Iterator<Item = (&'a StatePath, &'a Expr)> + use<'a> {
        let items = &self.syntax.items;
        let item = items.for_each.as_ref().map(|item| &item.value.item);
        let is_value = move |root: &Ident| {
            ["state", "goal", "inputs"].iter().any(|word| root == word) || Some(root) == item
        };
        let rows = items.found_in.iter().flat_map(|item| &item.value.rows);
        rows.filter(move |row| root_of_place(&row.source).is_some_and(is_value))
            .map(|row| (&row.member, &row.source))
    }

    /// Returns every expression of the task outside templates, with its place.
    pub(crate) fn expressions(&self) -> Vec<(Place, &'a Expr)> {
        let items = &self.syntax.items;
        let mut expressions = Vec::new();
        let mut add =
            |place, expr: Option<&'a Expr>| expressions.extend(expr.map(|it| (place, it)));
        for edge in &self.transitions {
            add(Place::With, edge.syntax.with.as_ref().and_then(With::expr));
            add(Place::Guard, edge.syntax.guard.as_ref());
        }
        for used in &self.tools {
            add(Place::Guard, used.syntax.guard.as_ref());
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
        add(Place::Calls, items.calls.as_ref().map(|item| &item.value));
        add(Place::Turns, items.turns.as_ref().map(|item| &item.value));
        self.sources().for_each(|(_, source)| add(Place::Source, Some(source)));
        add(Place::Start, items.process.as_ref().and_then(|item| item.value.with.as_ref()));
        expressions
    }
}
