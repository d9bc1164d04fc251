//! Stage two: names become indices, and each task gets its kind.
//!
//! What can't be resolved is reported and left out, and the task that named it is *blurred*: it may
//! lead anywhere, so that no later check reports what only follows from the first mistake.

mod kind;
mod names;
mod seen;
mod state_uses;
mod templates;
mod uses;

pub(crate) use seen::{Place, RESERVED, Seen};
pub(crate) use state_uses::{FieldUse, StateUses};
pub(crate) use templates::Role;
pub(crate) use uses::{Exit, Uses, mentions, same_tokens};

use std::collections::BTreeMap;

use proc_macro2::Ident;
use quote::format_ident;
use syn::{LitInt, Type, parse_quote, parse_quote_spanned};

use cot_syntax::{
    Arm, HistoryValue, OnRoute, Part, ProcessOutput, Row, StateField, StateItem, TaskItems,
    TaskKind, Transition, diagnostics::Errors,
};
use names::{Resolved, TaskNames};

/// A process whose names are resolved.
#[derive(Debug)]
pub(crate) struct Model<'a> {
    pub(crate) syntax: &'a cot_syntax::Process,
    pub(crate) tasks: Vec<Task<'a>>,
    pub(crate) start: usize,
    pub(crate) default_return: Option<usize>,
    /// The parts of `prompts`, each name once.
    pub(crate) parts: Vec<&'a Part>,
    /// The primers, each name once.
    pub(crate) primers: Vec<&'a Part>,
    /// Where each field of the declared state stands, the first of several of one name.
    fields: BTreeMap<String, usize>,
    /// Something that leads from task to task could not be read.
    pub(crate) blurred: bool,
}

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

impl<'a> Model<'a> {
    /// The type of the state, if it is declared.
    pub(crate) fn state_type(&self) -> Option<Type> {
        Some(match &self.syntax.items.state.as_ref()?.value {
            StateItem::Type(ty) => Type::clone(ty),
            StateItem::Inline(_) => {
                let name = format_ident!("{}State", self.syntax.name);
                parse_quote!(#name)
            }
        })
    }

    /// The fields of a state that the process declares; none when its type is the user's own.
    pub(crate) fn state_fields(&self) -> &'a [StateField] {
        match self.syntax.items.state.as_ref().map(|item| &item.value) {
            Some(StateItem::Inline(state)) => &state.fields,
            _ => &[],
        }
    }

    /// The place of a field in the state that the process declares.
    pub(crate) fn field(&self, name: &Ident) -> Option<usize> {
        self.fields.get(&name.to_string()).copied()
    }
}

impl<'a> Model<'a> {
    /// How much of the history is kept in the field `history` of the state, if anything is.
    pub(crate) fn mirror(&self) -> Option<&'a LitInt> {
        match self.syntax.items.history.as_ref().map(|item| &item.value) {
            Some(HistoryValue::Limits(items)) => Some(&items.state_max_items.as_ref()?.value),
            _ => None,
        }
    }
}

impl Task<'_> {
    pub(crate) fn name(&self) -> &Ident {
        &self.syntax.name
    }

    /// Whether the task says itself where it goes after an output.
    pub(crate) fn routes(&self) -> bool {
        !self.next.is_empty() || !self.choices.is_empty() || self.in_sequence.is_some()
    }
}

/// Resolves the names of a process.
pub(crate) fn build<'a>(syntax: &'a cot_syntax::Process, errors: &Errors) -> Model<'a> {
    let items = &syntax.items;
    let mut names = TaskNames::default();
    let declared = names.declare(&items.tasks, errors);
    let mut tasks: Vec<_> = declared
        .iter()
        .enumerate()
        .map(|(index, task)| build_task(index, task, &syntax.name, &names, errors))
        .collect();
    let mut blurred = syntax.invalid.any(&["task", "start", "default_return", "sequence"]);
    let mut resolve_item = |name: &Ident| {
        let resolved = names.resolve(name, errors);
        blurred |= resolved.is_none();
        resolved
    };
    let start = items.start.as_ref().and_then(|item| resolve_item(&item.value)).unwrap_or(0);
    let default_return = items.default_return.as_ref().and_then(|item| resolve_item(&item.value));
    names::link_sequences(&items.sequences, &names, &mut tasks, errors);
    let mut model = Model {
        syntax,
        tasks,
        start,
        default_return,
        parts: names::distinct(items.parts(), "prompt", errors),
        primers: names::distinct(items.primer_parts(), "primer", errors),
        fields: BTreeMap::new(),
        blurred,
    };
    for (index, field) in model.state_fields().iter().enumerate() {
        model.fields.entry(field.name.to_string()).or_insert(index);
    }
    model
}

