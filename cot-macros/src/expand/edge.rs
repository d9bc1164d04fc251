//! Generates the typed functions of transitions and of arms of `next`: guards and inputs.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::{Expr, Type, spanned::Spanned};

use super::{
    kinds::expansion_of,
    locals::Locals,
    names::GeneratedNames,
    site::{Site, fallback_guard},
    template,
    values::option,
};
use crate::model::{Edge, Model, Place, Role, Task, find_mention};
use cot_syntax::{Arm, Transition, With};

/// Generates the table of the functions of a task's transitions.
pub(super) fn transitions(
    model: &Model<'_>,
    task: &Task<'_>,
    names: &GeneratedNames,
) -> TokenStream {
    let ways = &task.transitions;
    let computes = |way: &Edge<'_, Transition>| {
        let Transition { label, guard, with, .. } = way.syntax;
        label.is_some() || guard.is_some() || with.is_some()
    };
    let code = quote!(::cot_core::__private::TransitionCode);
    table(&code, names, ways, computes, |way| transition(model, task, way))
}

/// Generates the table of the functions of a task's arms.
pub(super) fn arms(model: &Model<'_>, task: &Task<'_>, names: &GeneratedNames) -> TokenStream {
    let computes = |way: &Edge<'_, Arm>| way.syntax.guard.is_some() || way.syntax.with.is_some();
    let code = quote!(::cot_core::__private::ArmCode);
    table(&code, names, &task.next, computes, |way| arm(model, names, task, way))
}

/// Generates a table with one entry per edge. Edges without functions share a constant, and a table of such
/// edges alone is a repeat expression.
fn table<'a, T>(
    code: &TokenStream,
    names: &GeneratedNames,
    ways: &[Edge<'a, T>],
    computes: impl Fn(&Edge<'a, T>) -> bool,
    expand: impl Fn(&Edge<'a, T>) -> TokenStream,
) -> TokenStream {
    let process = &names.process;
    let count = ways.len();
    if count > 0 && !ways.iter().any(&computes) {
        return quote!(&[const { #code::<#process>::NONE }; #count]);
    }
    let codes = ways.iter().map(|way| match computes(way) {
        true => expand(way),
        false => quote!(#code::NONE),
    });
    quote!(&[#(#codes),*])
}

/// Generates the `TransitionCode` of a transition.
fn transition(model: &Model<'_>, task: &Task<'_>, edge: &Edge<'_, Transition>) -> TokenStream {
    let Locals { scope, .. } = Locals::new();
    let label = template::optional(model, edge.syntax.label.as_ref(), Role::Task(task.index));
    let guard = edge.syntax.guard.as_ref().and_then(|expr| {
        let body = Site::for_task(model, task, Place::Guard, fallback_guard).guard(expr)?;
        Some(quote_spanned!(expr.span()=> |#scope| { #body }))
    });
    let with = edge.syntax.with.as_ref().and_then(With::expr).and_then(|expr| {
        let site = Site::for_task(model, task, Place::With, fallback_inputs);
        let body = inputs_value(&site, inputs_type(model, edge.target)?, expr)?;
        Some(quote_spanned!(expr.span()=> |#scope| { #body }))
    });
    let (guard, with) = (option(guard), option(with));
    quote! {
        ::cot_core::__private::TransitionCode { label: #label, guard: #guard, with: #with }
    }
}

/// Generates the `ArmCode` of an arm of `next`.
fn arm(
    model: &Model<'_>,
    names: &GeneratedNames,
    task: &Task<'_>,
    edge: &Edge<'_, Arm>,
) -> TokenStream {
    let guard = edge.syntax.guard.as_ref().and_then(|expr| {
        let body = Site::for_task(model, task, Place::ArmGuard, fallback_guard).guard(expr)?;
        Some(after_output(names, task, expr, &body, &fallback_guard(""), None))
    });
    let with = edge.syntax.with.as_ref().and_then(|expr| {
        let site = Site::for_task(model, task, Place::ArmWith, fallback_inputs);
        let body = inputs_value(&site, inputs_type(model, edge.target)?, expr)?;
        let Locals { output, .. } = Locals::new();
        Some(after_output(names, task, expr, &body, &fallback_inputs(""), Some(quote!(#output))))
    });
    let (guard, with) = (option(guard), option(with));
    quote!(::cot_core::__private::ArmCode { guard: #guard, with: #with })
}

/// Returns the type of the inputs of a task.
fn inputs_type<'m>(model: &'m Model<'_>, task: usize) -> Option<&'m Type> {
    let task = model.tasks.get(task)?;
    task.syntax.items.inputs.as_ref().map(|item| &item.value)
}

fn inputs_value(site: &Site<'_>, ty: &Type, expr: &Expr) -> Option<TokenStream> {
    if !site.is_sound(expr) {
        return None;
    }
    let bindings = site.bindings(&[expr]);
    let value = site.value(expr);
    let deliver = quote_spanned!(ty.span()=> <#ty as ::cot_core::__private::TaskInputs>::deliver);
    Some(quote!(#bindings ::core::option::Option::Some(#deliver(#value))))
}

/// Generates a function of the scope and the output that was just committed. `bound` is the variable of the
/// output; by default it is the word in the expression.
fn after_output(
    names: &GeneratedNames,
    task: &Task<'_>,
    expr: &Expr,
    body: &TokenStream,
    otherwise: &TokenStream,
    bound: Option<TokenStream>,
) -> TokenStream {
    let Locals { scope, output, .. } = Locals::new();
    let (ty, variant) = (&names.output, &task.variant);
    match find_mention(expr, "output")
        .filter(|_| expansion_of(task.kind).output_type(task).is_some())
    {
        Some(name) => {
            let bound = bound.unwrap_or_else(|| quote!(#name));
            quote_spanned! {expr.span()=>
                |#scope, #output| match #output {
                    ::core::option::Option::Some(#ty::#variant(#bound)) => { #body }
                    _ => #otherwise,
                }
            }
        }
        None => quote_spanned!(expr.span()=> |#scope, #output| { #body }),
    }
}

/// The fallback of inputs when a value is missing.
fn fallback_inputs(_: &str) -> TokenStream {
    quote!(::core::option::Option::None)
}
