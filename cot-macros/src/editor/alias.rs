//! Words of the language, such as `state` and `output`, as Rust names.
//!
//! A word is imported from an item with another name, whose place is the mark after the key or before the type that
//! declares it. An editor goes from a use to that mark, and does not rename what is imported by another name. A
//! name without a place in the source would lead to the declaration of the macro itself.

use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::{format_ident, quote};
use syn::Expr;

use crate::model::Uses;
use cot_syntax::tokens::{is_mark, is_word};

/// The item behind a word.
pub(super) struct Alias {
    word: &'static str,
    item: Ident,
}

impl Alias {
    /// Creates the item of a word. `is_reference` tells it from the item for the owned value.
    pub(super) fn new(word: &'static str, at: Option<Span>, is_reference: bool) -> Self {
        let item = match word {
            "state" => "__shared",
            "goal" => "__aim",
            "inputs" => "__given",
            "last_output" => "__last",
            _ => "__answer",
        };
        let suffix = if is_reference { "_ref" } else { "" };
        let at = at.unwrap_or_else(Span::call_site);
        Self { word, item: format_ident!("{item}{suffix}", span = at) }
    }

    /// Generates a static with a reference. A pattern can bind the name of a static.
    pub(super) fn declare_static(&self, ty: &TokenStream, doc: &str) -> TokenStream {
        let item = &self.item;
        quote! {
            #[doc = #doc]
            static #item: &'static #ty = __e::any();
        }
    }

    /// Generates a constant, from which a value can be moved.
    pub(super) fn declare_const(&self, ty: &TokenStream, doc: &str) -> TokenStream {
        let item = &self.item;
        quote! {
            #[doc = #doc]
            const #item: #ty = __e::any();
        }
    }

    /// Generates the import of the word.
    pub(super) fn import(&self) -> TokenStream {
        let (word, item) = (word(self.word), &self.item);
        quote!(use #item as #word;)
    }

    /// Generates the import of the word for an expression. A pattern can't bind the name of a constant, so an
    /// expression with such a pattern sees a variable.
    pub(super) fn import_for(&self, tokens: &[TokenTree]) -> TokenStream {
        let (word, item) = (word(self.word), &self.item);
        match mention(tokens, self.word).filter(|word| binds(tokens, word)) {
            Some(mention) => quote!(let #mention = #item;),
            None => quote!(use #item as #word;),
        }
    }
}

/// Returns a word without a place in the source.
fn word(word: &str) -> Ident {
    Ident::new(word, Span::call_site())
}

/// Returns the first mention of a word.
fn mention(tokens: &[TokenTree], word: &str) -> Option<Ident> {
    tokens.iter().find_map(|token| match token {
        TokenTree::Ident(ident) if ident == word => Some(ident.clone()),
        TokenTree::Group(group) => mention(&group.stream().into_iter().collect::<Vec<_>>(), word),
        _ => None,
    })
}

/// Returns whether a pattern in an expression binds a word.
fn binds(tokens: &[TokenTree], word: &Ident) -> bool {
    fn may_bind(tokens: &[TokenTree]) -> bool {
        tokens.iter().any(|token| match token {
            TokenTree::Group(group) => may_bind(&group.stream().into_iter().collect::<Vec<_>>()),
            token => is_mark(token, '|') || is_word(token, "let") || is_word(token, "match"),
        })
    }
    may_bind(tokens)
        && syn::parse2::<Expr>(tokens.iter().cloned().collect())
            .is_ok_and(|expr| Uses::from_expr(&expr).binds(word))
}
