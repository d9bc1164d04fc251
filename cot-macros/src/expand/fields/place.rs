//! Generates place expressions for state paths.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::{Ident, Member, spanned::Spanned};

use super::unset::UnsetFields;
use crate::expand::locals::Locals;
use cot_syntax::{PathSegment, StatePath};

/// Wraps an expression that uses the root of a path.
///
/// The variable of the root has the hygiene of the user's code, like the rest of the path. Otherwise rustc
/// could not point at the whole path.
pub(in crate::expand) fn with_root(path: &StatePath, expr: &TokenStream) -> TokenStream {
    let Locals { state, .. } = Locals::new();
    let root = root_name(path);
    quote!({ let #root = &mut *#state; #expr })
}

/// Binds a place to a variable, so that all errors about it have one span.
pub(in crate::expand) fn bind_place(span: Span, place: &TokenStream) -> TokenStream {
    let name = Ident::new("__place", Span::mixed_site().located_at(span));
    quote_spanned!(span=> { let #name = #place; #name })
}

/// Returns the variable of the root of a path.
pub(in crate::expand) fn root_name(path: &StatePath) -> Ident {
    Ident::new("__state", path.span())
}

/// Generates the first field of a path.
pub(in crate::expand) fn plain_root(path: &StatePath) -> TokenStream {
    let root = root_name(path);
    let state = quote_spanned!(path.span()=> (*#root));
    match path.segments.first() {
        Some(PathSegment::Field { member, .. }) => quote_spanned!(member.span()=> #state.#member),
        _ => state,
    }
}

/// Generates the first field of a path where only its type matters: an unset field counts as written.
pub(in crate::expand) fn witness_root(path: &StatePath, unset: &UnsetFields<'_>) -> TokenStream {
    let root = plain_root(path);
    match entered_field(path, unset) {
        Some(_) => quote_spanned!(path.span()=> (*::cot_core::__private::value_slot(&mut #root))),
        None => root,
    }
}

/// Generates a mutable reference to the place of a path.
pub(in crate::expand) fn reference(
    path: &StatePath,
    root: &TokenStream,
    write: Option<usize>,
) -> TokenStream {
    let count = match path.segments.last() {
        Some(PathSegment::Insert(..)) => path.segments.len() - 1,
        _ => path.segments.len(),
    };
    let place = place(path, root, count, write);
    quote_spanned!(path.span()=> &mut #place)
}

/// Generates the place of the first `count` segments of a path, in the user's own tokens. `write` is the
/// index of the write whose keys are used; without it, only the type of the place matters.
pub(in crate::expand) fn place(
    path: &StatePath,
    root: &TokenStream,
    count: usize,
    write: Option<usize>,
) -> TokenStream {
    let mut place = root.to_token_stream();
    let mut keys = 0..;
    let mut segments = path.segments.iter().enumerate().take(count).skip(1).peekable();
    while let Some((at, segment)) = segments.next() {
        match segment {
            PathSegment::Field { dot, member } => place = quote!(#place #dot #member),
            PathSegment::Create(mark) => {
                place = quote_spanned!(mark.span()=> (*::cot_core::__private::value_or_default(&mut #place)));
            }
            PathSegment::Insert(..) => {
                let creates = segments.next_if(|(_, next)| matches!(next, PathSegment::Create(_)));
                let key = write.zip(keys.next()).map(|(index, number)| key(index, number));
                let bound =
                    bind_place(end_of(path, at), &quote_spanned!(path.span()=> &mut #place));
                place = value_at_key(path, at, &bound, key, creates.is_some());
            }
            PathSegment::Append(_) => {}
        }
    }
    place
}

/// Generates the value at a key.
fn value_at_key(
    path: &StatePath,
    at: usize,
    place: &TokenStream,
    key: Option<Ident>,
    creates: bool,
) -> TokenStream {
    let span = end_of(path, at);
    match (key, creates) {
        (None, _) => quote_spanned!(span=> (*::cot_core::__private::value_at(#place))),
        (Some(key), true) => {
            quote_spanned!(span=> (*::cot_core::__private::value_at_key_or_default(#place, #key)))
        }
        (Some(key), false) => {
            let before: TokenStream =
                path.segments.iter().take(at).map(ToTokens::to_token_stream).collect();
            let before = before.to_string().replace(' ', "");
            quote_spanned!(span=> (*::cot_core::__private::value_at_key(#place, &#key, #before)?))
        }
    }
}

/// Returns the span of the last field of a path, at which errors about appending and inserting are
/// reported. All generated calls share it, so that rustc reports each error once.
pub(in crate::expand) fn end(path: &StatePath) -> Span {
    end_of(path, path.segments.len())
}

/// Returns the span of the last field among the first `count` segments of a path.
pub(in crate::expand) fn end_of(path: &StatePath, count: usize) -> Span {
    let fields = path.segments.iter().take(count).rev().filter_map(|segment| match segment {
        PathSegment::Field { member, .. } => Some(member.span()),
        _ => None,
    });
    fields.into_iter().next().unwrap_or_else(|| path.span())
}

/// Returns the first field of a path if it can be unset.
pub(in crate::expand) fn unset_root<'m>(
    path: &StatePath,
    unset: &UnsetFields<'m>,
) -> Option<&'m Ident> {
    match path.segments.first()? {
        PathSegment::Field { member: Member::Named(name), .. } => unset.find(name),
        _ => None,
    }
}

/// Returns the unset field that must have a value before the path can write to a part of it.
pub(in crate::expand) fn entered_field<'m>(
    path: &StatePath,
    unset: &UnsetFields<'m>,
) -> Option<&'m Ident> {
    match path.segments.get(1)? {
        PathSegment::Create(_) => None,
        _ => unset_root(path, unset),
    }
}

/// Returns a variable of a write.
pub(in crate::expand) fn local(prefix: &str, index: usize) -> Ident {
    format_ident!("{prefix}_{index}", span = Span::mixed_site())
}

/// Returns the variable of a key of a write.
pub(in crate::expand) fn key(index: usize, number: usize) -> Ident {
    local(&format!("key_{number}"), index)
}
