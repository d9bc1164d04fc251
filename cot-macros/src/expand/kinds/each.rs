//! Expands for-each tasks that ask a model, and what all for-each tasks have in common.

use cot_syntax::{CollectValue, Slot, TaskItems, Template};
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
        let ai = ai_definition(model, task);
        definition(task, &quote!(::cot_core::__private::EachWork::Ai(#ai)))
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
        let none = quote!(::cot_core::__private::ItemFunction::None);
        work(model, names, task, &quote!(#ty), &none)
    }

    fn prompt<'a>(&self, items: &'a TaskItems) -> &'a Slot<Template> {
        prompt(items)
    }
}

/// Generates the `TaskKind` of a for-each task from its `EachWork`.
pub(super) fn definition(task: &Task<'_>, work: &TokenStream) -> TokenStream {
    let items = &task.syntax.items;
    let bound = number(value_of(&items.max_concurrency));
    let max_items = number(value_of(&items.max_items));
    let collect = match collects_failures(task) {
        true => quote!(Ok),
        false => quote!(All),
    };
    quote! {
        ::cot_core::__private::TaskKind::Each(::cot_core::__private::EachDefinition {
            work: #work,
            max_concurrency: #bound,
            max_items: #max_items,
            collect: ::cot_core::__private::Collect::#collect,
        })
    }
}

/// Returns the type of the output of a for-each task, from the type of an item.
pub(super) fn list_type(task: &Task<'_>, item: &TokenStream) -> TokenStream {
    let span = item.span();
    match collects_failures(task) {
        true => quote_spanned! {span=>
            ::std::vec::Vec<::core::result::Result<#item, ::cot_core::ItemError>>
        },
        false => quote_spanned!(span=> ::std::vec::Vec<#item>),
    }
}

/// Generates the output of a for-each task with one item.
pub(super) fn list_of_one(
    names: &GeneratedNames,
    task: &Task<'_>,
    item: &TokenStream,
) -> TokenStream {
    let (outputs, variant) = (&names.output, &task.variant);
    let item = match collects_failures(task) {
        true => quote!(::core::result::Result::Ok(#item)),
        false => quote!(#item),
    };
    quote!(#outputs::#variant(::std::vec::Vec::from([#item])))
}

/// Generates the typed functions of a for-each task from its `ItemFunction`.
pub(super) fn work(
    model: &Model<'_>,
    names: &GeneratedNames,
    task: &Task<'_>,
    ty: &TokenStream,
    function: &TokenStream,
) -> Option<TokenStream> {
    let list = &task.syntax.items.for_each.as_ref()?.value.list;
    let Locals { scope, value, output, .. } = Locals::new();
    let site = Site::for_task(model, task, Place::List, fallback_count);
    let count = match site.is_sound(list) {
        true => site.list(|list| quote_spanned!(list.span()=> ::cot_core::__private::count(#list))),
        false => fallback_count(""),
    };
    let check = check(model, task);
    let one = list_of_one(names, task, &quote!(#output));
    Some(quote! {
        ::cot_core::__private::TaskFunction::Each(::cot_core::__private::EachCode {
            count: |#scope| #count,
            read: |#value, #scope| {
                let #output: #ty = ::cot_core::__private::read(#value)?;
                #check
                ::core::result::Result::Ok(#one)
            },
            work: #function,
        })
    })
}

fn collects_failures(task: &Task<'_>) -> bool {
    value_of(&task.syntax.items.collect).is_some_and(|collect| *collect == CollectValue::Ok)
}

/// The fallback of the number of items when a value is missing.
fn fallback_count(_: &str) -> TokenStream {
    quote!(0)
}
