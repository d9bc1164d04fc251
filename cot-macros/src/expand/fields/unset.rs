//! Fields of a declared state that are unset until a task writes them: `state.plan` is the value, and
//! `state.plan?` the `Option`.
//!
//! Uses are found and rewritten as tokens, which also covers the tokens of other macros.

use proc_macro2::{Group, Ident, Spacing, Span, TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::{Expr, ext::IdentExt};

use crate::model::{Model, Uses};

/// The state fields of a process that can be unset.
#[derive(Debug, Clone)]
pub(in crate::expand) struct UnsetFields<'m>(Vec<&'m Ident>);

/// The state fields that an expression reads.
#[derive(Debug, Default)]
pub(in crate::expand) struct FieldReads {
    /// The fields without duplicates, in the order of their first use.
    pub(in crate::expand) fields: Vec<String>,
    /// The fields that are read without a `?`.
    pub(in crate::expand) plain: Vec<String>,
    /// Whether the state is used as a whole.
    pub(in crate::expand) whole: bool,
}

impl<'m> UnsetFields<'m> {
    pub(in crate::expand) fn from_model(model: &Model<'m>) -> Self {
        let fields = model.state_fields().iter().filter(|field| field.is_unset());
        Self(fields.map(|field| &field.name).collect())
    }

