//! Expands code tasks.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;

use super::expansion::{KindExpansion, declared_type};
use crate::{
    expand::{
        inputs::given_inputs,
        locals::{Locals, callee, end},
        names::GeneratedNames,
        site::Site,
    },
    model::{Model, Place, Task},
};

pub(super) struct CodeExpansion;

impl KindExpansion for CodeExpansion {
    fn definition(&self, _: &Model<'_>, _: &GeneratedNames, task: &Task<'_>) -> TokenStream {
        let effect = effect(task);
        quote!(::cot_core::__private::TaskKind::Code(#effect))
    }

    fn output_type(&self, task: &Task<'_>) -> Option<TokenStream> {
        declared_type(task)
    }

    fn work(&self, model: &Model<'_>, _: &GeneratedNames, task: &Task<'_>) -> Option<TokenStream> {
        let (start, result) = (start(model, task)?, result_schema(task));
        Some(quote!(::cot_core::__private::TaskFunction::Run(#start, #result)))
    }
}

/// Generates the `Effect` of the function of a task.
pub(super) fn effect(task: &Task<'_>) -> TokenStream {
    match task.is_once() {
        true => quote!(::cot_core::__private::Effect::Once),
        false => quote!(::cot_core::__private::Effect::Repeatable),
    }
}

/// Generates the schema of the result of the function of a task, if its type has one.
pub(super) fn result_schema(task: &Task<'_>) -> TokenStream {
    let output = result_type(task);
    quote! {
        {
            #[allow(unused_imports)]
            use ::cot_core::__private::AnyResult as _;
            ::cot_core::__private::ResultType::<#output>::SCHEMA
        }
    }
}

fn result_type(task: &Task<'_>) -> TokenStream {
    task.output.as_ref().map_or_else(|| quote!(()), |ty| quote!(#ty))
}

/// Generates the start of the function of a task, which receives the item of a for-each task last.
pub(super) fn start(model: &Model<'_>, task: &Task<'_>) -> Option<TokenStream> {
    let items = &task.syntax.items;
    let path = &items.run.as_ref()?.value;
    let (span, start_function) = (end(path), callee(path, "start_function"));
    let Locals { state, owned, scope, value, item, .. } = &Locals::at(span);
    let bind_inputs = given_inputs(task, scope, value);
    let given = items.inputs.as_ref().map(|_| quote_spanned!(span=> , #value));
    let site = Site::for_task(model, task, Place::Guard, fallback_item);
    let bind_item = items.for_each.as_ref().map(|_| site.item(item));
    let item = items.for_each.as_ref().map(|_| quote_spanned!(span=> , #item));
    let output = result_type(task);
    let call = quote_spanned! {span=>
        #start_function(
            (#state #given #item,), &#scope, ::core::marker::PhantomData::<#output>, #path
        )
    };
    let ran =
        quote_spanned!(span=> ::cot_core::__private::finish_function::<#output, _, _>(#call).await);
    let kept = task.output.as_ref().map(|ty| {
        quote_spanned! {ty.span()=>
            {
                #[allow(unused_imports)]
                use ::cot_core::__private::PlainOutput as _;
                ::cot_core::__private::OutputOf::<#ty>::require_storable();
            }
        }
    });
    // The type annotation makes rustc report a mismatch at the path.
    let state_type = model.state_type();
    Some(quote! {
        |#owned| ::std::boxed::Box::pin(async move {
            #kept
            let #scope = #owned.cx();
            let #state: &#state_type = #scope.state;
            #bind_inputs
            #bind_item
            #ran
        })
    })
}

/// The fallback of a function when its item is missing.
fn fallback_item(_: &str) -> TokenStream {
    quote!(::core::result::Result::Err(::cot_core::__private::missing_item_error()))
}
