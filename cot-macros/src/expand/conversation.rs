//! Generates the examples and the turns that precede the prompt of a task, and what reads its replies.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::{Expr, Path, spanned::Spanned};

use super::{
    kinds::reading::reply_code,
    locals::{Locals, callee, end},
    names::GeneratedNames,
    site::Site,
    tools,
    values::{option, value_of},
};
use crate::model::{Model, Place, Task};

/// Generates the `ConversationCode` of a task.
pub(super) fn conversation(
    model: &Model<'_>,
    names: &GeneratedNames,
    task: &Task<'_>,
) -> TokenStream {
    let items = &task.syntax.items;
    let turns = value_of(&items.turns).filter(|_| task.kind.asks_model());
    let turns = turns.and_then(|expr| turns_code(model, task, expr));
    let examples = value_of(&items.examples).filter(|_| task.kind.asks_model());
    let examples = examples.and_then(|path| examples_code(task, path));
    let guards = tools::use_guards(model, task);
    let reply = reply_code(model, names, task);
    if turns.is_none() && examples.is_none() && guards.is_none() && reply.is_none() {
        return quote!(::cot_core::__private::ConversationCode::NONE);
    }
    let (turns, examples, reply) = (option(turns), option(examples), option(reply));
    let guards = guards.unwrap_or_else(|| quote!(&[]));
    quote! {
        ::cot_core::__private::ConversationCode {
            turns: #turns,
            examples: #examples,
            tool_guards: #guards,
            reply: #reply,
        }
    }
}

fn turns_code(model: &Model<'_>, task: &Task<'_>, expr: &Expr) -> Option<TokenStream> {
    let Locals { scope, .. } = Locals::new();
    let site = Site::for_task(model, task, Place::Turns, fallback_turns);
    site.is_sound(expr).then_some(())?;
    let (bindings, value) = (site.bindings(&[expr]), site.value(expr));
    let turns = callee(expr, "turns");
    // Both ends of the argument are those of the expression, as those of the function are.
    let borrow = quote_spanned!(expr.span()=> &);
    let call = quote_spanned!(end(expr)=> #turns(#borrow (#value)));
    Some(quote!(|#scope| { #bindings #call }))
}

fn examples_code(task: &Task<'_>, path: &Path) -> Option<TokenStream> {
    let ty = task.output.as_ref()?;
    let call_examples = callee(path, "call_examples");
    Some(quote_spanned!(end(path)=> || #call_examples(::core::marker::PhantomData::<#ty>, #path)))
}

/// The fallback of the turns when a value is missing.
fn fallback_turns(_: &str) -> TokenStream {
    quote!(::std::vec::Vec::new())
}
