//! Expands tasks of tool calls.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;

use super::expansion::{KindExpansion, declared_type};
use crate::{
    expand::{
        locals::{Locals, callee, end},
        names::GeneratedNames,
        site::{Site, is_place},
        tools,
        values::{number, value_of},
    },
    model::{Model, Place, Task},
};

pub(super) struct CallsExpansion;

impl KindExpansion for CallsExpansion {
    fn definition(&self, _: &Model<'_>, _: &GeneratedNames, task: &Task<'_>) -> TokenStream {
        let tools = tools::uses(task);
        let bound = number(value_of(&task.syntax.items.max_concurrency));
        quote! {
            ::cot_core::__private::TaskKind::Calls(::cot_core::__private::CallsDefinition {
                tools: #tools,
                max_concurrency: #bound,
            })
        }
    }

    fn output_type(&self, task: &Task<'_>) -> Option<TokenStream> {
        declared_type(task)
    }

    fn work(&self, model: &Model<'_>, _: &GeneratedNames, task: &Task<'_>) -> Option<TokenStream> {
        let (expr, ty) = (value_of(&task.syntax.items.calls)?, task.output.as_ref()?);
        let Locals { scope, .. } = Locals::new();
        let site = Site::for_task(model, task, Place::Calls, fallback_calls);
        site.is_sound(expr).then_some(())?;
        let (bindings, value) = (site.bindings(&[expr]), site.value(expr));
        let borrow = is_place(expr).then(|| quote_spanned!(expr.span()=> &));
        let tool_calls = callee(expr, "tool_calls");
        let call = quote_spanned!(end(expr)=> #tool_calls(#borrow #value));
        let checked = quote_spanned! {ty.span()=>
            ::cot_core::__private::require_tool_round::<#ty>();
        };
        Some(quote! {
            ::cot_core::__private::TaskFunction::Calls(|#scope| { #checked #bindings #call })
        })
    }
}

/// The fallback of the calls when a value is missing.
fn fallback_calls(_: &str) -> TokenStream {
    quote!(::std::vec::Vec::new())
}
