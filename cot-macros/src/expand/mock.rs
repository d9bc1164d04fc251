//! Generates mocks.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};

use super::{
    locals::{Locals, callee, end},
    names::GeneratedNames,
    site::Site,
};
use crate::model::{Model, Place, Task};

/// Generates the mock of a task, which answers in the place of a model, a person or a function.
pub(super) fn mock(model: &Model<'_>, task: &Task<'_>) -> Option<TokenStream> {
    let items = &task.syntax.items;
    let path = &items.mock.as_ref()?.value;
    let (span, call_mock) = (end(path), callee(path, "call_mock"));
    let Locals { scope, inputs, item, .. } = &Locals::at(span);
    let site = Site::for_task(model, task, Place::Guard, fallback_mock);
    let bind_inputs = items.inputs.as_ref().map(|_| site.inputs(inputs));
    let inputs = items.inputs.as_ref().map(|_| quote_spanned!(span=> , #inputs));
    let bind_item = items.for_each.as_ref().map(|_| site.item(item));
    let item = items.for_each.as_ref().map(|_| quote_spanned!(span=> , #item));
    // The mock of a for-each task returns the output for one item.
    let ty = task.output.as_ref().map(|ty| quote!(#ty));
    let ty = ty.unwrap_or_else(|| quote!(()));
    Some(quote_spanned! {span=>
        |#scope| {
            #bind_inputs
            #bind_item
            ::cot_core::__private::encode_mock(
                #call_mock(
                    (#scope.state #inputs #item,), #scope, ::core::marker::PhantomData::<#ty>, #path
                )
            )
        }
    })
}

/// Generates the mock of the process, which answers for tasks without a mock of their own.
pub(super) fn process_mock(model: &Model<'_>, names: &GeneratedNames) -> Option<TokenStream> {
    let path = &model.syntax.items.mock.as_ref()?.value;
    let (span, call_mock) = (end(path), callee(path, "call_mock"));
    let Locals { scope, .. } = &Locals::at(span);
    let outputs = &names.output;
    Some(quote_spanned! {span=>
        |#scope| #call_mock((), #scope, ::core::marker::PhantomData::<#outputs>, #path)
    })
}

/// The fallback of a mock when a value is missing.
fn fallback_mock(what: &str) -> TokenStream {
    quote!(::core::result::Result::Err(::cot_core::__private::mock_error(#what)))
}
