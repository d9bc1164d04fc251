//! Generates the types of a process.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Attribute, Ident, ext::IdentExt};

use super::{choice, outputs};
use crate::expand::{
    kinds::{expansion::Ending, expansion_of},
    locals::Locals,
    mermaid,
    names::GeneratedNames,
};
use crate::model::{Model, Task};
use cot_syntax::TaskKind;

pub(in crate::expand) fn expand(model: &Model<'_>, names: &GeneratedNames) -> TokenStream {
    let process = process(model, names);
    let tasks = tasks(model, names);
    let outputs = outputs::expand(model, names);
    let outcome = outcome(model, names);
    let choices = model.tasks.iter().filter_map(|task| choice::expand(model, names, task));
    quote!(#process #tasks #outputs #outcome #(#choices)*)
}

fn process(model: &Model<'_>, names: &GeneratedNames) -> TokenStream {
    let (attributes, visibility) = (&model.syntax.attributes, &model.syntax.visibility);
    let name = &names.process;
    let doc = undocumented(attributes).then(|| format!("The process `{name}`."));
    let doc = doc.iter();
    let picture = format!("\n\n```mermaid\n{}```", mermaid::chart(model));
    let declared = (!names.is_taken).then(|| {
        quote! {
            #(#attributes)*
            #(#[doc = #doc])*
            #[doc = #picture]
            #[derive(::core::fmt::Debug, ::core::clone::Clone, ::core::marker::Copy)]
            #visibility struct #name;
        }
    });
    let functions = functions(model, name);
    quote!(#declared #functions)
}

/// Generates the functions of a process.
fn functions(model: &Model<'_>, name: &Ident) -> TokenStream {
    let visibility = &model.syntax.visibility;
    let (runner, machine) = constructors(model);
    quote! {
        #[allow(dead_code, clippy::all, clippy::pedantic, clippy::restriction, clippy::nursery)]
        impl #name {
            #runner

            /// Checks that models can run this process, without calling them.
            ///
            /// # Errors
            ///
            /// Returns an error that lists all missing models and all schemas that an engine does not
            /// support.
            #visibility fn preflight(
                models: &::cot_core::Models,
            ) -> ::core::result::Result<(), ::cot_core::PreflightError> {
                <Self as ::cot_core::Preflight>::preflight(models)
            }

            #machine

            /// Describes this process without running it.
            #visibility fn describe() -> ::cot_core::Description {
                ::cot_core::Description::new::<Self>()
            }
        }
    }
}

/// Generates the functions that create a runner and a machine. They take the context, if there is one.
fn constructors(model: &Model<'_>) -> (TokenStream, TokenStream) {
    let visibility = &model.syntax.visibility;
    let of_runner = quote! {
        /// Creates a runner of this process, without a model.
    };
    let of_machine = quote! {
        /// Creates a machine of this process, for a driver of your own.
    };
    let Some(item) = &model.syntax.items.context else {
        let runner = quote! {
            #of_runner
            #visibility fn runner() -> ::cot_core::Runner<Self> {
                ::cot_core::Runner::new()
            }
        };
        let machine = quote! {
            #of_machine
            #visibility fn machine() -> ::cot_core::Machine<Self> {
                ::cot_core::Machine::new()
            }
        };
        return (runner, machine);
    };
    let context = &item.value;
    // A mismatch reports the name of the parameter.
    let runner = quote! {
        #of_runner
        ///
        /// Its functions receive the context.
        #visibility fn runner(
            context: impl ::cot_core::IntoContext<#context>,
        ) -> ::cot_core::Runner<Self> {
            ::cot_core::Runner::with_context(context)
        }
    };
    let machine = quote! {
        #of_machine
        ///
        /// Its functions receive the context.
        #visibility fn machine(
            context: impl ::cot_core::IntoContext<#context>,
        ) -> ::cot_core::Machine<Self> {
            ::cot_core::Machine::with_context(context)
        }
    };
    (runner, machine)
}

fn undocumented(attributes: &[Attribute]) -> bool {
    !attributes.iter().any(|attribute| attribute.path().is_ident("doc"))
}

