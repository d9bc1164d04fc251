//! Rewrites the uses of `self.member` in conditions.

use proc_macro2::{Group, TokenStream, TokenTree};

/// Replaces each `self.member` with the result of `instead` for the member, unless it is `None`.
pub(crate) fn replace(
    tokens: TokenStream,
    instead: &dyn Fn(&TokenTree) -> Option<TokenStream>,
) -> TokenStream {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let mut replaced = TokenStream::new();
    let mut rest = tokens.as_slice();
    while let Some((first, after)) = rest.split_first() {
        let (piece, left) = match (first, after) {
            (TokenTree::Ident(own), [TokenTree::Punct(dot), member, left @ ..])
                if own == "self" && dot.as_char() == '.' =>
            {
                instead(member).map_or_else(|| (first.clone().into(), after), |piece| (piece, left))
            }
            (TokenTree::Group(group), _) => (inside(group, instead).into(), after),
            _ => (first.clone().into(), after),
        };
        replaced.extend::<TokenStream>(piece);
        rest = left;
    }
    replaced
}

fn inside(group: &Group, instead: &dyn Fn(&TokenTree) -> Option<TokenStream>) -> TokenTree {
    let mut new = Group::new(group.delimiter(), replace(group.stream(), instead));
    new.set_span(group.span());
    new.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_of_self_are_replaced_wherever_they_stand() {
        let code = "matches!(self.kind, A) && f(self) && myself.kind > self.other";
        let shown = replace(code.parse().unwrap(), &|member| {
            (member.to_string() == "kind").then(|| "(*it)".parse().unwrap())
        });
        let expected: TokenStream =
            "matches!((*it), A) && f(self) && myself.kind > self.other".parse().unwrap();
        assert_eq!(shown.to_string(), expected.to_string());
    }
}
