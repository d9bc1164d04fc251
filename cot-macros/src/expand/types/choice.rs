//! Generates the enum of the choices of `process_output`.

use std::collections::BTreeSet;

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::Ident;

use crate::expand::{locals::Locals, names::GeneratedNames};
use crate::model::{Model, Task};

/// Returns the name of the enum.
pub(in crate::expand) fn choice_name(names: &GeneratedNames, task: &Task<'_>) -> Ident {
    format_ident!("{}{}Choice", names.process, task.variant)
}

/// Generates the enum. The variant of a task that takes inputs holds them.
pub(in crate::expand) fn expand(
    model: &Model<'_>,
    names: &GeneratedNames,
    task: &Task<'_>,
) -> Option<TokenStream> {
    if task.choices.is_empty() {
        return None;
    }
    let visibility = &model.syntax.visibility;
    let name = choice_name(names, task);
    let doc = format!("The choices of `process_output` of the task `{}`.", task.name());
    let targets: BTreeSet<_> = task.choices.iter().map(|edge| edge.target).collect();
    let targets: Vec<_> = targets.iter().filter_map(|&target| model.tasks.get(target)).collect();
    let variants = targets.iter().map(|target| {
        let (variant, doc) = (&target.variant, format!("Continue with `{}`.", target.name()));
        let inputs = target.syntax.items.inputs.as_ref().map(|item| &item.value);
        let inputs = inputs.map(|ty| quote!((#ty)));
        quote!(#[doc = #doc] #variant #inputs)
    });
    let (derived, by_hand) = traits(&name, &targets);
    let arms = targets.iter().map(|target| arm(target));
    Some(quote! {
        #[doc = #doc]
        #derived
        #visibility enum #name {
            #(#variants,)*
        }

        #by_hand

        #[automatically_derived]
        impl ::cot_core::__private::Choice for #name {
            fn chosen(self) -> ::core::option::Option<::cot_core::__private::ChosenTask> {
                ::core::option::Option::Some(match self { #(#arms)* })
            }
        }
    })
}

fn arm(target: &Task<'_>) -> TokenStream {
    let Locals { inputs, .. } = Locals::new();
    let (variant, index) = (&target.variant, target.index);
    match target.syntax.items.inputs.is_some() {
        true => quote! {
            Self::#variant(#inputs) => ::cot_core::__private::to_with(#index, #inputs),
        },
        false => quote!(Self::#variant => ::cot_core::__private::to(#index),),
    }
}

/// Returns the derives and the implementations of the enum. Inputs need not implement `Debug`, so an enum
/// with inputs shows only the names of its variants.
fn traits(name: &Ident, targets: &[&Task<'_>]) -> (TokenStream, TokenStream) {
    if targets.iter().all(|target| target.syntax.items.inputs.is_none()) {
        let derived = quote! {
            #[derive(
                ::core::fmt::Debug, ::core::clone::Clone, ::core::marker::Copy,
                ::core::cmp::PartialEq, ::core::cmp::Eq,
            )]
        };
        return (derived, TokenStream::new());
    }
    let names = targets.iter().map(|target| {
        let (variant, text) = (&target.variant, target.variant.to_string());
        quote!(Self::#variant { .. } => #text,)
    });
    let debug = quote! {
        #[automatically_derived]
        impl ::core::fmt::Debug for #name {
            fn fmt(&self, formatter: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                formatter.write_str(match self { #(#names)* })
            }
        }
    };
    (quote!(#[derive(::core::clone::Clone)]), debug)
}