fn tasks(model: &Model<'_>, names: &GeneratedNames) -> TokenStream {
    let visibility = &model.syntax.visibility;
    let (process, task) = (&names.process, &names.task);
    let doc = format!("The tasks of [`{process}`].");
    let variants: Vec<_> = model.tasks.iter().map(|task| &task.variant).collect();
    let docs = model.tasks.iter().map(|task| format!("The task `{}`.", task.name()));
    let labels: Vec<_> = model.tasks.iter().map(|task| task.name().unraw().to_string()).collect();
    quote! {
        #[doc = #doc]
        #[derive(
            ::core::fmt::Debug, ::core::clone::Clone, ::core::marker::Copy, ::core::cmp::PartialEq,
            ::core::cmp::Eq, ::core::cmp::PartialOrd, ::core::cmp::Ord, ::core::hash::Hash,
        )]
        #visibility enum #task {
            #(#[doc = #docs] #variants,)*
        }

        #[automatically_derived]
        impl ::cot_core::TaskId for #task {
            const ALL: &'static [Self] = &[#(Self::#variants),*];

            fn name(self) -> &'static ::core::primitive::str {
                match self { #(Self::#variants => #labels,)* }
            }
        }

        #[automatically_derived]
        impl ::core::fmt::Display for #task {
            fn fmt(&self, formatter: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                formatter.write_str(::cot_core::TaskId::name(*self))
            }
        }

        ::cot_core::__private::serde_of_task!(#task);
    }
}

fn outcome(model: &Model<'_>, names: &GeneratedNames) -> TokenStream {
    let visibility = &model.syntax.visibility;
    let GeneratedNames { process, task, outcome, .. } = names;
    let doc = format!("The outcome of a run of [`{process}`].");
    let terminals = model.tasks.iter().filter_map(|task| {
        let variant = &task.variant;
        let doc = format!("The run ended with the task `{}`.", task.name());
        Some(match outcome_of(task)? {
            Ending::End => quote!(#[doc = #doc] #variant,),
            Ending::Fail => quote!(#[doc = #doc] #variant(::std::string::String),),
        })
    });
    let functions = outcome_functions(model, names);
    quote! {
        #[doc = #doc]
        #[derive(::core::fmt::Debug, ::core::clone::Clone, ::core::cmp::PartialEq)]
        #visibility enum #outcome {
            #(#terminals)*
            /// The run ended after this task, which has no next task and no caller.
            RanOut(#task),
            /// The run halted with an error.
            Halted(::std::boxed::Box<::cot_core::Halt<#task>>),
        }

        #functions
    }
}

/// Returns how a task ends a run, if it is a terminal. A task without items is taken for one that lacks `end`.
fn outcome_of(task: &Task<'_>) -> Option<Ending> {
    let is_empty = task.kind == TaskKind::Unknown && task.syntax.keys.is_empty();
    if is_empty { Some(Ending::End) } else { expansion_of(task.kind).outcome() }
}

/// Generates the functions of an outcome.
fn outcome_functions(model: &Model<'_>, names: &GeneratedNames) -> TokenStream {
    let visibility = &model.syntax.visibility;
    let GeneratedNames { task, outcome, .. } = names;
    let fails = |task: &&Task<'_>| matches!(outcome_of(task), Some(Ending::Fail));
    let failed = model.tasks.iter().filter(fails).map(|task| &task.variant);
    quote! {
        #[allow(dead_code, clippy::all, clippy::pedantic, clippy::restriction, clippy::nursery)]
        impl #outcome {
            /// Returns why the run halted, if it did.
            #visibility fn halt(&self) -> ::core::option::Option<&::cot_core::Halt<#task>> {
                match self {
                    Self::Halted(halt) => ::core::option::Option::Some(halt),
                    _ => ::core::option::Option::None,
                }
            }

            /// Returns why the run failed: the message of the `fail` task, or the task at which it halted and
            /// the reason. `None` if the run has not failed.
            #visibility fn why(&self) -> ::core::option::Option<::std::string::String> {
                match self {
                    #(Self::#failed(why) => ::core::option::Option::Some(why.clone()),)*
                    Self::Halted(halt) => {
                        ::core::option::Option::Some(::std::string::ToString::to_string(halt))
                    }
                    _ => ::core::option::Option::None,
                }
            }
        }
    }
}

/// Generates the conversion of an ending into the outcome of the process.
pub(in crate::expand) fn ending(model: &Model<'_>, names: &GeneratedNames) -> TokenStream {
    let GeneratedNames { task, outcome, .. } = names;
    let Locals { ending, value, .. } = &Locals::new();
    let arms = model.tasks.iter().filter_map(|item| {
        let variant = &item.variant;
        Some(match expansion_of(item.kind).outcome()? {
            Ending::End => quote! {
                ::cot_core::__private::Ending::End(#task::#variant) => #outcome::#variant,
            },
            Ending::Fail => quote! {
                ::cot_core::__private::Ending::Fail(#task::#variant, #value) => #outcome::#variant(#value),
            },
        })
    });
    quote! {
        match #ending {
            #(#arms)*
            ::cot_core::__private::Ending::End(#value)
            | ::cot_core::__private::Ending::Fail(#value, _)
            | ::cot_core::__private::Ending::RanOut(#value) => #outcome::RanOut(#value),
            ::cot_core::__private::Ending::Halted(#value) => {
                #outcome::Halted(::std::boxed::Box::new(#value))
            }
        }
    }
}
