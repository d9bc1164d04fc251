//! State writes: first every value, then every write, so that nothing is half done.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::{Expr, ExprLit, Ident, Lit, Member, ext::IdentExt, spanned::Spanned};

use super::{
    Locals,
    site::Site,
    unset::{Unset, value_of},
};
use crate::syntax::{Segment, StatePath, Update, Write};

/// The statements of an update.
pub(super) fn update(update: &Update, site: &Site<'_>) -> TokenStream {
    let sound = update.writes.iter().filter(|write| {
        let exprs = write.path.key().into_iter().chain(&write.value).chain(&write.guard);
        exprs.into_iter().all(|expr| site.is_sound(expr)) && site.knows(&write.path)
    });
    let sound: Vec<_> = sound.collect();
    let values = sound.iter().enumerate().map(|(index, write)| value(index, write, site));
    let needed = needed(&sound, site);
    let writes = sound.iter().enumerate().map(|(index, item)| {
        let written = write(index, item, site.unset());
        let (given, value) = (given(index, item, site), local("value", index));
        match item.guard {
            None => written,
            Some(_) => quote!(if let ::core::option::Option::Some(#given) = #value { #written }),
        }
    });
    quote!(#(#values)* #needed #(#writes)*)
}

/// What a path does with its value.
enum Action<'a> {
    Assign,
    /// Writes a field that may be unset.
    Set,
    Append(Span),
    Insert(Span, &'a Expr),
}

fn action<'a>(path: &'a StatePath, unset: &Unset<'_>) -> Action<'a> {
    match path.segments.last() {
        Some(Segment::Append(_)) => Action::Append(end(path)),
        Some(Segment::Insert(_, key)) => Action::Insert(end(path), key),
        _ if path.segments.len() == 1 && first(path, unset).is_some() => Action::Set,
        _ => Action::Assign,
    }
}

/// Where errors about the place point that a path appends to or inserts into: its last field. All that
/// asks something of the place has this span, so that rustc says once what it is not.
fn end(path: &StatePath) -> Span {
    let fields = path.segments.iter().rev().filter_map(|segment| match segment {
        Segment::Field { member, .. } => Some(member.span()),
        _ => None,
    });
    fields.into_iter().next().unwrap_or_else(|| path.span())
}

/// The field of a path, where it is one that may be unset.
fn first<'m>(path: &StatePath, unset: &Unset<'m>) -> Option<&'m Ident> {
    match path.segments.first()? {
        Segment::Field { member: Member::Named(name), .. } => unset.find(name),
        _ => None,
    }
}

/// The field that must be written before the path can go into its value.
fn goes_into<'m>(path: &StatePath, unset: &Unset<'m>) -> Option<&'m Ident> {
    match path.segments.get(1)? {
        Segment::Create(_) => None,
        _ => first(path, unset),
    }
}

fn local(prefix: &str, index: usize) -> Ident {
    format_ident!("{prefix}_{index}", span = Span::mixed_site())
}

/// Computes what is written; an `Option` of it, where the write has a condition.
///
/// The names that the pattern of a condition binds are those of the value too, so that all of it
/// stands in one block.
fn value(index: usize, write: &Write, site: &Site<'_>) -> TokenStream {
    let Some(guard) = &write.guard else { return computed(index, write, site) };
    let exprs: Vec<_> = [guard].into_iter().chain(&write.value).chain(write.path.key()).collect();
    let (bindings, holds) = (site.bindings(&exprs), site.value(guard));
    let (inner, given, value) =
        (computed(index, write, site), given(index, write, site), local("value", index));
    quote! {
        let #value = {
            #bindings
            if #holds { #inner ::core::option::Option::Some(#given) } else { ::core::option::Option::None }
        };
    }
}

