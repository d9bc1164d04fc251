//! Functions that answer in the place of models, persons and functions.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;

use super::{locals::Locals, names::Names, site::Site};
use crate::model::{Model, Place, Task};

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

/// What a mock gives when something is not there.
fn unmockable(what: &str) -> TokenStream {
    quote!(::core::result::Result::Err(::cot_core::__private::unmockable(#what)))
}
