//! The typed functions of a task's output.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::{Path, spanned::Spanned};

use super::{Locals, Names, types::choice_name, update};
use crate::model::{Model, Place, Task};

/// The `OutputCode` of a task that has an output.
pub(super) fn output(model: &Model<'_>, names: &Names, task: &Task<'_>) -> Option<TokenStream> {
    let ty = task.syntax.output.as_ref()?;
    let (outputs, variant) = (&names.output, &task.variant);
    let Locals { output, state, goal, value, .. } = &Locals::new();
    let check = task.syntax.items.check.as_ref().map(|item| check(&item.value, model, task));
    let commit = commit(model, names, task);
    let schema = quote_spanned!(ty.span()=> ::cot_core::__private::schema_of::<#ty>);
    Some(quote! {
        ::cot_core::__private::OutputCode {
            schema: #schema,
            read: |#value, #state| {
                let #output: #ty = ::cot_core::__private::read(#value)?;
                #check
                ::core::result::Result::Ok(#outputs::#variant(#output))
            },
            commit: |#output, #state, #goal| match #output {
                #outputs::#variant(#output) => { #commit }
                _ => ::core::result::Result::Ok(::core::option::Option::None),
            },
            to_json: |#output| match #output {
                #outputs::#variant(#output) => ::cot_core::__private::to_json(#output),
                _ => ::core::result::Result::Ok(::std::string::String::new()),
            },
        }
    })
}

/// Runs `check`; a function of another signature is a mismatch under its path.
fn check(path: &Path, model: &Model<'_>, task: &Task<'_>) -> TokenStream {
    let Locals { output, state, value, .. } = &Locals::new();
    let ty = &task.syntax.output;
    let state_type = model.state_type();
    let span = path.span();
    let signature = quote_spanned! {span=>
        fn(&#ty, &#state_type) -> ::core::result::Result<(), ::cot_core::Issues>
    };
    quote_spanned! {span=>
        let #value: #signature = #path;
        #value(&#output, #state)?;
    }
}

/// Applies `update` and `process_output`, all or nothing.
fn commit(model: &Model<'_>, names: &Names, task: &Task<'_>) -> TokenStream {
    let Locals { state, value, chosen, .. } = &Locals::new();
    let items = &task.syntax.items;
    let update = items
        .update
        .as_ref()
        .map(|item| update::update(&item.value, &model.seen_at(task, Place::Write)));
    let Some(process) = items.process_output.as_ref().map(|item| &item.value) else {
        return quote!(#update ::core::result::Result::Ok(::core::option::Option::None));
    };
    let path = &process.path;
    let call = {
        let Locals { output, state, .. } = Locals::at(path.span());
        quote_spanned!(path.span()=> #path(#output, &mut *#state))
    };
    let call = match task.choices.is_empty() {
        true => quote_spanned!(path.span()=> ::cot_core::__private::processed(#call)?),
        false => {
            let choice = choice_name(names, task);
            quote_spanned!(path.span()=> ::cot_core::__private::chosen::<#choice, _>(#call)?)
        }
    };
    // The function may fail halfway: it works on a copy, which takes the state's place at the end.
    quote! {
        let mut #value = ::core::clone::Clone::clone(&*#state);
        let #chosen = {
            let #state = &mut #value;
            #update
            #call
        };
        *#state = #value;
        ::core::result::Result::Ok(#chosen)
    }
}
