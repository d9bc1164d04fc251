//! State writes.

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use quote::quote;

use super::{
    places::{Names, split_at_guard},
    raw::{entries, inside},
};
use crate::model::Place;
use cot_syntax::tokens::is_mark;

/// Generates the statements of `path`, or of `{ path = value if guard, … }`.
pub(super) fn update(value: &[TokenTree], names: &Names<'_>) -> TokenStream {
    let writes = match inside(value, Delimiter::Brace) {
        Some((_, tokens)) => {
            entries(&tokens, false).into_iter().map(|entry| write(entry, names)).collect()
        }
        None if value.is_empty() => TokenStream::new(),
        None => write(value, names),
    };
    let (state, bound) = (&names.state, names.bindings(Place::Write, value));
    quote! {
        {
            #bound
            let mut written: #state = __e::any();
            #writes
            ::cot_core::__private::assign(&mut written, __e::any());
        }
    }
}

/// Generates the statement of a write, by the functions of the expansion for rustc.
fn write(tokens: &[TokenTree], names: &Names<'_>) -> TokenStream {
    let is_equals = |at: &usize| {
        let doubled = tokens.get(at + 1).is_some_and(|next| is_mark(next, '='));
        is_mark(&tokens[*at], '=') && !doubled
    };
    let (path, rest) = match (0..tokens.len()).find(is_equals) {
        Some(at) => (&tokens[..at], &tokens[at + 1..]),
        None => (tokens, &[][..]),
    };
    let (value, guard) = split_at_guard(rest);
    let value = match value {
        [] => quote!(__e::any()),
        value => names.owned(value),
    };
    // Without a place, the dot would be a mistake.
    let written = match path {
        [] => quote!(let _ = #value;),
        path => write_to(path, &value, names),
    };
    match guard {
        Some(guard) => names.condition(guard, &written),
        None => written,
    }
}

fn write_to(path: &[TokenTree], value: &TokenStream, names: &Names<'_>) -> TokenStream {
    match path {
        [place @ .., TokenTree::Group(group)] if group.stream().is_empty() => {
            let place = reference(place, names);
            quote!(::cot_core::__private::append(#place, #value);)
        }
        [place @ .., TokenTree::Group(group)] => {
            let (place, key) = (reference(place, names), key(group, names));
            quote!(::cot_core::__private::insert(#place, #key, #value);)
        }
        [TokenTree::Ident(field)] if names.unset.iter().any(|unset| field == unset) => {
            let place = reference(path, names);
            quote!(::cot_core::__private::assign(#place, ::core::option::Option::Some(#value));)
        }
        place => {
            let place = reference(place, names);
            quote!(::cot_core::__private::assign(#place, #value);)
        }
    }
}

/// Generates the key of an insertion. A text is converted to the type of the keys.
fn key(group: &Group, names: &Names<'_>) -> TokenStream {
    let tokens: Vec<TokenTree> = group.stream().into_iter().collect();
    let key = names.read(&tokens);
    match &tokens[..] {
        [TokenTree::Literal(literal)] if literal.to_string().ends_with(['"', '#']) => {
            quote!(::core::convert::Into::into(#key))
        }
        _ => key,
    }
}

/// Generates a reference to the place that a path leads to.
fn reference(path: &[TokenTree], names: &Names<'_>) -> TokenStream {
    let place = place(path, names);
    match path.last() {
        // What `?` creates is a reference already.
        Some(mark) if is_mark(mark, '?') => quote!(written.#place),
        _ => quote!(&mut written.#place),
    }
}

/// Generates the place that a path leads to.
fn place(path: &[TokenTree], names: &Names<'_>) -> TokenStream {
    let mut place = TokenStream::new();
    for (at, token) in path.iter().enumerate() {
        let before = at.checked_sub(1).and_then(|before| path.get(before));
        match token {
            TokenTree::Group(group) if group.stream().is_empty() => {}
            // After a key, `?` creates the value at the key, which is no `Option`.
            mark if is_mark(mark, '?') => {
                if !matches!(before, Some(TokenTree::Group(_))) {
                    place.extend(quote!(.__or_default()));
                }
            }
            TokenTree::Ident(field) if at == 0 => {
                place.extend([token.clone()]);
                let is_entered = path.get(1).is_some_and(|next| !is_mark(next, '?'));
                if is_entered && names.unset.iter().any(|unset| field == unset) {
                    place.extend(quote!(.__set_mut()));
                }
            }
            token => place.extend([token.clone()]),
        }
    }
    place
}