/// What a write computes before anything is written: its value, with the key where it has one.
fn given(index: usize, write: &Write, site: &Site<'_>) -> TokenStream {
    let value = local("value", index);
    match action(&write.path, site.unset()) {
        Action::Insert(..) => {
            let key = local("key", index);
            quote!((#key, #value))
        }
        _ => quote!(#value),
    }
}

/// Evaluates an expression of a write. In the block of a condition, its names are bound already.
fn evaluated(expr: &Expr, write: &Write, site: &Site<'_>) -> TokenStream {
    match write.guard {
        None => site.block(expr),
        Some(_) => {
            let value = site.value(expr);
            quote_spanned!(expr.span()=> { #value })
        }
    }
}

/// Computes the value of a write, and its key where it has one.
///
/// The branch that is never taken gives the variable the type of the place, so that rustc expects it
/// of the user's expression and says so under it.
fn computed(index: usize, write: &Write, site: &Site<'_>) -> TokenStream {
    let path = &write.path;
    let span = path.span();
    let place = reference(path, &witness_root(path, site.unset()));
    let value = local("value", index);
    let given = match &write.value {
        Some(expr) => evaluated(expr, write, site),
        None => {
            let Locals { output, value, .. } = Locals::at(span);
            quote_spanned! {span=>
                { let #value = ::core::clone::Clone::clone(#output); #value }
            }
        }
    };
    let (expected, key) = match action(path, site.unset()) {
        Action::Assign => (quote_spanned!(span=> ::cot_core::__private::assigned(#place)), None),
        Action::Set => (quote_spanned!(span=> ::cot_core::__private::set(#place)), None),
        Action::Append(span) => {
            let place = named(span, &place);
            (quote_spanned!(span=> ::cot_core::__private::appended(#place)), None)
        }
        Action::Insert(span, expr) => {
            let (key, given) = (local("key", index), given_key(expr, write, site));
            let place = named(span, &place);
            let expected = quote_spanned!(span=> ::cot_core::__private::key_of(#place));
            let expected = at_place(path, &expected);
            let key = quote!(let #key; if false { #key = #expected; } else { #key = #given; });
            (quote_spanned!(span=> ::cot_core::__private::inserted(#place)), Some(key))
        }
    };
    let expected = at_place(path, &expected);
    quote!(#key let #value; if false { #value = #expected; } else { #value = #given; })
}

/// A literal may be the key of a map of `String`; whatever else has its own type.
fn given_key(expr: &Expr, write: &Write, site: &Site<'_>) -> TokenStream {
    let given = evaluated(expr, write, site);
    match expr {
        Expr::Lit(ExprLit { lit: Lit::Str(_), .. }) => {
            quote_spanned!(expr.span()=> ::core::convert::Into::into(#given))
        }
        _ => given,
    }
}

/// Refuses an update that goes into the value of an unset field, before anything is written.
fn needed(writes: &[&Write], site: &Site<'_>) -> TokenStream {
    let Locals { state, .. } = Locals::new();
    let mut known: Vec<&Ident> = Vec::new();
    let mut checks = TokenStream::new();
    for write in writes {
        let Some(field) = first(&write.path, site.unset()) else { continue };
        if known.contains(&field) {
            continue;
        }
        known.push(field);
        if goes_into(&write.path, site.unset()).is_some() {
            let name = field.unraw().to_string();
            checks.extend(quote!(::cot_core::__private::needed(&#state.#field, #name)?;));
        }
    }
    checks
}

fn write(index: usize, write: &Write, unset: &Unset<'_>) -> TokenStream {
    let path = &write.path;
    let value = local("value", index);
    let into = goes_into(path, unset);
    let root = match into {
        Some(field) => {
            let value = value_of(field, path.span());
            quote_spanned!(path.span()=> (*#value))
        }
        None => plain_root(path),
    };
    let place = reference(path, &root);
    let written = match action(path, unset) {
        Action::Assign => quote!(*#place = #value),
        Action::Set => quote!(*#place = ::core::option::Option::Some(#value)),
        Action::Append(span) => {
            let place = named(span, &place);
            quote_spanned!(span=> ::cot_core::__private::append(#place, #value))
        }
        Action::Insert(span, _) => {
            let key = local("key", index);
            let place = named(span, &place);
            quote_spanned! {span=>
                ::cot_core::__private::insert(#place, #key, #value)
            }
        }
    };
    let written = match into {
        Some(field) => {
            let (state, value) = (root_name(path), value_of(field, path.span()));
            // Nothing is left out: it was checked that the field is written.
            quote! {
                if let ::core::option::Option::Some(#value) = &mut #state.#field { #written; }
            }
        }
        None => written,
    };
    let written = at_place(path, &written);
    quote!(#written;)
}

/// Evaluates an expression that names a place.
///
/// The state goes by a name whose token is of the user's own context, as the rest of the path: only
/// so does the whole path have a span that rustc can point at.
fn at_place(path: &StatePath, expr: &TokenStream) -> TokenStream {
    let Locals { state, .. } = Locals::new();
    let root = root_name(path);
    quote!({ let #root = &mut *#state; #expr })
}

/// A place under one token.
fn named(span: Span, place: &TokenStream) -> TokenStream {
    let name = Ident::new("__place", Span::mixed_site().located_at(span));
    quote_spanned!(span=> { let #name = #place; #name })
}

fn root_name(path: &StatePath) -> Ident {
    Ident::new("__state", path.span())
}

/// The first field of a path.
fn plain_root(path: &StatePath) -> TokenStream {
    let root = root_name(path);
    let state = quote_spanned!(path.span()=> (*#root));
    match path.segments.first() {
        Some(Segment::Field { member, .. }) => quote_spanned!(member.span()=> #state.#member),
        _ => state,
    }
}

/// The same where only its type is of interest: what may be unset counts as written.
fn witness_root(path: &StatePath, unset: &Unset<'_>) -> TokenStream {
    let root = plain_root(path);
    match goes_into(path, unset) {
        Some(_) => quote_spanned!(path.span()=> (*::cot_core::__private::value_in(&mut #root))),
        None => root,
    }
}

/// The place that a path names, to be written to.
fn reference(path: &StatePath, root: &TokenStream) -> TokenStream {
    let place = place(path, root);
    quote_spanned!(path.span()=> &mut #place)
}

/// The place that a path names, in the user's own tokens.
fn place(path: &StatePath, root: &TokenStream) -> TokenStream {
    let mut place = root.to_token_stream();
    for segment in path.segments.iter().skip(1) {
        match segment {
            Segment::Field { dot, member } => place = quote!(#place #dot #member),
            Segment::Create(mark) => {
                place =
                    quote_spanned!(mark.span()=> (*::cot_core::__private::or_default(&mut #place)));
            }
            Segment::Append(_) | Segment::Insert(..) => {}
        }
    }
    place
}
