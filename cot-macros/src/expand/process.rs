//! Expands a process.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;

use super::{
    code, definition, kinds::process::list_sub_processes, locals::Locals, names::GeneratedNames,
    proofs, template, types,
};
use crate::{check::Checked, model::Model};

/// Generates the types, tables and implementations of a process.
pub(crate) fn expand(checked: &Checked<'_>) -> TokenStream {
    let model = &checked.model;
    let names = GeneratedNames::new(model);
    let types = types::generated::expand(model, &names);
    let state = types::state::expand(model, &names);
    let implementation = process(checked, &names);
    let parts = if checked.hollow { TokenStream::new() } else { template::parts(model, &names) };
    // These lints would be raised by the shape of the generated code, regardless of the user's lint levels.
    quote! {
        #types
        #state
        #[automatically_derived]
        #[allow(clippy::all, clippy::pedantic, clippy::restriction, clippy::nursery, deprecated, unreachable_patterns, unused_variables, unused_mut, unused_parens, unused_braces, unreachable_code, unused_qualifications)]
        const _: () = {
            #parts
            #implementation
        };
    }
}

fn process(checked: &Checked<'_>, names: &GeneratedNames) -> TokenStream {
    let GeneratedNames { process, task, output, outcome, .. } = names;
    let state = state(checked);
    let definition = definition::definition(checked, names);
    let code = code::code(checked, names);
    let ending = types::generated::ending(&checked.model, names);
    let (within, check) = list_sub_processes(&checked.model, names);
    let (bounds, bounded) = proofs::bounds::expand(checked, names);
    let locals = Locals::new();
    let Locals { ending: variable, .. } = &locals;
    let context = checked.model.context_type();
    let inherit = inherit_context(&checked.model, names);
    let state = quote_spanned!(state.span()=> type State = #state;);
    quote! {
        impl ::cot_core::ProcessTypes for #process {
            #state
            type Task = #task;
            type Output = #output;
            type Context = #context;
            type Outcome = #outcome;
        }
        #inherit
        impl ::cot_core::Process for #process {
            const DEFINITION: &'static ::cot_core::__private::Definition = &#definition;
            const CODE: &'static ::cot_core::__private::ProcessCode<Self> = &#code;
            #within
            #bounds
            const PLACE: &'static ::core::primitive::str = ::core::concat!(
                ::core::module_path!(), ":", ::core::line!(), ":", ::core::column!(), ":",
                ::core::stringify!(#process),
            );

            fn schemas() -> &'static ::cot_core::__private::SchemaCache {
                static SCHEMAS: ::cot_core::__private::SchemaCache =
                    ::cot_core::__private::SchemaCache::new();
                &SCHEMAS
            }

            fn outcome(
                #variable: ::cot_core::__private::Ending<Self::Task>,
            ) -> Self::Outcome {
                #ending
            }
        }
        #check
        #bounded
    }
}

/// Generates what the process does with the context of a process that runs it.
fn inherit_context(model: &Model<'_>, names: &GeneratedNames) -> TokenStream {
    let process = &names.process;
    let Locals { value, .. } = &Locals::new();
    match &model.syntax.items.context {
        None => quote! {
            // A path after the generics would not be found if the crate is renamed.
            use ::cot_core::__private::InheritContext as __InheritContext;

            impl<C> __InheritContext<C> for #process {
                fn inherit_context(_: &::std::sync::Arc<C>) -> ::std::sync::Arc<()> {
                    ::std::sync::Arc::new(())
                }
            }
        },
        Some(item) => {
            let context = &item.value;
            quote! {
                impl ::cot_core::HasContext for #process {
                    type App = #context;
                }

                impl ::cot_core::__private::InheritContext<#context> for #process {
                    fn inherit_context(
                        #value: &::std::sync::Arc<#context>,
                    ) -> ::std::sync::Arc<#context> {
                        ::std::sync::Arc::clone(#value)
                    }
                }

                impl ::cot_core::__private::InheritContext<::cot_core::__private::NoContext>
                    for #process
                {
                    fn inherit_context(
                        #value: &::std::sync::Arc<::cot_core::__private::NoContext>,
                    ) -> ::std::sync::Arc<#context> {
                        match **#value {}
                    }
                }
            }
        }
    }
}

fn state(checked: &Checked<'_>) -> TokenStream {
    match checked.model.state_type() {
        Some(state) => quote!(#state),
        None => quote!(()),
    }
}
