//! Expands sub-processes.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::{Path, spanned::Spanned};

use super::expansion::KindExpansion;
use crate::{
    expand::{locals::Locals, names::GeneratedNames, site::Site},
    model::{Model, Place, Task},
};

pub(super) struct SubProcessExpansion;

impl KindExpansion for SubProcessExpansion {
    fn definition(&self, _: &Model<'_>, names: &GeneratedNames, task: &Task<'_>) -> TokenStream {
        definition(task, names)
    }

    fn output_type(&self, task: &Task<'_>) -> Option<TokenStream> {
        let path = &task.syntax.items.process.as_ref()?.value.path;
        Some(quote_spanned!(path.span()=> <#path as ::cot_core::ProcessTypes>::State))
    }

    fn output_is_state(&self) -> bool {
        true
    }

    fn work(
        &self,
        model: &Model<'_>,
        names: &GeneratedNames,
        task: &Task<'_>,
    ) -> Option<TokenStream> {
        work(model, names, task)
    }
}

fn definition(task: &Task<'_>, names: &GeneratedNames) -> TokenStream {
    let path = task.syntax.items.process.as_ref().map(|item| &item.value.path);
    match path.filter(|path| !is_self(path, names)) {
        Some(path) => quote_spanned! {path.span()=>
            ::cot_core::__private::TaskKind::Process(|| <#path as ::cot_core::Process>::DEFINITION)
        },
        None => quote!(::cot_core::__private::TaskKind::End),
    }
}

fn work(model: &Model<'_>, names: &GeneratedNames, task: &Task<'_>) -> Option<TokenStream> {
    let process = &task.syntax.items.process.as_ref()?.value;
    let path = &process.path;
    if is_self(path, names) {
        return None;
    }
    let Locals { scope, .. } = Locals::new();
    let site = Site::for_task(model, task, Place::Start, fallback_start);
    let begin = match process.with.as_ref().filter(|expr| site.is_sound(expr)) {
        Some(expr) => {
            let bindings = site.bindings(&[expr]);
            let value = site.value(expr);
            let begin = quote_spanned!(path.span()=> ::cot_core::__private::begin::<#path>);
            quote!(#bindings ::core::option::Option::Some(#begin(#value)))
        }
        None if process.with.is_some() => fallback_start(""),
        None => {
            let Locals { scope, .. } = Locals::at(path.span());
            let state = model.state_type();
            let begin = quote_spanned! {path.span()=>
                ::cot_core::__private::begin_from::<#path, #state>(#scope.state)
            };
            quote!(::core::option::Option::Some(#begin))
        }
    };
    let resume = quote_spanned!(path.span()=> ::cot_core::__private::resume::<#path>);
    let describe = quote_spanned!(path.span()=> ::cot_core::__private::describe::<#path>);
    let end = quote_spanned!(path.span()=> ::cot_core::__private::end::<#path>);
    let (outputs, variant) = (&names.output, &task.variant);
    Some(quote! {
        ::cot_core::__private::TaskFunction::Process(::cot_core::__private::SubProcess {
            begin: |#scope| { #begin },
            resume: #resume,
            describe: #describe,
            end: |#scope| #end(#scope).map(#outputs::#variant),
        })
    })
}

/// Generates the list of the sub-processes, and the constant whose evaluation fails if one of them runs this
/// process again.
pub(in crate::expand) fn list_sub_processes(
    model: &Model<'_>,
    names: &GeneratedNames,
) -> (TokenStream, TokenStream) {
    let processes = model.tasks.iter().filter_map(|task| task.syntax.items.process.as_ref());
    let paths = processes.map(|item| &item.value.path).filter(|path| !is_self(path, names));
    let paths: Vec<_> = paths.collect();
    let list = paths
        .iter()
        .rev()
        .fold(quote!(()), |list, path| quote_spanned!(path.span()=> (#path, #list)));
    let process = &names.process;
    let check = paths.first().map(|path| {
        let check =
            quote_spanned!(path.span()=> ::cot_core::__private::check_runs_end::<#process>());
        quote_spanned!(path.span()=> const _: () = #check;)
    });
    (quote!(type SubProcesses = #list;), check.unwrap_or_default())
}

/// Returns whether a sub-process is the process itself, which has been reported.
fn is_self(path: &Path, names: &GeneratedNames) -> bool {
    path.is_ident(&names.process) || path.is_ident("Self")
}

/// The fallback of the initial state of a sub-process when a value is missing.
fn fallback_start(_: &str) -> TokenStream {
    quote!(::core::option::Option::None)
}
