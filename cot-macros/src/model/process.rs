//! A process whose names are resolved.

use std::collections::BTreeMap;

use cot_syntax::{HistoryValue, Part, StateField, StateItem};
use proc_macro2::Ident;
use quote::format_ident;
use syn::{LitInt, Type, parse_quote};

use super::task::Task;

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
    pub(super) fields: BTreeMap<String, usize>,
    /// Something that leads from task to task could not be read.
    pub(crate) blurred: bool,
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

    /// How much of the history is kept in the field `history` of the state, if anything is.
    pub(crate) fn mirror(&self) -> Option<&'a LitInt> {
        match self.syntax.items.history.as_ref().map(|item| &item.value) {
            Some(HistoryValue::Limits(items)) => Some(&items.state_max_items.as_ref()?.value),
            _ => None,
        }
    }
}
