//! Expands human tasks.

use cot_syntax::{Slot, TaskItems, Template};
use proc_macro2::TokenStream;
use quote::quote;

use super::expansion::{KindExpansion, declared_type};
use crate::{
    expand::names::GeneratedNames,
    model::{Model, Task},
};

pub(super) struct HumanExpansion;

impl KindExpansion for HumanExpansion {
    fn definition(&self, _: &Model<'_>, _: &GeneratedNames, _: &Task<'_>) -> TokenStream {
        quote!(::cot_core::__private::TaskKind::Human)
    }

    fn output_type(&self, task: &Task<'_>) -> Option<TokenStream> {
        declared_type(task)
    }

    fn prompt<'a>(&self, items: &'a TaskItems) -> &'a Slot<Template> {
        &items.ask
    }
}
