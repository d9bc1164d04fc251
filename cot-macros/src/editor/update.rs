//! State writes.

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use quote::quote;

use super::{
    places::{Names, split_at_guard},
    raw::{entries, inside},
};
use crate::{model::Place, tokens::is_mark};

/// Generates the statements of `path`, or of `{ path = value if guard, … }`.
pub(super) fn update(value: &[TokenTree], names: &Names<'_>) -> TokenStream {
    let writes = match inside(value, Delimiter::Brace) {
        Some((_, tokens)) => {
            entries(&tokens, false).into_iter().map(|entry| write(entry, names)).collect()
        }
        None => write(value, names),
    };
    let (state, bound) = (&names.state, names.bindings(Place::Write, value));
    quote! {
        {
            #bound
            let written: &mut #state = ::cot_core::__private::editor::any();
            #writes
            let _ = written;
        }
    }
}

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
    let place = place(path, names);
    let value = match value {
        [] => TokenStream::new(),
        value => {
            let value = names.read(value);
            quote!(let _ = #value;)
        }
    };
    let value = match guard {
        Some(guard) => names.condition(guard, &value),
        None => value,
    };
    // Without a place, the dot would be a mistake.
    match path {
        [] => quote!(#value),
        _ => quote!(let _ = written.#place; #value),
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
