//! Generates what code outside of a process uses of it: its types, and its implementations without tables.

use proc_macro2::TokenStream;
use quote::quote;

use super::{generated, state};
use crate::{check::Checked, expand::names::GeneratedNames};

/// The outline of a process.
pub(crate) struct Outline {
    /// The types and the implementations.
    pub(crate) types: TokenStream,
    /// The struct of a declared state.
    pub(crate) state: TokenStream,
}

/// Generates the outline of a process.
pub(crate) fn outline(checked: &Checked<'_>) -> Outline {
    let model = &checked.model;
    let names = GeneratedNames::new(model);
    let types = generated::expand(model, &names);
    let declared = state::declaration(model, &names);
    let constructor = state::constructor(model, &names);
    let GeneratedNames { process, task, output, outcome, .. } = &names;
    let context = model.context_type();
    let has_context = model.syntax.items.context.as_ref().map(|item| {
        let context = &item.value;
        quote!(impl ::cot_core::HasContext for #process { type App = #context; })
    });
    let state_type = model.state_type().map_or_else(|| quote!(()), |ty| quote!(#ty));
    let types = quote! {
        #types
        #constructor
        impl ::cot_core::ProcessTypes for #process {
            type State = #state_type;
            type Task = #task;
            type Output = #output;
            type Context = #context;
            type Outcome = #outcome;
        }
        #has_context
        impl ::cot_core::Process for #process {
            const DEFINITION: &'static ::cot_core::__private::Definition =
                ::cot_core::__private::editor::any();
            const CODE: &'static ::cot_core::__private::ProcessCode<Self> =
                ::cot_core::__private::editor::any();
            type SubProcesses = ();
            type Bounds<D: ::cot_core::__private::BoundsDepth> = ();
            const PLACE: &'static ::core::primitive::str = "";
            fn schemas() -> &'static ::cot_core::__private::SchemaCache {
                ::cot_core::__private::editor::any()
            }
            fn outcome(_: ::cot_core::__private::Ending<Self::Task>) -> Self::Outcome {
                ::cot_core::__private::editor::any()
            }
        }
    };
    Outline { types, state: declared }
}
