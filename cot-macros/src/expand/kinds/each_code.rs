//! Expands for-each tasks that run a function.

use proc_macro2::TokenStream;
use quote::quote;

use super::{
    code::{effect, function},
    each::{definition, list_type, work},
    expansion::KindExpansion,
};
use crate::{
    expand::names::GeneratedNames,
    model::{Model, Task},
};

pub(super) struct EachCodeExpansion;

impl KindExpansion for EachCodeExpansion {
    fn definition(&self, _: &Model<'_>, _: &GeneratedNames, task: &Task<'_>) -> TokenStream {
        let effect = effect(task);
        definition(task, &quote!(::cot_core::__private::EachWork::Code(#effect)))
    }

    fn output_type(&self, task: &Task<'_>) -> Option<TokenStream> {
        let ty = task.output.as_ref()?;
        Some(list_type(task, &quote!(#ty)))
    }

    fn is_read_in_items(&self) -> bool {
        true
    }

    fn work(
        &self,
        model: &Model<'_>,
        names: &GeneratedNames,
        task: &Task<'_>,
    ) -> Option<TokenStream> {
        let ty = task.output.as_ref()?;
        let function = function(model, names, task)?;
        let run = quote!(::cot_core::__private::ItemFunction::#function);
        work(model, names, task, &quote!(#ty), &run)
    }
}
