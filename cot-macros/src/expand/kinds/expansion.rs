//! What the expansion asks of each kind of task.

use cot_syntax::{Slot, TaskItems, Template};
use proc_macro2::TokenStream;
use quote::quote;

use crate::{
    expand::names::Names,
    model::{Model, Task},
};

/// How the tasks of one kind are expanded.
pub(in crate::expand) trait KindExpansion {
    /// The `TaskKind` in the tables.
    fn definition(&self, task: &Task<'_>, names: &Names) -> TokenStream;

    /// The type of what a task gives, if it gives anything.
    fn output_type(&self, _task: &Task<'_>) -> Option<TokenStream> {
        None
    }

    /// Whether the output is the state of another process, which need not be `Debug`.
    fn output_is_state(&self) -> bool {
        false
    }

    /// Whether the output is read in items, each of which is checked by itself.
    fn is_read_in_items(&self) -> bool {
        false
    }

    /// The `Work` of a task, if it does more than to ask.
    fn work(&self, _model: &Model<'_>, _names: &Names, _task: &Task<'_>) -> Option<TokenStream> {
        None
    }

    /// The template that is asked.
    fn prompt<'a>(&self, _items: &'a TaskItems) -> &'a Slot<Template> {
        &None
    }

    /// The type in the variant of the outcome, where a task is an end: none in brackets.
    fn outcome(&self) -> Option<Ending> {
        None
    }
}

/// How a terminal ends a run.
#[derive(Clone, Copy)]
pub(in crate::expand) enum Ending {
    /// Successfully.
    End,
    /// With a reason.
    Fail,
}

/// The type that a task declares.
pub(super) fn declared_type(task: &Task<'_>) -> Option<TokenStream> {
    task.output.as_ref().map(|ty| quote!(#ty))
}
