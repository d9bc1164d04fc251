//! Generates the typed functions of the output of a task.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::{Path, spanned::Spanned as _};

use super::{
    checks::{async_check, check},
    fields::update,
    kinds::expansion_of,
    locals::{Locals, callee, end},
    names::GeneratedNames,
    site::{Site, fallback_error},
    types::choice_name,
    values::option,
};
use crate::model::{Model, Place, Task};

/// Generates the `OutputCode` of a task that has an output.
pub(super) fn output(
    model: &Model<'_>,
    names: &GeneratedNames,
    task: &Task<'_>,
) -> Option<TokenStream> {
    let expansion = expansion_of(task.kind);
    let ty = expansion.output_type(task)?;
    let (outputs, variant) = (&names.output, &task.variant);
    let Locals { output, scope, value, state, .. } = &Locals::new();
    // The outputs of a for-each task are checked one by one as they arrive.
    let is_whole = !expansion.is_read_in_items();
    let check = is_whole.then(|| check(model, task));
    let async_check = option(if is_whole { async_check(names, task) } else { None });
    let commit = commit(model, names, task);
    // Outputs of models and persons need a schema, unless the program reads the replies itself.
    let syntax = task.syntax;
    let reads = syntax.items.read.is_some() || syntax.invalid.may_include(&["read"]);
    let has_schema = task.kind.asks_model_or_person() && !reads;
    let asked = task.output.as_ref().filter(|_| has_schema);
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

/// Generates the atomic application of `update` and `process_output`.
fn commit(model: &Model<'_>, names: &GeneratedNames, task: &Task<'_>) -> TokenStream {
    let Locals { state, before, value, chosen, .. } = &Locals::new();
    let items = &task.syntax.items;
    let site = Site::for_task(model, task, Place::Write, fallback_error);
    let path = items.process_output.as_ref().and_then(|item| item.value.path.as_ref());
    let update = items.update.as_ref();
    let update = update.map(|item| update::update(&item.value, &site, path.is_some()));
    let Some(path) = path else {
        return quote!(#update ::core::result::Result::Ok(::core::option::Option::None));
    };
    let call = process_output(path, names, task);
    let bind_inputs = items.inputs.as_ref().map(|_| {
        let Locals { inputs, .. } = Locals::at(end(path));
        Site::for_task(model, task, Place::Guard, fallback_error).inputs(&inputs)
    });
    // The function may fail halfway, so it works on a copy, which replaces the state at the end.
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

/// Generates the call of `process_output`, which returns its choice.
fn process_output(path: &Path, names: &GeneratedNames, task: &Task<'_>) -> TokenStream {
    let span = end(path);
    let Locals { output, state, before, scope, inputs, .. } = Locals::at(span);
    let inputs = task.syntax.items.inputs.as_ref().map(|_| quote_spanned!(span=> , #inputs));
    let given = quote_spanned!(span=> (#output, &mut *#state #inputs), #before, #scope);
    match task.choices.is_empty() {
        true => {
            let call = callee(path, "call_process_output");
            quote_spanned!(span=> #call(#given, #path)?)
        }
        false => {
            let choice = choice_name(names, task);
            // `None` leads to `next`.
            let choice = match task.next.is_empty() {
                true => quote_spanned!(span=> #choice),
                false => quote_spanned!(span=> ::core::option::Option<#choice>),
            };
            let call = callee(path, "call_choosing_process_output");
            quote_spanned! {span=>
                #call(#given, ::core::marker::PhantomData::<#choice>, #path)?
            }
        }
    }
}
