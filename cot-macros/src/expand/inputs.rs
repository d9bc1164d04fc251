//! Generates the inputs of tasks.

use cot_syntax::With;
use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::{Ident, spanned::Spanned};

use super::values::option;
use crate::model::{Model, Task};

/// Generates the `InputsCode` of a task that takes inputs.
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

/// Generates the binding of the inputs of a task in an async function.
pub(super) fn given_inputs(task: &Task<'_>, cx: &Ident, value: &Ident) -> Option<TokenStream> {
    let ty = &task.syntax.items.inputs.as_ref()?.value;
    let given = quote_spanned! {ty.span()=>
        ::cot_core::__private::inputs::<#ty>(#cx.inputs)
    };
    Some(quote! {
        let ::core::option::Option::Some(#value) = #given else {
            return ::core::result::Result::Err(::cot_core::__private::missing_inputs_error());
        };
    })
}
