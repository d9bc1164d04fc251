//! Stage four: types and static tables. The expansion holds no logic: what decides lives in the
//! engine, which is compiled once.

mod choice;
mod code;
mod definition;
mod edge;
mod hash;
mod helpers;
mod mermaid;
mod output;
mod outputs;
mod place;
mod site;
mod state;
mod task_definition;
mod template;
mod types;
mod unset;
mod unwritten;
mod update;
mod warnings;
mod work;

use proc_macro2::{Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::{Ident, spanned::Spanned};

use crate::{
    check::{Checked, names::clashes},
    model::Model,
};
pub(crate) use warnings::warnings;

/// The names of the generated types.
struct Names {
    process: Ident,
    /// Whether a type of the user's own has the name of the process, which was reported.
    is_taken: bool,
    task: Ident,
    output: Ident,
    outcome: Ident,
}

impl Names {
    fn of(model: &Model<'_>) -> Self {
        let process = &model.syntax.name;
        let clashes = clashes(model);
        // A name that was reported is the user's own: what rustc says of two such types would follow.
        let generated = |suffix: &str| {
            let name = format_ident!("{}{suffix}", process);
            match clashes.iter().any(|clash| **clash == name) {
                true => format_ident!("__{}", name),
                false => name,
            }
        };
        Self {
            is_taken: clashes.contains(&process),
            process: process.clone(),
            task: generated("Task"),
            output: generated("Output"),
            outcome: generated("Outcome"),
        }
    }
}

/// The expansion of a process.
pub(crate) fn expand(checked: &Checked<'_>) -> TokenStream {
    let model = &checked.model;
    let names = Names::of(model);
    let types = types::expand(model, &names);
    let state = state::expand(model, &names);
    let implementation = process(checked, &names);
    let parts = if checked.hollow { TokenStream::new() } else { template::parts(model, &names) };
    // The lints that the shape of the generated code would raise, whatever the user's crate asks for.
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

fn process(checked: &Checked<'_>, names: &Names) -> TokenStream {
    let Names { process, task, output, outcome, .. } = names;
    let state = state(checked);
    let definition = definition::definition(checked, names);
    let code = code::code(checked, names);
    let ending = types::ending(&checked.model, names);
    let (within, check) = work::within(&checked.model, names);
    let locals = Locals::new();
    let Locals { ending: variable, .. } = &locals;
    let state = quote_spanned!(state.span()=> type State = #state;);
    quote! {
        impl ::cot_core::ProcessTypes for #process {
            #state
            type Task = #task;
            type Output = #output;
            type Outcome = #outcome;
        }
        impl ::cot_core::Process for #process {
            const DEFINITION: &'static ::cot_core::__private::Definition = &#definition;
            const CODE: &'static ::cot_core::__private::Code<Self> = &#code;
            #within
            const PLACE: &'static ::core::primitive::str = ::core::concat!(
                ::core::module_path!(), ":", ::core::line!(), ":", ::core::column!(),
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
    }
}

fn state(checked: &Checked<'_>) -> TokenStream {
    match checked.model.state_type() {
        Some(state) => quote!(#state),
        None => quote!(()),
    }
}

/// Local variables of the generated functions; no word of the user's can mean them.
struct Locals {
    scope: Ident,
    out: Ident,
    output: Ident,
    state: Ident,
    /// The state before the commit.
    before: Ident,
    value: Ident,
    ending: Ident,
    chosen: Ident,
    inputs: Ident,
    item: Ident,
}

impl Locals {
    fn new() -> Self {
        Self::at(Span::mixed_site())
    }

    /// The same variables, placed where errors about them are to point.
    fn at(span: Span) -> Self {
        let local = |name: &str| {
            // A name of its own also where the user has a constant called `value`.
            Ident::new(&format!("__{name}"), Span::mixed_site().located_at(span))
        };
        Self {
            scope: local("scope"),
            out: local("out"),
            output: local("output"),
            state: local("state"),
            before: local("before"),
            value: local("value"),
            ending: local("ending"),
            chosen: local("chosen"),
            inputs: local("inputs"),
            item: local("item"),
        }
    }
}

/// `Some(…)` or `None`.
fn option(value: Option<TokenStream>) -> TokenStream {
    match value {
        Some(value) => {
            let span = value.span();
            quote_spanned!(span=> ::core::option::Option::Some(#value))
        }
        None => quote!(::core::option::Option::None),
    }
}
