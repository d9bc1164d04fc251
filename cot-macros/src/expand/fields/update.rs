//! Generates state writes. All values are computed before the first write, so that an update is atomic.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::{Expr, ExprLit, Ident, Lit, ext::IdentExt, spanned::Spanned};

use super::{
    place::{
        bind_place, end, end_of, entered_field, key, local, place, plain_root, reference,
        root_name, unset_root, with_root, witness_root,
    },
    unset::{UnsetFields, value_of},
};
use crate::expand::{
    locals::{Locals, callee, end as end_of_tokens},
    site::{Site, is_place},
};
use cot_syntax::{PathSegment, StatePath, Update, Write};

/// Generates the statements of an update. If a write can fail after another one, they work on a copy of the
/// state, which replaces the state at the end. `is_copy` tells that the state is a copy already.
pub(in crate::expand) fn update(update: &Update, site: &Site<'_>, is_copy: bool) -> TokenStream {
    let sound = update.writes.iter().filter(|write| {
        let exprs = write.path.keys().chain(&write.value).chain(&write.guard);
        exprs.into_iter().all(|expr| site.is_sound(expr)) && site.has_field(&write.path)
    });
    let sound: Vec<_> = sound.collect();
    let values = sound.iter().enumerate().map(|(index, write)| value(index, write, site));
    let needed = check_needed(&sound, site);
    let import = quote! {
        #[allow(unused_imports)]
        use ::cot_core::__private::PlainValue as _;
    };
    let writes = sound.iter().enumerate().map(|(index, item)| {
        let written = write(index, item, site.unset());
        let (given, value) = (write_variables(index, item), local("value", index));
        match item.guard {
            None => written,
            Some(_) => quote!(if let ::core::option::Option::Some(#given) = #value { #written }),
        }
    });
    let copied = match is_copy {
        true => None,
        false => copy_condition(&sound, site.unset()),
    };
    let Some(copied) = copied else {
        return quote!(#import #(#values)* #needed #(#writes)*);
    };
    let (Locals { state, .. }, copy) = (Locals::new(), local("copy", 0));
    quote! {
        #import
        #(#values)*
        let mut #copy = if #copied {
            ::core::option::Option::Some(::core::clone::Clone::clone(&*#state))
        } else {
            ::core::option::Option::None
        };
        {
            let #state = match &mut #copy {
                ::core::option::Option::Some(#copy) => #copy,
                ::core::option::Option::None => &mut *#state,
            };
            #needed
            #(#writes)*
        }
        if let ::core::option::Option::Some(#copy) = #copy {
            ::cot_core::__private::assign(#state, #copy);
        }
    }
}

/// Generates the condition under which an update must work on a copy: a write after the first one runs the
/// user's code (a `Default`, an `Ord`, a `Hash`) or may not find its place.
fn copy_condition(writes: &[&Write], unset: &UnsetFields<'_>) -> Option<TokenStream> {
    let mut appends = Vec::new();
    for (index, write) in writes.iter().enumerate() {
        let risks = |segment: &&PathSegment| {
            matches!(segment, PathSegment::Create(_) | PathSegment::Insert(..))
        };
        let risks = write.path.segments.iter().filter(risks).count();
        // A later segment may fail after an earlier one has created a value.
        if risks > usize::from(index == 0) {
            return Some(quote!(true));
        }
        if index > 0 && write.path.appends() {
            let (path, span) = (&write.path, end(&write.path));
            let place = bind_place(span, &reference(path, &witness_root(path, unset), None));
            // All tokens have one span, so that rustc reports an error once.
            let runs = quote_spanned! {span=>
                ::cot_core::__private::runs_code(
                    if false { ::core::option::Option::Some(#place) } else { ::core::option::Option::None }
                )
            };
            appends.push(with_root(path, &runs));
        }
    }
    (!appends.is_empty()).then(|| quote!(#(#appends)||*))
}

/// The operation of a write.
enum Operation {
    Assign,
    /// Assigns to a field that can be unset.
    Set,
    Append(Span),
    Insert(Span),
}

fn operation(path: &StatePath, unset: &UnsetFields<'_>) -> Operation {
    match path.segments.last() {
        Some(PathSegment::Append(_)) => Operation::Append(end(path)),
        Some(PathSegment::Insert(..)) => Operation::Insert(end(path)),
        _ if path.segments.len() == 1 && unset_root(path, unset).is_some() => Operation::Set,
        _ => Operation::Assign,
    }
}

/// Generates the computation of a value, or of an `Option` of it if the write has a guard.
///
/// The value can use names that a pattern in the guard binds, so both are generated in one block.
fn value(index: usize, write: &Write, site: &Site<'_>) -> TokenStream {
    let Some(guard) = &write.guard else { return compute(index, write, site) };
    let exprs: Vec<_> = [guard].into_iter().chain(&write.value).chain(write.path.keys()).collect();
    let (bindings, holds) = (site.bindings(&exprs), site.value(guard));
    let (inner, given, value) =
        (compute(index, write, site), write_variables(index, write), local("value", index));
    quote! {
        let #value = {
            #bindings
            if #holds { #inner ::core::option::Option::Some(#given) } else { ::core::option::Option::None }
        };
    }
}

/// Generates the variables that a write computes in advance: its value and its keys.
fn write_variables(index: usize, write: &Write) -> TokenStream {
    let value = local("value", index);
    let keys: Vec<_> = (0..write.path.keys().count()).map(|number| key(index, number)).collect();
    match keys[..] {
        [] => quote!(#value),
        _ => quote!((#(#keys,)* #value)),
    }
}

/// Generates an expression of a write. In the block of a guard, its names are bound already.
fn evaluate(expr: &Expr, write: &Write, site: &Site<'_>) -> TokenStream {
    match write.guard {
        None => site.block(expr),
        Some(_) => {
            let value = site.value(expr);
            quote_spanned!(expr.span()=> { #value })
        }
    }
}

/// Generates the computation of the value and the keys of a write.
///
/// A branch that is never taken gives the variable the type of the place, so that rustc reports a mismatch
/// at the user's expression.
fn compute(index: usize, write: &Write, site: &Site<'_>) -> TokenStream {
    let path = &write.path;
    let span = path.span();
    let place = reference(path, &witness_root(path, site.unset()), None);
    let value = local("value", index);
    let given = match &write.value {
        Some(expr) if is_place(expr) => assigned(expr, &evaluate(expr, write, site)),
        Some(expr) => evaluate(expr, write, site),
        None => {
            let Locals { output, .. } = Locals::at(span);
            assigned(path, &quote_spanned!(span=> ::core::clone::Clone::clone(#output)))
        }
    };
    let expected = match operation(path, site.unset()) {
        Operation::Assign => quote_spanned!(span=> ::cot_core::__private::assigned_type(#place)),
        Operation::Set => quote_spanned!(span=> ::cot_core::__private::value_type(#place)),
        Operation::Append(span) => {
            let place = bind_place(span, &place);
            quote_spanned!(span=> ::cot_core::__private::appended_type(#place))
        }
        Operation::Insert(span) => {
            let place = bind_place(span, &place);
            quote_spanned!(span=> ::cot_core::__private::inserted_type(#place))
        }
    };
    let expected = with_root(path, &expected);
    let keys = keys(index, write, site);
    quote!(#keys let #value; if false { #value = #expected; } else { #value = #given; })
}

/// Generates the value of a place, or of the whole output, with the words of the library for an `Option` that does not
/// fit. Other expressions could be coerced, which a call prevents.
fn assigned(written: &impl ToTokens, value: &TokenStream) -> TokenStream {
    let assigned = callee(written, "Assigned");
    quote_spanned!(end_of_tokens(written)=> { #assigned(#value).into_field() })
}

/// Generates the computation of the keys of a write.
fn keys(index: usize, write: &Write, site: &Site<'_>) -> TokenStream {
    let path = &write.path;
    let root = witness_root(path, site.unset());
    let segments = path.segments.iter().enumerate();
    let keys = segments.filter_map(|(at, segment)| match segment {
        PathSegment::Insert(_, expr) => Some((at, expr)),
        _ => None,
    });
    let keys = keys.enumerate().map(|(number, (at, expr))| {
        let (key, given) = (key(index, number), given_key(expr, write, site));
        let (span, place) = (end_of(path, at), place(path, &root, at, None));
        let place = bind_place(span, &quote_spanned!(path.span()=> &mut #place));
        let expected = match at + 1 == path.segments.len() {
            true => quote_spanned!(span=> ::cot_core::__private::inserted_key_type(#place)),
            false => quote_spanned!(span=> ::cot_core::__private::key_at(#place)),
        };
        let expected = with_root(path, &expected);
        quote!(let #key; if false { #key = #expected; } else { #key = #given; })
    });
    keys.collect()
}

/// Generates a key. A string literal is converted, so that it can be the key of a map of `String`.
fn given_key(expr: &Expr, write: &Write, site: &Site<'_>) -> TokenStream {
    let given = evaluate(expr, write, site);
    match expr {
        Expr::Lit(ExprLit { lit: Lit::Str(_), .. }) => {
            quote_spanned!(expr.span()=> ::core::convert::Into::into(#given))
        }
        _ => given,
    }
}

/// Generates the check that fields to whose parts an update writes have a value.
fn check_needed(writes: &[&Write], site: &Site<'_>) -> TokenStream {
    let Locals { state, .. } = Locals::new();
    let mut known: Vec<&Ident> = Vec::new();
    let mut checks = TokenStream::new();
    for write in writes {
        let Some(field) = unset_root(&write.path, site.unset()) else { continue };
        let is_into = entered_field(&write.path, site.unset()).is_some();
        // A write with a guard may not happen.
        if known.contains(&field) || (!is_into && write.guard.is_some()) {
            continue;
        }
        known.push(field);
        if is_into {
            let name = field.unraw().to_string();
            checks.extend(quote!(::cot_core::__private::require_set(&#state.#field, #name)?;));
        }
    }
    checks
}

fn write(index: usize, write: &Write, unset: &UnsetFields<'_>) -> TokenStream {
    let path = &write.path;
    let value = local("value", index);
    let into = entered_field(path, unset);
    let root = match into {
        Some(field) => {
            let value = value_of(field, path.span());
            quote_spanned!(path.span()=> (*#value))
        }
        None => plain_root(path),
    };
    let place = reference(path, &root, Some(index));
    let written = match operation(path, unset) {
        Operation::Assign => quote!(::cot_core::__private::assign(#place, #value)),
        Operation::Set => {
            quote!(::cot_core::__private::assign(#place, ::core::option::Option::Some(#value)))
        }
        Operation::Append(span) => {
            let place = bind_place(span, &place);
            quote_spanned!(span=> ::cot_core::__private::append(#place, #value))
        }
        Operation::Insert(span) => {
            let key = key(index, path.keys().count().saturating_sub(1));
            let place = bind_place(span, &place);
            quote_spanned! {span=>
                ::cot_core::__private::insert(#place, #key, #value)
            }
        }
    };
    let written = match into {
        Some(field) => {
            let (state, value) = (root_name(path), value_of(field, path.span()));
            // The field has a value here, since that was checked before.
            quote! {
                if let ::core::option::Option::Some(#value) = &mut #state.#field { #written; }
            }
        }
        None => written,
    };
    let written = with_root(path, &written);
    quote!(#written;)
}
