//! Generates the calls of `check`.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};

use super::{
    found_in::found_in,
    inputs::given_inputs,
    locals::{Locals, callee, end},
    names::GeneratedNames,
    site::{Site, fallback_error},
};
use crate::model::{Model, Place, Task};

/// Generates the lookup of `found_in` and the call of a synchronous `check`. A wrong signature of the function is reported at its path.
pub(super) fn check(model: &Model<'_>, task: &Task<'_>) -> TokenStream {
    let found_in = found_in(model, task);
    let check = task.syntax.items.check.as_ref().map(|item| &item.value);
    let Some(path) = check.filter(|check| check.is_async.is_none()).map(|check| &check.path) else {
        return found_in;
    };
    let (span, call_check) = (end(path), callee(path, "call_check"));
    let Locals { output, scope, inputs, item, .. } = &Locals::at(span);
    let site = Site::for_task(model, task, Place::Guard, fallback_error);
    let items = &task.syntax.items;
    let bind_inputs = items.inputs.as_ref().map(|_| site.inputs(inputs));
    let inputs = items.inputs.as_ref().map(|_| quote_spanned!(span=> , #inputs));
    let bind_item = items.for_each.as_ref().map(|_| site.item(item));
    let item = items.for_each.as_ref().map(|_| quote_spanned!(span=> , #item));
    quote_spanned! {span=>
        #found_in
        #bind_inputs
        #bind_item
        #call_check((&#output, #scope.state #inputs #item), #scope, #path)?;
    }
}

/// Generates the function for `check: async`, which the engine performs like a `run` function.
pub(super) fn async_check(names: &GeneratedNames, task: &Task<'_>) -> Option<TokenStream> {
    let items = &task.syntax.items;
    let check = &items.check.as_ref()?.value;
    check.is_async?;
    let (outputs, variant, path) = (&names.output, &task.variant, &check.path);
    let (span, call_check) = (end(path), callee(path, "call_async_check"));
    let Locals { output, owned, scope, value, .. } = &Locals::at(span);
    let bind_inputs = given_inputs(task, scope, value);
    let given = items.inputs.as_ref().map(|_| quote_spanned!(span=> , #value));
    let judged = quote_spanned! {span=>
        #call_check((#output, #scope.state #given), &#scope, #path).await
    };
    Some(quote! {
        |#output, #owned| ::std::boxed::Box::pin(async move {
            let #scope = #owned.cx();
            match &*#output {
                #outputs::#variant(#output) => { #bind_inputs #judged }
                _ => ::core::result::Result::Ok(::core::default::Default::default()),
            }
        })
    })
}
