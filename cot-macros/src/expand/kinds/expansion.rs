//! The interface between the expansion and the kinds of tasks.

use cot_syntax::{Slot, TaskItems, Template};
use proc_macro2::TokenStream;
use quote::quote;

use crate::{
    expand::names::GeneratedNames,
    model::{Model, Task},
};

/// The expansion of tasks of one kind.
pub(in crate::expand) trait KindExpansion {
    /// Generates the `TaskKind` in the tables.
    fn definition(&self, model: &Model<'_>, names: &GeneratedNames, task: &Task<'_>)
    -> TokenStream;

    /// Returns the type of the output of a task, if it has one.
    fn output_type(&self, _task: &Task<'_>) -> Option<TokenStream> {
        None
    }

    /// Returns whether the output is the state of another process, which need not implement `Debug`.
    fn output_is_state(&self) -> bool {
        false
    }

    /// Returns whether the output is a list whose items are received and checked one by one.
    fn is_read_in_items(&self) -> bool {
        false
    }

    /// Generates the `Work` of a task, if it has any besides asking.
    fn work(
        &self,
        _model: &Model<'_>,
        _names: &GeneratedNames,
        _task: &Task<'_>,
    ) -> Option<TokenStream> {
        None
    }

    /// Returns the prompt or the question of a task.
    fn prompt<'a>(&self, _items: &'a TaskItems) -> &'a Slot<Template> {
        &None
    }

    /// Returns how the task ends a run, if it is a terminal.
    fn outcome(&self) -> Option<Ending> {
        None
    }
}

/// The way in which a terminal ends a run.
#[derive(Clone, Copy)]
pub(in crate::expand) enum Ending {
    /// With success.
    End,
    /// With a failure and its reason.
    Fail,
}

/// Returns the output type that a task declares.
pub(super) fn declared_type(task: &Task<'_>) -> Option<TokenStream> {
    task.output.as_ref().map(|ty| quote!(#ty))
}
