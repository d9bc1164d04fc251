//! What a task does besides asking: its function, its items, its sub-process, its mock.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::{Ident, Path, spanned::Spanned};

use super::{Locals, Names, option, output::check, site::Site};
use crate::model::{Model, Place, Task};
use cot_syntax::{TaskKind, With};

/// The `Work` of a task.
pub(super) fn work(model: &Model<'_>, names: &Names, task: &Task<'_>) -> TokenStream {
    let work = match task.kind {
        TaskKind::Code => run(model, task),
        TaskKind::Each => each(model, task),
        TaskKind::Process => sub_process(model, names, task),
        _ => None,
    };
    work.unwrap_or_else(|| quote!(::cot_core::__private::Work::None))
}

/// The `InputsCode` of a task that takes inputs.
pub(super) fn inputs(model: &Model<'_>, task: &Task<'_>) -> Option<TokenStream> {
    let ty = &task.syntax.items.inputs.as_ref()?.value;
    let mut transitions = model.tasks.iter().flat_map(|task| &task.transitions);
    let by_model = transitions
        .any(|edge| edge.target == task.index && matches!(edge.syntax.with, Some(With::Model(_))));
    let schema = option(
        by_model.then(|| quote_spanned!(ty.span()=> ::cot_core::__private::schema_of::<#ty>)),
    );
    let read = quote_spanned!(ty.span()=> <#ty as ::cot_core::__private::TaskInputs>::read);
    Some(quote!(::cot_core::__private::InputsCode { schema: #schema, read: #read }))
}

/// The function that answers in the place of a model, a person or a function.
pub(super) fn mock(model: &Model<'_>, task: &Task<'_>) -> Option<TokenStream> {
    let items = &task.syntax.items;
    let path = &items.mock.as_ref()?.value;
    let span = path.span();
    let Locals { scope, inputs, item, .. } = &Locals::at(span);
    let site = Site::of(model, task, Place::Guard, unmockable);
    let bind_inputs = items.inputs.as_ref().map(|_| site.inputs(inputs));
    let inputs = items.inputs.as_ref().map(|_| quote_spanned!(span=> , #inputs));
    let bind_item = items.for_each.as_ref().map(|_| site.item(item));
    let item = items.for_each.as_ref().map(|_| quote_spanned!(span=> , #item));
    // Of a for-each task, the output for one item.
    let ty = task.output.as_ref().map(|ty| quote!(#ty));
    let ty = ty.unwrap_or_else(|| quote!(()));
    Some(quote_spanned! {span=>
        |#scope| {
            #bind_inputs
            #bind_item
            ::cot_core::__private::mocked(
                ::cot_core::__private::answered::<_, #ty, _, _>((#scope.state #inputs #item,), #path)
            )
        }
    })
}

/// The function that answers for the tasks that have no mock of their own.
pub(super) fn process_mock(model: &Model<'_>, names: &Names) -> Option<TokenStream> {
    let path = &model.syntax.items.mock.as_ref()?.value;
    let span = path.span();
    let Locals { scope, .. } = &Locals::at(span);
    let outputs = &names.output;
    Some(quote_spanned! {span=>
        |#scope| ::cot_core::__private::answered::<_, #outputs, _, _>((#scope,), #path)
    })
}

fn run(model: &Model<'_>, task: &Task<'_>) -> Option<TokenStream> {
    let items = &task.syntax.items;
    let path = &items.run.as_ref()?.value;
    let span = path.span();
    let Locals { state, inputs, value, .. } = &Locals::at(span);
    let bind_inputs = given_inputs(task, inputs, value);
    let given = items.inputs.as_ref().map(|_| quote_spanned!(span=> , #value));
    let output = task.output.as_ref().map_or_else(|| quote!(()), |ty| quote!(#ty));
    let call = quote_spanned! {span=>
        ::cot_core::__private::begun::<_, #output, _, _>((&#state #given,), #path)
    };
    let ran = quote_spanned!(span=> ::cot_core::__private::ran::<#output, _, _>(#call).await);
    let kept = task.output.as_ref().map(|ty| {
        quote_spanned! {ty.span()=>
            {
                #[allow(unused_imports)]
                use ::cot_core::__private::PlainOutput as _;
                ::cot_core::__private::OutputOf::<#ty>::is_kept();
            }
        }
    });
    // With its type, so that another one is a mismatch under the path.
    let state_type = model.state_type();
    Some(quote! {
        ::cot_core::__private::Work::Run(|#state: #state_type, #inputs| {
            ::std::boxed::Box::pin(async move { #kept #bind_inputs #ran })
        })
    })
}

/// Takes the inputs of a task out of what an async function is given.
pub(super) fn given_inputs(task: &Task<'_>, inputs: &Ident, value: &Ident) -> Option<TokenStream> {
    let ty = &task.syntax.items.inputs.as_ref()?.value;
    let given = quote_spanned! {ty.span()=>
        ::cot_core::__private::inputs::<#ty>(#inputs.as_ref())
    };
    Some(quote! {
        let ::core::option::Option::Some(#value) = #given else {
            return ::core::result::Result::Err(::cot_core::__private::no_inputs());
        };
    })
}

fn each(model: &Model<'_>, task: &Task<'_>) -> Option<TokenStream> {
    let ty = task.output.as_ref()?;
    let list = &task.syntax.items.for_each.as_ref()?.value.list;
    let Locals { scope, value, output, .. } = Locals::new();
    let site = Site::of(model, task, Place::List, zero);
    let count = match site.is_sound(list) {
        true => site.list(|list| quote_spanned!(list.span()=> ::cot_core::__private::count(#list))),
        false => zero(""),
    };
    let check = check(model, task);
    Some(quote! {
        ::cot_core::__private::Work::Each(::cot_core::__private::EachCode {
            count: |#scope| #count,
            read: |#value, #scope| {
                let #output: #ty = ::cot_core::__private::read(#value)?;
                #check
                ::core::result::Result::Ok(())
            },
        })
    })
}

fn sub_process(model: &Model<'_>, names: &Names, task: &Task<'_>) -> Option<TokenStream> {
    let process = &task.syntax.items.process.as_ref()?.value;
    let path = &process.path;
    if is_self(path, names) {
        return None;
    }
    let Locals { scope, .. } = Locals::new();
    let site = Site::of(model, task, Place::Start, never);
    let begin = match process.with.as_ref().filter(|expr| site.is_sound(expr)) {
        Some(expr) => {
            let bindings = site.bindings(&[expr]);
            let value = site.value(expr);
            let begin = quote_spanned!(path.span()=> ::cot_core::__private::begin::<#path>);
            quote!(#bindings ::core::option::Option::Some(#begin(#value)))
        }
        None if process.with.is_some() => never(""),
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
        ::cot_core::__private::Work::Process(::cot_core::__private::SubProcess {
            begin: |#scope| { #begin },
            resume: #resume,
            describe: #describe,
            end: |#scope| #end(#scope).map(#outputs::#variant),
        })
    })
}

/// The list of the processes that the tasks run, and the constant that is no value where one of them
/// runs the process again.
pub(super) fn within(model: &Model<'_>, names: &Names) -> (TokenStream, TokenStream) {
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
    (quote!(type Within = #list;), check.unwrap_or_default())
}

/// Whether a sub-process is the process itself, which has been reported.
pub(super) fn is_self(path: &Path, names: &Names) -> bool {
    path.is_ident(&names.process) || path.is_ident("Self")
}

/// The number of items when something is not there.
fn zero(_: &str) -> TokenStream {
    quote!(0)
}

/// What a sub-process begins with when something is not there.
fn never(_: &str) -> TokenStream {
    quote!(::core::option::Option::None)
}

/// What a mock gives when something is not there.
fn unmockable(what: &str) -> TokenStream {
    quote!(::core::result::Result::Err(::cot_core::__private::unmockable(#what)))
}
