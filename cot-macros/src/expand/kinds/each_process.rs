//! Expands for-each tasks that run a sub-process.

use proc_macro2::TokenStream;
use quote::quote;

use super::{
    each::{definition, list_of_one, list_type, work},
    expansion::KindExpansion,
    process::{process_definition, state_type, sub_process},
};
use crate::{
    expand::{locals::Locals, names::GeneratedNames},
    model::{Model, Task},
};

pub(super) struct EachProcessExpansion;

impl KindExpansion for EachProcessExpansion {
    fn definition(&self, _: &Model<'_>, names: &GeneratedNames, task: &Task<'_>) -> TokenStream {
        match process_definition(task, names) {
            Some(process) => {
                definition(task, &quote!(::cot_core::__private::EachWork::Process(#process)))
            }
            None => quote!(::cot_core::__private::TaskKind::End),
        }
    }

    fn output_type(&self, task: &Task<'_>) -> Option<TokenStream> {
        Some(list_type(task, &state_type(task)?))
    }

    fn output_is_state(&self) -> bool {
        true
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
        let Locals { value, .. } = Locals::new();
        let one = list_of_one(names, task, &quote!(#value));
        let process = sub_process(model, names, task, &quote!(|#value| #one))?;
        let run = quote!(::cot_core::__private::ItemFunction::Process(#process));
        work(model, names, task, &state_type(task)?, &run)
    }
}
