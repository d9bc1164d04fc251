//! Generates what a process declares about trust, and what was found of its tasks.

use cot_syntax::{HistoryValue, UntrustedHistoryValue};
use proc_macro2::TokenStream;
use quote::quote;

use crate::{
    check::{TaskMarks, is_marked, is_strict, marked_fields, private_members, task_marks},
    expand::values::{engines, option, value_of},
    model::Model,
};

/// Generates the `TrustDefinition` of a process.
pub(in crate::expand) fn definition(model: &Model<'_>) -> TokenStream {
    if !is_marked(model) {
        return quote!(&::cot_core::__private::TrustDefinition::NONE);
    }
    let items = &model.syntax.items;
    let is_strict = is_strict(model);
    let [untrusted, private] = marked_fields(model);
    let inputs = model.state_fields().iter().filter(|field| field.input.is_some());
    let inputs = inputs.map(|field| {
        let (untrusted, private) = (field.is_untrusted(), field.is_private());
        quote!([#untrusted, #private])
    });
    let private_members = private_members(model);
    let engines = engines(value_of(&items.private));
    let history = match value_of(&items.history) {
        Some(HistoryValue::Limits(items)) => value_of(&items.untrusted),
        _ => None,
    };
    let history = match history {
        None => quote!(Shown),
        Some(UntrustedHistoryValue::Omit) => quote!(Omit),
        Some(UntrustedHistoryValue::Quoted) => quote!(Quoted),
    };
    let tasks = task_marks(model).into_iter().map(task);
    quote! {
        &::cot_core::__private::TrustDefinition {
            is_strict: #is_strict,
            untrusted: &[#(#untrusted),*],
            private: &[#(#private),*],
            inputs: &[#(#inputs),*],
            private_members: &[#(#private_members),*],
            engines: #engines,
            history: ::cot_core::__private::UntrustedHistory::#history,
            tasks: &[#(#tasks),*],
        }
    }
}

fn task(marks: TaskMarks) -> TokenStream {
    let TaskMarks {
        task,
        name,
        shown: [untrusted, private],
        shows_untrusted,
        is_untrusted,
        trusts,
    } = marks;
    let trusts = option(trusts.map(|why| quote!(#why)));
    quote! {
        ::cot_core::__private::TaskTrust {
            task: #task,
            name: #name,
            untrusted: &[#(#untrusted),*],
            private: &[#(#private),*],
            shows_untrusted: #shows_untrusted,
            is_untrusted: #is_untrusted,
            trusts: #trusts,
        }
    }
}
