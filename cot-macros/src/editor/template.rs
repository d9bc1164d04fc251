//! Templates.
//!
//! Stable Rust gives no positions within a literal, so the expressions of a template have no place in the source:
//! an editor does not find them. Otherwise it would take the whole literal for each word in it, and rename a
//! field by overwriting the prompt. The marker of a completion is the exception, since it exists only while the
//! completion is computed: it is put at the literal if the cursor follows no part of a word. Elsewhere the editor
//! would insert the completed word after that part.

use cot_syntax::{STANDARD_PARTS, shown_expressions};
use proc_macro2::{Group, Literal, Span, TokenStream, TokenTree};
use quote::quote;
use syn::LitStr;

use super::{places::Names, spans::detached};
use cot_syntax::tokens::is_word;

/// The word that rust-analyzer inserts at the cursor to complete it.
pub(super) const MARKER: &str = "raCompletionMarker";

/// The functions that templates can call.
const HELPERS: [&str; 6] = ["json", "json_pretty", "list", "quoted", "image", "document"];

/// Generates the statements of a template: a text, an included file, a constant or a function.
pub(super) fn template(value: &[TokenTree], names: &Names<'_>) -> TokenStream {
    match value {
        [] => TokenStream::new(),
        [TokenTree::Literal(literal), ..] => {
            let Ok(text) = syn::parse2::<LitStr>(TokenTree::from(literal.clone()).into()) else {
                return TokenStream::new();
            };
            let source = text.value();
            let codes = shown_expressions(&source);
            let tokens = codes.iter().filter_map(|code| code.parse::<TokenStream>().ok());
            let shown: Vec<_> = tokens.map(|tokens| shown(tokens, literal.span())).collect();
            if shown.is_empty() {
                return TokenStream::new();
            }
            names.shown(&shown, space_for(literal, shown.len()).as_ref())
        }
        [word, TokenTree::Literal(path)] if is_word(word, "include") => {
            quote!(let _ = ::core::include_str!(#path);)
        }
        path => {
            let path = path.iter();
            quote!(let _ = #(#path)*;)
        }
    }
}

/// The size in bytes up to which templates can be completed, over all of their expressions.
const COMPLETED: usize = 1 << 16;

/// Returns a text as long as a template.
///
/// rust-analyzer adds the distance of the cursor from the beginning of the literal to the place of the marker, and
/// wants to find a literal there.
fn space_for(template: &Literal, expressions: usize) -> Option<Literal> {
    // The spaces between expressions must not depend on where the marker is.
    let length = template.to_string().replace(MARKER, "").len();
    (length * expressions <= COMPLETED).then(|| Literal::string(&" ".repeat(length)))
}

/// Generates the use of a part, of the process or a standard one.
fn part(name: TokenStream) -> TokenStream {
    let is_standard = STANDARD_PARTS.contains(&name.to_string().as_str());
    match (name.is_empty(), is_standard) {
        (true, _) => quote!(__Parts),
        (false, false) => quote!(__Parts::#name),
        (false, true) => quote!(__e::StandardPart::#name),
    }
}

/// Replaces the calls of helpers, and places the marker at the literal.
fn shown(tokens: TokenStream, literal: Span) -> TokenStream {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let (mut shown, mut at) = (TokenStream::new(), 0);
    while let Some(token) = tokens.get(at) {
        let arguments = match tokens.get(at + 1) {
            Some(TokenTree::Group(group)) => Some(group.stream()),
            _ => None,
        };
        at += 1;
        match (token, arguments) {
            (word, Some(arguments)) if is_word(word, "part") => {
                let arguments = self::shown(arguments, literal);
                shown.extend(part(arguments));
                at += 1;
            }
            (word, Some(arguments)) if HELPERS.iter().any(|helper| is_word(word, helper)) => {
                let arguments = self::shown(arguments, literal);
                shown.extend(quote!(__e::shown(&(#arguments))));
                at += 1;
            }
            (TokenTree::Group(group), _) => {
                let inner = self::shown(group.stream(), literal);
                shown.extend([TokenTree::Group(Group::new(group.delimiter(), inner))]);
            }
            (TokenTree::Ident(word), _) if word == MARKER => {
                let mut word = word.clone();
                word.set_span(literal);
                shown.extend([TokenTree::Ident(word)]);
            }
            (token, _) => shown.extend(detached([token.clone()])),
        }
    }
    shown
}
