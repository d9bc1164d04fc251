//! Expands sub-processes.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::{Expr, Path, spanned::Spanned};

use cot_syntax::SubProcess;

use super::expansion::KindExpansion;
use crate::{
    expand::{
        locals::{Locals, callee, end},
        names::GeneratedNames,
        site::Site,
        values::value_of,
    },
    model::{Model, Place, Task, find_mention},
};

pub(super) struct SubProcessExpansion;

impl KindExpansion for SubProcessExpansion {
    fn definition(&self, _: &Model<'_>, names: &GeneratedNames, task: &Task<'_>) -> TokenStream {
        match process_definition(task, names) {
            Some(process) => quote!(::cot_core::__private::TaskKind::Process(#process)),
            None => quote!(::cot_core::__private::TaskKind::End),
        }
    }

    fn output_type(&self, task: &Task<'_>) -> Option<TokenStream> {
        state_type(task)
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
        let (outputs, variant) = (&names.output, &task.variant);
        let process = sub_process(model, names, task, &quote!(#outputs::#variant))?;
        Some(quote!(::cot_core::__private::TaskFunction::Process(#process)))
    }
}

/// Generates the closure that returns the tables of a sub-process; `None` for one that has been reported.
pub(super) fn process_definition(task: &Task<'_>, names: &GeneratedNames) -> Option<TokenStream> {
    let path = &task.syntax.items.process.as_ref()?.value.path;
    let is_other = !is_self(path, names);
    is_other.then(|| quote_spanned!(path.span()=> || <#path as ::cot_core::Process>::DEFINITION))
}

/// Returns the type of the final state of a sub-process.
pub(super) fn state_type(task: &Task<'_>) -> Option<TokenStream> {
    let path = &task.syntax.items.process.as_ref()?.value.path;
    Some(quote_spanned!(path.span()=> <#path as ::cot_core::ProcessTypes>::State))
}

/// Generates the `SubProcess` of a task. `output` converts the final state into the output.
pub(super) fn sub_process(
    model: &Model<'_>,
    names: &GeneratedNames,
    task: &Task<'_>,
    output: &TokenStream,
) -> Option<TokenStream> {
    let process = &task.syntax.items.process.as_ref()?.value;
    let path = &process.path;
    if is_self(path, names) {
        return None;
    }
    let context = value_of(&task.syntax.items.context);
    if context.is_some_and(|context| model.missing_context(context).is_some()) {
        return None;
    }
    let Locals { scope, .. } = Locals::new();
    let site = Site::for_task(model, task, Place::Start, fallback_start);
    let begin = match process.with.as_ref().filter(|expr| site.is_sound(expr)) {
        Some(expr) => {
            let bindings = site.bindings(&[expr]);
            let value = site.value(expr);
            let begin = begin(process, context, value);
            quote!(#bindings #begin)
        }
        None if process.with.is_some() => fallback_start(""),
        None => {
            let Locals { scope, .. } = Locals::at(end(path));
            let (state, start_from) = (model.state_type(), callee(path, "start_from"));
            let start = quote_spanned! {end(path)=> #start_from::<#path, #state>(#scope.state) };
            begin(process, context, start)
        }
    };
    let resume = resume(process, context);
    let (describe, end) = (callee(path, "describe"), callee(path, "end"));
    Some(quote! {
        ::cot_core::__private::SubProcess {
            begin: |#scope| { #begin },
            resume: #resume,
            describe: #describe::<#path>,
            end: |#scope| #end::<#path>(#scope).map(#output),
        }
    })
}

/// Generates the start of the sub-process in a state.
fn begin(process: &SubProcess, context: Option<&Expr>, state: TokenStream) -> TokenStream {
    let path = &process.path;
    let Locals { scope, .. } = &Locals::at(end(path));
    let begin = match context {
        None => {
            let begin = callee(path, "begin");
            quote_spanned!(end(path)=> #begin::<#path, _>(#state, #scope))
        }
        Some(context) => {
            let (begin_with, context) = (callee(path, "begin_with"), given_context(context));
            quote_spanned!(end(path)=> #begin_with::<#path, _>(#state, #scope, #context))
        }
    };
    quote!(::core::option::Option::Some(#begin))
}

/// Generates the function that resumes the sub-process.
fn resume(process: &SubProcess, context: Option<&Expr>) -> TokenStream {
    let path = &process.path;
    let Some(context) = context.map(given_context) else {
        let resume = callee(path, "resume");
        return quote_spanned!(end(path)=> #resume::<#path, _>);
    };
    let Locals { scope, value, out, .. } = &Locals::at(end(path));
    let resume_with = callee(path, "resume_with");
    quote_spanned! {end(path)=>
        |#value, #out, #scope| #resume_with::<#path, _>(#value, #out, #scope, #context)
    }
}

/// Generates the context of the sub-process from `app`, the context of the process.
fn given_context(context: &Expr) -> TokenStream {
    let Locals { scope, .. } = Locals::at(context.span());
    let app = find_mention(context, "app").map(|app| quote!(let #app = #scope.app();));
    quote_spanned!(context.span()=> { #app #context })
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
