//! The typed functions of a process: a table that mirrors the plain data.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::{Expr, Ident, spanned::Spanned};

use super::{Locals, Names, option, output, template};
use crate::{
    check::{Checked, words::mistakes},
    model::{Kind, Model, Place, Role, Seen, Task, mentions},
    syntax::{HistoryItem, PRIMERS, Template},
};

/// The `Code` of a process.
pub(super) fn code(checked: &Checked<'_>, names: &Names) -> TokenStream {
    let model = &checked.model;
    let items = &model.syntax.items;
    let text = |slot: Option<&Template>, role| match checked.hollow {
        true => option(None),
        false => template::optional(model, slot, role),
    };
    let goal = text(items.goal.as_ref().map(|item| &item.value), Role::Goal);
    let intro = text(items.intro.as_ref().map(|item| &item.value), Role::Prompt);
    let system = text(items.system.as_ref().map(|item| &item.value), Role::Prompt);
    let primers = PRIMERS.map(|name| {
        let part = model.primers.iter().find(|part| part.name == name);
        let key = Ident::new(name, proc_macro2::Span::call_site());
        let value = text(part.map(|part| &part.template), Role::Prompt);
        quote!(#key: #value)
    });
    let mirror = mirror(model);
    let tasks = model.tasks.iter().map(|item| task(model, names, item));
    let tasks = if checked.hollow { quote!() } else { quote!(#(#tasks),*) };
    quote! {
        ::cot_core::__private::Code {
            goal: #goal,
            intro: #intro,
            system: #system,
            primers: ::cot_core::__private::Primers { #(#primers),* },
            mirror: #mirror,
            tasks: &[#tasks],
        }
    }
}

/// The field of the state that mirrors the history: `history`, of the type `History`.
fn mirror(model: &Model<'_>) -> TokenStream {
    let history = model.syntax.items.history.as_ref().map(|item| &item.value);
    let Some(HistoryItem::Limits { state_max_items: Some(bound), .. }) = history else {
        return option(None);
    };
    let Locals { state, .. } = Locals::new();
    option(Some(quote_spanned!(bound.span()=> |#state| &mut #state.history)))
}

fn task(model: &Model<'_>, names: &Names, task: &Task<'_>) -> TokenStream {
    let items = &task.syntax.items;
    let is_ai = task.kind == Kind::Ai;
    let text = |slot: Option<&Template>| template::optional(model, slot, Role::Task(task.index));
    let full = |slot: Option<&Template>| template::optional(model, slot, Role::Full(task.index));
    let prompt = text(items.prompt.as_ref().map(|item| &item.value).filter(|_| is_ai));
    let full_prompt = full(items.full_prompt.as_ref().map(|item| &item.value).filter(|_| is_ai));
    let errors_primer = text(items.errors_primer.as_ref().map(|item| &item.value));
    let fail = text(items.fail.as_ref().map(|item| &item.value));
    let seen = model.seen_at(task, Place::Guard);
    let transitions = task.transitions.iter().map(|edge| {
        let label = text(edge.syntax.label.as_ref());
        let guard = option(edge.syntax.guard.as_ref().and_then(|expr| guard(expr, &seen)));
        quote!(::cot_core::__private::TransitionCode { label: #label, guard: #guard })
    });
    let seen_after = model.seen_at(task, Place::ArmGuard);
    let next = task.next.iter().map(|edge| {
        option(
            edge.syntax.guard.as_ref().and_then(|expr| arm_guard(expr, names, task, &seen_after)),
        )
    });
    let output = option(if is_ai { output::output(model, names, task) } else { None });
    let process = &names.process;
    // A constant for each task: rustc checks one body after the other, not one huge one.
    quote! {
        {
            const TASK: ::cot_core::__private::TaskCode<#process> = ::cot_core::__private::TaskCode {
                prompt: #prompt,
                full_prompt: #full_prompt,
                errors_primer: #errors_primer,
                fail: #fail,
                transitions: &[#(#transitions),*],
                next: &[#(#next),*],
                output: #output,
            };
            TASK
        }
    }
}

fn guard(expr: &Expr, seen: &Seen<'_>) -> Option<TokenStream> {
    if !mistakes(expr, seen).is_empty() {
        return None;
    }
    let Locals { scope, .. } = Locals::new();
    let bindings = bindings(expr, seen);
    let condition = condition(expr);
    Some(quote_spanned!(expr.span()=> |#scope| { #bindings #condition }))
}

/// A guard as an expression; `let` can stand only in a condition.
fn condition(expr: &Expr) -> TokenStream {
    match has_let(expr) {
        true => quote_spanned!(expr.span()=> if #expr { true } else { false }),
        false => quote!(#expr),
    }
}

fn has_let(expr: &Expr) -> bool {
    match expr {
        Expr::Let(_) => true,
        Expr::Binary(binary) => has_let(&binary.left) || has_let(&binary.right),
        _ => false,
    }
}

fn arm_guard(expr: &Expr, names: &Names, task: &Task<'_>, seen: &Seen<'_>) -> Option<TokenStream> {
    if !mistakes(expr, seen).is_empty() {
        return None;
    }
    let Locals { scope, output, .. } = Locals::new();
    let bindings = bindings(expr, seen);
    let condition = condition(expr);
    let (ty, variant) = (&names.output, &task.variant);
    Some(match mentions(expr, "output") {
        Some(name) => quote_spanned! {expr.span()=>
            |#scope, #output| match #output {
                ::core::option::Option::Some(#ty::#variant(#name)) => { #bindings #condition }
                _ => false,
            }
        },
        None => quote_spanned!(expr.span()=> |#scope, #output| { #bindings #condition }),
    })
}

/// Binds the names that a guard uses, each with the hygiene of its use.
fn bindings(expr: &Expr, seen: &Seen<'_>) -> TokenStream {
    let Locals { scope, .. } = Locals::new();
    let bound = seen.names.iter().filter(|word| *word != "output").filter_map(|word| {
        let (name, field) = (mentions(expr, word)?, Ident::new(word, expr.span()));
        Some(quote!(let #name = #scope.#field;))
    });
    quote!(#(#bound)*)
}
