//! The model of a process.

use std::collections::BTreeMap;

use cot_syntax::{HistoryValue, Part, StateField, StateItem, Tool};
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens as _, format_ident, quote};
use syn::{Expr, LitInt, Type, parse_quote};

use super::{
    state_writes::{Stability, StateWrites},
    task::Task,
    uses::find_mention,
};

/// A process with resolved names.
#[derive(Debug)]
pub(crate) struct Model<'a> {
    pub(crate) syntax: &'a cot_syntax::Process,
    pub(crate) tasks: Vec<Task<'a>>,
    pub(crate) start: usize,
    pub(crate) default_return: Option<usize>,
    /// The tools, including duplicates.
    pub(crate) tools: Vec<&'a Tool>,
    /// The parts of `prompts`, without duplicate names.
    pub(crate) parts: Vec<&'a Part>,
    /// The primers, without duplicate names.
    pub(crate) primers: Vec<&'a Part>,
    /// The index of each field of a declared state. Of duplicates, the first.
    pub(super) fields: BTreeMap<String, usize>,
    /// The places of the state to which the tasks write.
    pub(super) writes: StateWrites,
    /// Whether a target could not be resolved outside of tasks, as in `start` or a sequence.
    pub(crate) incomplete: bool,
}

impl<'a> Model<'a> {
    /// Returns the type of the context.
    pub(crate) fn context_type(&self) -> TokenStream {
        match &self.syntax.items.context {
            Some(item) => item.value.to_token_stream(),
            None => quote!(()),
        }
    }

    /// Returns the use of the context in an expression of a process that declares none.
    pub(crate) fn missing_context(&self, expr: &Expr) -> Option<Ident> {
        find_mention(expr, "app").filter(|_| self.syntax.items.context.is_none())
    }

    /// Returns the type of the state, if the process has one.
    pub(crate) fn state_type(&self) -> Option<Type> {
        Some(match &self.syntax.items.state.as_ref()?.value {
            StateItem::Type(ty) => Type::clone(ty),
            StateItem::Inline(_) => {
                let name = format_ident!("{}State", self.syntax.name);
                parse_quote!(#name)
            }
        })
    }

    /// Returns the fields of a state that the process declares; empty if the user defines the type.
    pub(crate) fn state_fields(&self) -> &'a [StateField] {
        match self.syntax.items.state.as_ref().map(|item| &item.value) {
            Some(StateItem::Inline(state)) => &state.fields,
            _ => &[],
        }
    }

    /// Returns the index of a field in the state that the process declares.
    pub(crate) fn field(&self, name: &Ident) -> Option<usize> {
        self.fields.get(&name.to_string()).copied()
    }

    /// Returns whether something in the process may write to a field of the state.
    pub(crate) fn may_write(&self, field: &str) -> bool {
        self.writes.place(&[field.to_owned()]) > Stability::PerRun
    }

    /// Returns the limit of the field `history` of the state, if the history is mirrored there.
    pub(crate) fn mirror_limit(&self) -> Option<&'a LitInt> {
        match self.syntax.items.history.as_ref().map(|item| &item.value) {
            Some(HistoryValue::Limits(items)) => Some(&items.state_max_items.as_ref()?.value),
            _ => None,
        }
    }
}
