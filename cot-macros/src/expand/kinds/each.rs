//! Expands for-each tasks.

use cot_syntax::{Slot, TaskItems, Template};
use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;

use super::{
    ai::{ai_definition, prompt},
    expansion::KindExpansion,
};
use crate::{
    expand::{
        checks::check,
        locals::Locals,
        names::GeneratedNames,
        site::Site,
        values::{number, value_of},
    },
    model::{Model, Place, Task},
};

pub(super) struct EachExpansion;

impl KindExpansion for EachExpansion {
    fn definition(&self, model: &Model<'_>, _: &GeneratedNames, task: &Task<'_>) -> TokenStream {
        let (ai, each) = (ai_definition(model, task), each_definition(task));
        quote!(::cot_core::__private::TaskKind::Each(#ai, #each))
    }

    fn output_type(&self, task: &Task<'_>) -> Option<TokenStream> {
        let ty = task.output.as_ref()?;
        Some(quote_spanned!(ty.span()=> ::std::vec::Vec<#ty>))
    }

    fn is_read_in_items(&self) -> bool {
        true
    }

    fn work(&self, model: &Model<'_>, _: &GeneratedNames, task: &Task<'_>) -> Option<TokenStream> {
        work(model, task)
    }

    fn prompt<'a>(&self, items: &'a TaskItems) -> &'a Slot<Template> {
        prompt(items)
    }
}

fn each_definition(task: &Task<'_>) -> TokenStream {
    let bound = number(value_of(&task.syntax.items.max_concurrency));
    quote!(::cot_core::__private::EachDefinition { max_concurrency: #bound })
}

fn work(model: &Model<'_>, task: &Task<'_>) -> Option<TokenStream> {
    let ty = task.output.as_ref()?;
    let list = &task.syntax.items.for_each.as_ref()?.value.list;
    let Locals { scope, value, output, .. } = Locals::new();
    let site = Site::for_task(model, task, Place::List, fallback_count);
    let count = match site.is_sound(list) {
        true => site.list(|list| quote_spanned!(list.span()=> ::cot_core::__private::count(#list))),
        false => fallback_count(""),
    };
    let check = check(model, task);
    Some(quote! {
        ::cot_core::__private::TaskFunction::Each(::cot_core::__private::EachCode {
            count: |#scope| #count,
            read: |#value, #scope| {
                let #output: #ty = ::cot_core::__private::read(#value)?;
                #check
                ::core::result::Result::Ok(())
            },
        })
    })
}

/// The fallback of the number of items when a value is missing.
fn fallback_count(_: &str) -> TokenStream {
    quote!(0)
}
