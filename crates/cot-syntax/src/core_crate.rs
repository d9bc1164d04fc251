//! The path of `cot-core` in generated code: `::cot_core`, unless the dependency is renamed or the user
//! gives a path.

use std::{env, path::Path};

use proc_macro2::{Group, Ident, Literal, Spacing, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote};

use crate::manifest;

/// Replaces `::cot_core` with the path that the user gives, or with the name of a renamed dependency.
pub fn relocate(tokens: TokenStream, given: Option<&syn::Path>) -> TokenStream {
    match given.map(ToTokens::to_token_stream).or_else(renamed_dependency) {
        Some(path) => replace(tokens, &path),
        None => tokens,
    }
}

/// Returns the path of the dependency if the manifest renames it.
fn renamed_dependency() -> Option<TokenStream> {
    if !proc_macro::is_available() {
        return None;
    }
    let root = env::var_os("CARGO_MANIFEST_DIR")?;
    // An unknown name is left to rustc, which reports `::cot_core` as missing.
    let name = manifest::renamed_crate(Path::new(&root))?.replace('-', "_");
    let name = syn::parse_str::<Ident>(&name).ok()?;
    Some(quote!(::#name))
}

/// Replaces each `::cot_core` at the beginning of a path.
fn replace(tokens: TokenStream, path: &TokenStream) -> TokenStream {
    let mut replaced: Vec<TokenTree> = Vec::new();
    for token in tokens {
        match token {
            TokenTree::Group(group) => {
                let mut inner = Group::new(group.delimiter(), replace(group.stream(), path));
                inner.set_span(group.span());
                replaced.push(inner.into());
            }
            TokenTree::Ident(ident) if ident == "cot_core" && begins_path(&replaced) => {
                let root = replaced.drain(replaced.len() - 2..).next();
                let start = root.map_or_else(|| ident.span(), |root| root.span());
                replaced.extend(spanned(path, start, ident.span()));
            }
            TokenTree::Literal(literal) => replaced.push(replace_in_text(literal, path).into()),
            token @ TokenTree::Punct(_) | token @ TokenTree::Ident(_) => replaced.push(token),
        }
    }
    replaced.into_iter().collect()
}

/// Replaces the beginning of a path in a string, as in attributes of `serde`.
fn replace_in_text(literal: Literal, path: &TokenStream) -> Literal {
    let text = literal.to_string();
    let Some(rest) = text.strip_prefix("\"::cot_core::").and_then(|rest| rest.strip_suffix('"'))
    else {
        return literal;
    };
    let path = path.to_string().replace(' ', "");
    let mut replaced = Literal::string(&format!("{path}::{rest}"));
    replaced.set_span(literal.span());
    replaced
}

/// Returns whether tokens end in a `::` that begins a path.
fn begins_path(tokens: &[TokenTree]) -> bool {
    let is_colon = |token: &TokenTree| matches!(token, TokenTree::Punct(it) if it.as_char() == ':');
    match tokens {
        [before @ .., first, second] if is_colon(first) && is_colon(second) => {
            !ends_segment(before)
        }
        _ => false,
    }
}

/// Returns whether tokens end in a segment of a path. Keywords such as `impl` and arrows are not segments.
fn ends_segment(tokens: &[TokenTree]) -> bool {
    match tokens {
        [.., TokenTree::Ident(ident)] => {
            let is_root = ["crate", "self", "super", "Self"].iter().any(|root| ident == root);
            is_root || syn::parse2::<Ident>(ident.to_token_stream()).is_ok()
        }
        [.., TokenTree::Punct(before), TokenTree::Punct(last)] if last.as_char() == '>' => {
            !['-', '='].contains(&before.as_char()) || before.spacing() == Spacing::Alone
        }
        [.., TokenTree::Punct(last)] => last.as_char() == '>',
        _ => false,
    }
}

/// Gives the tokens of a path the spans at which rustc reports errors: that of the first, and that of the others. Their
/// hygiene is that of a macro, so that no lint complains about the path.
fn spanned(path: &TokenStream, start: Span, rest: Span) -> impl Iterator<Item = TokenTree> {
    path.clone().into_iter().enumerate().map(move |(index, mut token)| {
        let span = if index == 0 { start } else { rest };
        token.set_span(Span::mixed_site().located_at(span));
        token
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn replaced(source: &str, path: &str) -> String {
        let path: syn::Path = syn::parse_str(path).unwrap();
        relocate(source.parse().unwrap(), Some(&path)).to_string().replace(' ', "")
    }

    fn tokens(source: &str) -> String {
        source.parse::<TokenStream>().unwrap().to_string().replace(' ', "")
    }

    #[test]
    fn each_path_from_the_root_is_replaced() {
        let source = "impl ::cot_core::A for Vec<::cot_core::B> { fn f() -> ::cot_core::C { (::cot_core::d) } }";
        let expected =
            "impl :: cot :: A for Vec < :: cot :: B > { fn f () -> :: cot :: C { (:: cot :: d) } }";
        assert_eq!(replaced(source, "::cot"), tokens(expected));
        assert_eq!(
            replaced("return ::cot_core::x", "crate::inner"),
            tokens("return crate::inner::x")
        );
    }

    #[test]
    fn a_path_in_a_text_is_replaced() {
        let source = r#"#[serde(crate = "::cot_core::serde", rename = "cot_core::x")]"#;
        let expected = r#"#[serde(crate = "crate::inner::serde", rename = "cot_core::x")]"#;
        assert_eq!(replaced(source, "crate::inner"), tokens(expected));
    }

    #[test]
    fn other_paths_and_names_stay() {
        for source in [
            "use own :: cot_core :: A ;",
            "crate :: cot_core :: A",
            "< T as U > :: cot_core",
            "let cot_core = 1 ;",
        ] {
            assert_eq!(replaced(source, "::cot"), tokens(source));
        }
    }
}
