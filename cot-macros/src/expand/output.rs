//! The typed functions of a task's output.

use cot_syntax::TaskKind;
use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::{Path, spanned::Spanned};

use super::{Locals, Names, choice::choice_name, option, site::Site, update, work::given_inputs};
use crate::model::{Model, Place, Task};

/// The type of what a task gives, if it gives anything.
pub(super) fn output_type(task: &Task<'_>) -> Option<TokenStream> {
    let ty = task.output.as_ref();
    match task.kind {
        TaskKind::Ai | TaskKind::Human | TaskKind::Code => ty.map(|ty| quote!(#ty)),
        TaskKind::Each => ty.map(|ty| quote_spanned!(ty.span()=> ::std::vec::Vec<#ty>)),
        TaskKind::Process => {
            let path = &task.syntax.items.process.as_ref()?.value.path;
            Some(quote_spanned!(path.span()=> <#path as ::cot_core::ProcessTypes>::State))
        }
        TaskKind::Gateway | TaskKind::End | TaskKind::Fail | TaskKind::Unknown => None,
    }
}

/// The `OutputCode` of a task that has an output.
pub(super) fn output(model: &Model<'_>, names: &Names, task: &Task<'_>) -> Option<TokenStream> {
    let ty = output_type(task)?;
    let (outputs, variant) = (&names.output, &task.variant);
    let Locals { output, scope, value, state, .. } = &Locals::new();
    // The outputs of a for-each task are checked one by one.
    let check = (task.kind != TaskKind::Each).then(|| check(model, task));
    let async_check = option(async_check(names, task));
    let commit = commit(model, names, task);
    // What comes from outside needs a schema.
    let asked = task.output.as_ref().filter(|_| task.kind.asks());
    let schema =
        option(asked.map(|ty| quote_spanned!(ty.span()=> ::cot_core::__private::schema_of::<#ty>)));
    Some(quote! {
        ::cot_core::__private::OutputCode {
            schema: #schema,
            read: |#value, #scope| {
                let #output: #ty = ::cot_core::__private::read(#value)?;
                #check
                ::core::result::Result::Ok(#outputs::#variant(#output))
            },
            check: #async_check,
            restore: |#value| ::cot_core::__private::read(#value).map(#outputs::#variant),
            commit: |#output, #state, #scope| match #output {
                #outputs::#variant(#output) => { #commit }
                _ => ::core::result::Result::Ok(::core::option::Option::None),
            },
            to_json: |#output| match #output {
                #outputs::#variant(#output) => ::cot_core::__private::to_json(#output),
                _ => ::core::result::Result::Ok(::core::default::Default::default()),
            },
        }
    })
}

/// Runs `check`; a function of another signature is an error at its path.
pub(super) fn check(model: &Model<'_>, task: &Task<'_>) -> TokenStream {
    let check = task.syntax.items.check.as_ref().map(|item| &item.value);
    let Some(path) = check.filter(|check| check.is_async.is_none()).map(|check| &check.path) else {
        return TokenStream::new();
    };
    let span = path.span();
    let Locals { output, scope, inputs, item, .. } = &Locals::at(span);
    let site = Site::of(model, task, Place::Guard, refused);
    let items = &task.syntax.items;
    let bind_inputs = items.inputs.as_ref().map(|_| site.inputs(inputs));
    let inputs = items.inputs.as_ref().map(|_| quote_spanned!(span=> , #inputs));
    let bind_item = items.for_each.as_ref().map(|_| site.item(item));
    let item = items.for_each.as_ref().map(|_| quote_spanned!(span=> , #item));
    quote_spanned! {span=>
        #bind_inputs
        #bind_item
        ::cot_core::__private::checked((&#output, #scope.state #inputs #item), #scope, #path)?;
    }
}

/// The `check: async`, which the engine performs as it does a function.
fn async_check(names: &Names, task: &Task<'_>) -> Option<TokenStream> {
    let items = &task.syntax.items;
    let check = &items.check.as_ref()?.value;
    // That of a for-each task has been reported.
    check.is_async.filter(|_| task.kind != TaskKind::Each)?;
    let (outputs, variant, path) = (&names.output, &task.variant, &check.path);
    let span = path.span();
    let Locals { output, state, inputs, value, .. } = &Locals::at(span);
    let bind_inputs = given_inputs(task, inputs, value);
    let given = items.inputs.as_ref().map(|_| quote_spanned!(span=> , #value));
    let judged = quote_spanned! {span=>
        ::cot_core::__private::judged((&#output, &#state #given), #path).await
    };
    Some(quote! {
        |#output, #state, #inputs| ::std::boxed::Box::pin(async move {
            match #output {
                #outputs::#variant(#output) => { #bind_inputs #judged }
                _ => ::core::result::Result::Ok(::core::default::Default::default()),
            }
        })
    })
}

/// Applies `update` and `process_output`, all or nothing.
fn commit(model: &Model<'_>, names: &Names, task: &Task<'_>) -> TokenStream {
    let Locals { state, before, value, chosen, .. } = &Locals::new();
    let items = &task.syntax.items;
    let site = Site::of(model, task, Place::Write, refused);
    let path = items.process_output.as_ref().map(|item| &item.value.path);
    let update = items.update.as_ref();
    let update = update.map(|item| update::update(&item.value, &site, path.is_some()));
    let Some(path) = path else {
        return quote!(#update ::core::result::Result::Ok(::core::option::Option::None));
    };
    let call = process_output(path, names, task);
    let bind_inputs = items.inputs.as_ref().map(|_| {
        let Locals { inputs, .. } = Locals::at(path.span());
        Site::of(model, task, Place::Guard, refused).inputs(&inputs)
    });
    // The function may fail halfway: it works on a copy, which takes the state's place at the end.
    quote! {
        #bind_inputs
        let mut #value = ::core::clone::Clone::clone(&*#state);
        let #chosen = {
            let #before = &*#state;
            let #state = &mut #value;
            #update
            #call
        };
        *#state = #value;
        ::core::result::Result::Ok(#chosen)
    }
}

/// Calls `process_output`; the value is what it chose.
fn process_output(path: &Path, names: &Names, task: &Task<'_>) -> TokenStream {
    let span = path.span();
    let Locals { output, state, before, scope, inputs, .. } = Locals::at(span);
    let inputs = task.syntax.items.inputs.as_ref().map(|_| quote_spanned!(span=> , #inputs));
    let given = quote_spanned!(span=> (#output, &mut *#state #inputs), #before, #scope);
    match task.choices.is_empty() {
        true => quote_spanned!(span=> ::cot_core::__private::processed(#given, #path)?),
        false => {
            let choice = choice_name(names, task);
            quote_spanned! {span=>
                ::cot_core::__private::chosen::<#choice, _, _, _, _>(#given, #path)?
            }
        }
    }
}

/// What reading or committing an output gives when something is not there.
pub(super) fn refused(what: &str) -> TokenStream {
    quote!(::core::result::Result::Err(::cot_core::__private::absent(#what)))
}