fn build_task<'a>(
    index: usize,
    syntax: &'a cot_syntax::Task,
    process: &Ident,
    names: &TaskNames,
    errors: &Errors,
) -> Task<'a> {
    let items = &syntax.items;
    let mut resolved = Resolved::new(names, index, errors);
    let transitions = items.transitions.as_ref().map_or(&[][..], |item| &item.value);
    let transitions = resolved.edges(transitions, |transition| &transition.target);
    let arms = items.next.as_ref().map_or(&[][..], |item| &item.value.arms);
    let next = resolved.edges(arms, |arm| &arm.target);
    let choices = resolved.edges(choices(items), |name| name);
    let routes = items.on.as_ref().map_or(&[][..], |item| &item.value);
    let on = resolved.routes(routes);
    let (kind, conflicting_kinds) = (kind::decide_kind(syntax), kind::conflicting_kinds(syntax));
    // These are reported as such.
    let no_choices = items.process_output.as_ref().and_then(|item| item.value.choices.as_ref());
    let leads_nowhere = items.next.is_some() && arms.is_empty()
        || items.transitions.as_ref().is_some_and(|item| item.value.is_empty())
            && syntax.output.is_none()
        || no_choices.is_some_and(|names| names.0.is_empty());
    let endless = items.process.as_ref().is_some_and(|item| item.value.names(process));
    let unsure = endless || leads_nowhere || conflicting_kinds.is_some_and(ends_and_goes_on);
    Task {
        index,
        variant: names::variant(&syntax.name),
        // A process in itself would be a cycle of constants.
        output: syntax.output.clone().or_else(|| reasoning(syntax, kind)),
        kind: if endless { TaskKind::Unknown } else { kind },
        conflicting_kinds,
        kind_is_hidden: kind::is_hidden(syntax),
        transitions,
        next,
        choices,
        on,
        in_sequence: None,
        blurred: resolved.blurred || unsure || leads_are_invalid(syntax),
        syntax,
    }
}

/// Whether an item has a mistake that makes the task what it is, or leads away from it.
fn leads_are_invalid(task: &cot_syntax::Task) -> bool {
    let leads =
        |row: &&Row<TaskItems>| row.routes || row.decides.is_some_and(|kind| kind != TaskKind::Ai);
    let mut rows = TaskItems::TABLE.rows().iter().filter(leads);
    rows.any(|row| task.invalid.any(&[row.key]))
}

/// The output of a task that reasons.
fn reasoning(task: &cot_syntax::Task, kind: TaskKind) -> Option<Type> {
    let word = task.reason().filter(|_| matches!(kind, TaskKind::Ai | TaskKind::Each))?;
    Some(parse_quote_spanned!(word.span()=> ::cot_core::reasoning::Reasoning))
}

/// Whether it is not known of a task that is told two kinds where it leads. A prompt changes nothing.
fn ends_and_goes_on(told: [(TaskKind, &Ident); 2]) -> bool {
    let goes_on = |(kind, key): &(TaskKind, &Ident)| {
        !kind.is_terminal() && !key.to_string().ends_with("prompt")
    };
    told.iter().any(|(kind, _)| kind.is_terminal()) && told.iter().any(goes_on)
}

fn choices(items: &TaskItems) -> &[Ident] {
    match items.process_output.as_ref().map(|item| &item.value) {
        Some(ProcessOutput { choices: Some(names), .. }) => &names.0,
        _ => &[],
    }
}
