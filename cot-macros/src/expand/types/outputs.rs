//! Generates the enum of the outputs of a process.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::{Ident, spanned::Spanned};

use crate::expand::{kinds::expansion_of, locals::Locals, names::GeneratedNames};
use crate::model::Model;

/// A task that has an output.
struct TaskOutput<'m> {
    variant: &'m Ident,
    task: &'m Ident,
    ty: TokenStream,
    /// Whether the output is the state of another process, which need not implement `Debug`.
    is_state: bool,
}

pub(in crate::expand) fn expand(model: &Model<'_>, names: &GeneratedNames) -> TokenStream {
    let visibility = &model.syntax.visibility;
    let (process, name) = (&names.process, &names.output);
    let doc = format!("The outputs of the tasks of [`{process}`].");
    let outputs: Vec<TaskOutput<'_>> = model
        .tasks
        .iter()
        .filter_map(|task| {
            let expansion = expansion_of(task.kind);
            let (variant, ty) = (&task.variant, expansion.output_type(task)?);
            let is_state = expansion.output_is_state();
            Some(TaskOutput { variant, task: task.name(), ty, is_state })
        })
        .collect();
    let variants = outputs.iter().map(|TaskOutput { variant, task, ty, .. }| {
        let doc = format!("The output of the task `{task}`.");
        quote!(#[doc = #doc] #variant(#ty),)
    });
    let is_plain = outputs.iter().all(|output| !output.is_state);
    let debug = is_plain.then(|| quote!(::core::fmt::Debug,));
    let by_hand = (!is_plain).then(|| debug_impl(name, &outputs));
    let serialize = serialize(name, &outputs);
    quote! {
        #[doc = #doc]
        #[derive(#debug ::core::clone::Clone)]
        #visibility enum #name { #(#variants)* }

        #by_hand
        #serialize
    }
}

/// Generates `Debug` for outputs that include the state of a sub-process, which is shown as JSON.
fn debug_impl(name: &Ident, outputs: &[TaskOutput<'_>]) -> TokenStream {
    let Locals { value, out, .. } = Locals::new();
    let arms = outputs.iter().map(|TaskOutput { variant, ty, is_state, .. }| {
        let (text, value) = (variant.to_string(), &value);
        let shown = match is_state {
            true => quote!(&::cot_core::__private::json(#value)),
            false => quote_spanned!(ty.span()=> #value),
        };
        quote!(Self::#variant(#value) => #out.debug_tuple(#text).field(#shown).finish(),)
    });
    quote! {
        #[automatically_derived]
        impl ::core::fmt::Debug for #name {
            fn fmt(&self, #out: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                match self { #(#arms)* }
            }
        }
    }
}

/// Generates `Serialize`: an output is serialized as the value that it holds.
fn serialize(name: &Ident, outputs: &[TaskOutput<'_>]) -> TokenStream {
    let Locals { value, out, .. } = Locals::new();
    let arms = outputs.iter().map(|TaskOutput { variant, ty, .. }| {
        let serialize = quote_spanned! {ty.span()=>
            ::cot_core::__private::serde::Serialize::serialize(#value, #out)
        };
        quote!(Self::#variant(ref #value) => #serialize,)
    });
    quote! {
        #[automatically_derived]
        impl ::cot_core::__private::serde::Serialize for #name {
            fn serialize<S: ::cot_core::__private::serde::Serializer>(
                &self,
                #out: S,
            ) -> ::core::result::Result<S::Ok, S::Error> {
                match *self { #(#arms)* }
            }
        }
    }
}