    /// Returns the fields, in the order of declaration.
    pub(in crate::expand) fn fields(&self) -> impl Iterator<Item = &'m Ident> {
        self.0.iter().copied()
    }

    pub(in crate::expand) fn find(&self, name: &Ident) -> Option<&'m Ident> {
        self.fields().find(|field| *field == name)
    }

    /// Replaces the uses of such fields in an expression with their values.
    pub(in crate::expand) fn rewrite(&self, expr: &Expr) -> TokenStream {
        self.rewrite_tokens(expr, expr.to_token_stream())
    }

    /// Replaces the uses of such fields in the transformed tokens of an expression.
    pub(in crate::expand) fn rewrite_tokens(
        &self,
        expr: &Expr,
        tokens: TokenStream,
    ) -> TokenStream {
        if self.0.is_empty() || binds_state(expr) {
            return tokens;
        }
        rewrite(tokens, &mut |state, field, optional| {
            self.find(field)?;
            Some(match optional {
                true => quote!(#state.#field),
                false => {
                    let value = value_of(field, field.span());
                    quote_spanned!(field.span()=> (*#value))
                }
            })
        })
    }

    /// Generates bindings for the values of such fields that expressions read. `state` is the state. If a
    /// field is unset, the generated function returns `missing`.
    pub(in crate::expand) fn bindings(
        &self,
        exprs: &[&Expr],
        state: &TokenStream,
        missing: fn(&str) -> TokenStream,
    ) -> TokenStream {
        let reads: Vec<_> = exprs.iter().map(|expr| reads(expr)).collect();
        let read = |field: &&Ident| {
            let mut plain = reads.iter().flat_map(|reads| &reads.plain);
            plain.any(|name| *field == name)
        };
        let bound = self.fields().filter(read).map(|field| {
            let (value, missing) =
                (value_of(field, Span::call_site()), missing(&field.unraw().to_string()));
            quote! {
                let ::core::option::Option::Some(#value) = &#state.#field else { return #missing };
            }
        });
        quote!(#(#bound)*)
    }
}

/// Returns the variable that holds the value of a field.
pub(in crate::expand) fn value_of(field: &Ident, span: Span) -> Ident {
    format_ident!("__field_{}", field, span = Span::mixed_site().located_at(span))
}

/// Finds the state fields that an expression reads.
pub(in crate::expand) fn reads(expr: &Expr) -> FieldReads {
    let mut reads = FieldReads::default();
    if binds_state(expr) {
        return reads;
    }
    reads.whole = uses_whole(expr.to_token_stream());
    rewrite(expr.to_token_stream(), &mut |_, field, optional| {
        let name = field.to_string();
        let add = |names: &mut Vec<String>| {
            if !names.contains(&name) {
                names.push(name.clone());
            }
        };
        add(&mut reads.fields);
        if !optional {
            add(&mut reads.plain);
        }
        None
    });
    reads
}

/// Returns whether an expression shadows `state`, so that its reads can't be determined.
fn binds_state(expr: &Expr) -> bool {
    Uses::from_expr(expr).binds(&Ident::new("state", Span::call_site()))
}

/// Returns the replacement of `state.field` or `state.field?`, or `None` to keep it.
type Replace<'r> = dyn FnMut(&Ident, &Ident, bool) -> Option<TokenStream> + 'r;

fn rewrite(tokens: TokenStream, replace: &mut Replace<'_>) -> TokenStream {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let mut written = TokenStream::new();
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        let read = field_read(&tokens, at);
        if let Some((state, field, optional)) = read
            && let Some(value) = replace(state, field, optional)
        {
            written.extend(value);
            at += if optional { 4 } else { 3 };
            continue;
        }
        written.extend([match token {
            TokenTree::Group(group) => {
                let mut inner = Group::new(group.delimiter(), rewrite(group.stream(), replace));
                inner.set_span(group.span());
                TokenTree::Group(inner)
            }
            other => other.clone(),
        }]);
        at += 1;
    }
    written
}

/// Returns the identifiers of a `state.field` at an index, and whether a `?` follows.
fn field_read(tokens: &[TokenTree], at: usize) -> Option<(&Ident, &Ident, bool)> {
    let (TokenTree::Ident(state), TokenTree::Punct(dot), TokenTree::Ident(field)) =
        (tokens.get(at)?, tokens.get(at + 1)?, tokens.get(at + 2)?)
    else {
        return None;
    };
    let is_read = state == "state" && dot.as_char() == '.' && !continues(&tokens[..at]);
    match tokens.get(at + 3) {
        // A method.
        Some(TokenTree::Group(group))
            if group.delimiter() == proc_macro2::Delimiter::Parenthesis =>
        {
            None
        }
        Some(TokenTree::Punct(mark)) => is_read.then_some((state, field, mark.as_char() == '?')),
        _ => is_read.then_some((state, field, false)),
    }
}

/// Returns whether `state` is used without a field.
fn uses_whole(tokens: TokenStream) -> bool {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    tokens.iter().enumerate().any(|(at, token)| match token {
        TokenTree::Group(group) => uses_whole(group.stream()),
        TokenTree::Ident(name) if name == "state" => {
            !continues(&tokens[..at]) && field_read(&tokens, at).is_none()
        }
        _ => false,
    })
}

/// Returns whether the next word continues a path or a field access: `x.state` or `x::state`. A range or
/// the value of a struct field does not.
fn continues(before: &[TokenTree]) -> bool {
    let is = |back: usize, wanted: char, joint: bool| {
        let token = before.len().checked_sub(back).and_then(|at| before.get(at));
        matches!(token, Some(TokenTree::Punct(mark))
            if mark.as_char() == wanted && (!joint || mark.spacing() == Spacing::Joint))
    };
    (is(1, '.', false) && !is(2, '.', true)) || (is(1, ':', false) && is(2, ':', true))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outline(source: &str) -> (String, String) {
        let reads = reads(&syn::parse_str(source).unwrap());
        (reads.fields.join(" "), reads.plain.join(" "))
    }

    #[test]
    fn reads_are_found_wherever_they_stand() {
        for (source, fields, plain) in [
            ("state.plan.title", "plan", "plan"),
            ("state.plan?.is_some() && state.a", "plan a", "a"),
            ("format!(\"{}\", state.plan)", "plan", "plan"),
            ("f(&state.plan, [state.a; 3])", "plan a", "plan a"),
            ("0..state.count", "count", "count"),
            ("T { plan: state.plan, ..x }", "plan", "plan"),
            ("T { plan: state.plan?, ..state.rest }", "plan rest", "rest"),
            ("other.state.plan + self::state.plan", "", ""),
            ("state.method()", "", ""),
            ("{ let state = x; state.plan }", "", ""),
        ] {
            assert_eq!(outline(source), (fields.to_owned(), plain.to_owned()), "{source}");
        }
    }

    #[test]
    fn the_state_is_used_as_a_whole_where_no_field_follows() {
        let whole = |source| reads(&syn::parse_str(source).unwrap()).whole;
        assert!(whole("state") && whole("f(&state, state.a)") && whole("state.method()"));
        assert!(!whole("state.a") && !whole("f(other.state, state.a?)"));
    }

    #[test]
    fn values_stand_in_the_place_of_fields() {
        let plan = Ident::new("plan", Span::call_site());
        let unset = UnsetFields(vec![&plan]);
        for (source, expected) in [
            ("state.plan.title", "(* __field_plan) . title"),
            ("m!(state.plan, state.other)", "m ! ((* __field_plan) , state . other)"),
            ("state.plan?.is_none()", "state . plan . is_none ()"),
        ] {
            let expr = syn::parse_str(source).unwrap();
            assert_eq!(unset.rewrite(&expr).to_string(), expected, "{source}");
        }
    }
}
