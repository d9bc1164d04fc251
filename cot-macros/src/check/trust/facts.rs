//! Numbers what can be untrusted before and within a task, and finds what expressions read of it.

use syn::{Expr, visit_mut::VisitMut};

use crate::model::{Model, StateUses, Task, called_name, find_mention};

/// What can be untrusted. A declared field is always so, and has a second number for what tasks wrote to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Fact {
    /// The value that a task wrote to the field with this index.
    Written(usize),
    /// The field with this index, which is declared so.
    Declared(usize),
    /// The entries of the history.
    History,
    /// The output of the task before.
    LastOutput,
    /// The goal, which is rendered before the first task.
    Goal,
    /// The inputs of the task.
    Inputs,
    /// The choice of a model that led to the task.
    Choice,
    /// The item of a for-each task.
    Item,
    /// The text in which values of an output have to stand.
    Source,
    /// What the model of the task is shown.
    Shown,
    /// The output of the task.
    Output,
}

/// The facts that are no fields.
const OTHERS: [Fact; 9] = [
    Fact::History,
    Fact::LastOutput,
    Fact::Goal,
    Fact::Inputs,
    Fact::Choice,
    Fact::Item,
    Fact::Source,
    Fact::Shown,
    Fact::Output,
];

impl Fact {
    /// Returns the number of facts in a process with so many fields.
    pub(super) const fn count(fields: usize) -> usize {
        2 * fields + OTHERS.len()
    }

    /// Returns the number of the fact.
    pub(super) fn number(self, fields: usize) -> usize {
        match self {
            Self::Written(field) => field,
            Self::Declared(field) => fields + field,
            other => 2 * fields + OTHERS.iter().position(|fact| *fact == other).unwrap_or(0),
        }
    }

    /// Returns the field, if the fact is about one.
    pub(super) const fn field(self) -> Option<usize> {
        match self {
            Self::Written(field) | Self::Declared(field) => Some(field),
            _ => None,
        }
    }

    /// Returns whether the fact holds within one visit of a task alone.
    pub(super) const fn is_local(self) -> bool {
        matches!(self, Self::Inputs | Self::Item | Self::Source | Self::Shown | Self::Output)
    }
}

/// Returns the facts that an expression of a task reads.
pub(super) fn facts_in(model: &Model<'_>, task: Option<&Task<'_>>, expr: &Expr) -> Vec<Fact> {
    let uses = StateUses::from_expr(expr);
    let mut facts = match uses.whole {
        true => all_fields(model),
        false => uses.fields().filter_map(|name| model.field(name)).flat_map(field_facts).collect(),
    };
    let item = task.and_then(|task| task.syntax.items.for_each.as_ref());
    let item = item.map(|item| item.value.item.to_string());
    let names = [
        ("history", Fact::History),
        ("last_output", Fact::LastOutput),
        ("goal", Fact::Goal),
        ("inputs", Fact::Inputs),
        ("output", Fact::Output),
    ];
    let item = item.as_deref().map(|name| (name, Fact::Item));
    let read = names.into_iter().chain(item).filter(|(name, _)| find_mention(expr, name).is_some());
    facts.extend(read.map(|(_, fact)| fact));
    facts
}

/// Returns the facts of all fields, as a function sees them.
pub(super) fn all_fields(model: &Model<'_>) -> Vec<Fact> {
    (0..model.state_fields().len()).flat_map(field_facts).collect()
}

fn field_facts(field: usize) -> [Fact; 2] {
    [Fact::Written(field), Fact::Declared(field)]
}

/// Returns an expression without what it shows in a fence or as a medium.
pub(super) fn outside_fences(expr: &Expr) -> Expr {
    let mut expr = expr.clone();
    Fences.visit_expr_mut(&mut expr);
    expr
}

struct Fences;

impl VisitMut for Fences {
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        let is_fence = |name: &&proc_macro2::Ident| {
            ["quoted", "image", "document"].iter().any(|it| *name == it)
        };
        match called_name(expr).filter(is_fence) {
            Some(_) => *expr = syn::parse_quote!(()),
            None => syn::visit_mut::visit_expr_mut(self, expr),
        }
    }
}
