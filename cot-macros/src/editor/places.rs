//! The expressions of a process as statements, with the names that they can use.

use proc_macro2::{Delimiter, Ident, Literal, Span, TokenStream, TokenTree};
use quote::quote;

use super::{alias::Alias, raw::split_at_word, spans::detached};
use crate::model::Place;
use cot_syntax::tokens::{is_mark, is_word, rebuild};

/// The names that the expressions of a task, or of a process, can use.
#[derive(Default)]
pub(super) struct Names<'a> {
    /// The fields of a declared state that are unset until a task writes them.
    pub(super) unset: &'a [String],
    /// The type of the state.
    pub(super) state: TokenStream,
    /// The type of the context, if the process has one.
    pub(super) context: Option<TokenStream>,
    /// Whether the task has an output.
    pub(super) output: Option<Word>,
    /// Whether the task takes inputs.
    pub(super) inputs: Option<Word>,
}

/// A word that stands for a value in some places and for a reference to it in others.
pub(super) struct Word {
    value: Alias,
    reference: Alias,
}

impl Word {
    /// Creates a word with its place.
    pub(super) fn new(word: &'static str, at: Option<Span>) -> Self {
        Self { value: Alias::new(word, at, false), reference: Alias::new(word, at, true) }
    }

    /// Generates the items behind the word.
    pub(super) fn declare(&self, ty: &TokenStream, doc: &str) -> TokenStream {
        let value = self.value.declare_const(ty, doc);
        let reference = self.reference.declare_static(ty, doc);
        quote!(#value #reference)
    }

    fn import(&self, owned: bool, tokens: &[TokenTree]) -> TokenStream {
        match owned {
            true => self.value.import_for(tokens),
            false => self.reference.import(),
        }
    }
}

impl Names<'_> {
    /// Generates a statement that evaluates an expression.
    pub(super) fn expression(&self, tokens: &[TokenTree], place: Place) -> TokenStream {
        let owned = matches!(place, Place::With | Place::ArmWith | Place::Start);
        let value = if owned { self.owned(tokens) } else { self.read(tokens) };
        let bound = self.bindings(place, tokens);
        quote!({ #bound let _ = #value; })
    }

    /// Generates a statement that evaluates a guard.
    pub(super) fn guard(&self, tokens: &[TokenTree], place: Place) -> TokenStream {
        let (bound, condition) =
            (self.bindings(place, tokens), self.condition(tokens, &TokenStream::new()));
        quote!({ #bound #condition })
    }

    /// Generates a statement that evaluates a condition, and statements that see what its patterns bind.
    pub(super) fn condition(&self, tokens: &[TokenTree], inner: &TokenStream) -> TokenStream {
        let condition = self.read(tokens);
        match tokens.iter().any(|token| is_word(token, "let")) {
            true => quote!(if #condition { #inner }),
            // A struct literal is no condition of an `if` in Rust.
            false => quote!(#inner let _: bool = #condition;),
        }
    }

    /// Generates the expressions of a template, each followed by a text.
    pub(super) fn shown(&self, expressions: &[TokenStream], text: Option<&Literal>) -> TokenStream {
        let bound = self.inputs.as_ref().map(|word| word.import(false, &[]));
        let read = expressions.iter().map(|tokens| {
            let tokens: Vec<TokenTree> = tokens.clone().into_iter().collect();
            let value = self.read(&tokens);
            quote!(let _ = &(#value); #text;)
        });
        quote! {
            {
                #bound
                let (task, process, history): __e::Shown<'_> = __e::any();
                #(#read)*
            }
        }
    }

    /// Generates the imports of the words that only some places have, for these expressions.
    pub(super) fn bindings(&self, place: Place, tokens: &[TokenTree]) -> TokenStream {
        let owned = matches!(place, Place::With | Place::ArmWith | Place::Write | Place::Start);
        let has_output = matches!(place, Place::Write | Place::ArmWith | Place::ArmGuard);
        let output = self.output.as_ref().filter(|_| has_output);
        let output = output.map(|word| word.import(owned, tokens));
        let inputs = self.inputs.as_ref().map(|word| word.import(owned, tokens));
        quote!(#output #inputs)
    }

    /// Gives the reads of unset fields the type of the value: `state.plan` is the plan, `state.plan?` the `Option`.
    pub(super) fn read(&self, tokens: &[TokenTree]) -> TokenStream {
        let mut read = TokenStream::new();
        let mut at = 0;
        while let Some(token) = tokens.get(at) {
            at += 1;
            if let Some(field) =
                self.unset_field(&tokens[at - 1..]).filter(|_| !follows_dot(tokens, at - 1))
            {
                let dot = &tokens[at];
                at += 2;
                match tokens.get(at) {
                    Some(mark) if is_mark(mark, '?') => {
                        at += 1;
                        read.extend(quote!(#token #dot #field));
                    }
                    _ => read.extend(quote!((*#token #dot #field.__set()))),
                }
                continue;
            }
            read.extend([match token {
                TokenTree::Group(group) => {
                    let inner: Vec<TokenTree> = group.stream().into_iter().collect();
                    rebuild(group, self.read(&inner))
                }
                token => token.clone(),
            }]);
        }
        read
    }

    /// Returns an expression whose value is moved. A place in the state that stands alone is cloned.
    pub(super) fn owned(&self, tokens: &[TokenTree]) -> TokenStream {
        let value = self.read(tokens);
        match tokens {
            [root, _, ..] if is_word(root, "state") && is_place(tokens) => quote!(#value.clone()),
            _ => value,
        }
    }

    /// Returns the field in `state.field`, if it is unset until a task writes it.
    fn unset_field<'t>(&self, tokens: &'t [TokenTree]) -> Option<&'t Ident> {
        match tokens {
            [state, dot, TokenTree::Ident(field), ..]
                if is_word(state, "state")
                    && is_mark(dot, '.')
                    && self.unset.iter().any(|unset| field == unset) =>
            {
                Some(field)
            }
            _ => None,
        }
    }

    /// Generates the statements of `… with expression if guard`, which follow the target of a route.
    pub(super) fn route(
        &self,
        tokens: &[TokenTree],
        [with_place, guard_place]: [Place; 2],
    ) -> TokenStream {
        let (rest, guard) = split_at_guard(tokens);
        let (_, with) = split_at_word(rest, "with");
        let is_model = |tokens: &[TokenTree]| matches!(tokens, [word] if is_word(word, "model"));
        let with = with.filter(|tokens| !is_model(tokens));
        let with = with.map(|tokens| self.expression(tokens, with_place));
        let guard = guard.map(|tokens| self.guard(tokens, guard_place));
        quote!(#with #guard)
    }
}

/// Returns whether a word continues a field access or a path, and neither a range nor the value of a field.
fn follows_dot(tokens: &[TokenTree], at: usize) -> bool {
    let is = |back: usize, mark| {
        let token = at.checked_sub(back).and_then(|before| tokens.get(before));
        token.is_some_and(|token| is_mark(token, mark))
    };
    (is(1, '.') && !is(2, '.')) || (is(1, ':') && is(2, ':'))
}

/// Returns whether tokens are a place, such as `a.b[0]`.
fn is_place(tokens: &[TokenTree]) -> bool {
    tokens.iter().all(|token| match token {
        TokenTree::Group(group) => group.delimiter() == Delimiter::Bracket,
        TokenTree::Punct(mark) => ".?".contains(mark.as_char()),
        _ => true,
    })
}

/// Splits tokens at the `if` of a guard, which is neither the beginning of an expression nor an `else if`.
pub(super) fn split_at_guard(tokens: &[TokenTree]) -> (&[TokenTree], Option<&[TokenTree]>) {
    let is_guard = |at: &usize| {
        let before = at.checked_sub(1).and_then(|before| tokens.get(before));
        let begins = before.is_none_or(|before| {
            is_mark(before, '=') || is_word(before, "else") || is_word(before, "with")
        });
        is_word(&tokens[*at], "if") && !begins
    };
    match (0..tokens.len()).find(is_guard) {
        Some(at) => (&tokens[..at], Some(&tokens[at + 1..])),
        None => (tokens, None),
    }
}

/// Generates the binding of the item of a for-each task.
pub(super) fn item(tokens: &[TokenTree], names: &Names<'_>) -> TokenStream {
    let (item, list) = split_at_word(tokens, "in");
    let (Some(item), Some(list)) = (item.first(), list) else { return TokenStream::new() };
    let borrow = is_place(list).then(|| quote!(&));
    let list = names.read(list);
    quote!(let #item = __e::item(#borrow (#list));)
}

/// Returns the type of an output, detached from the declaration.
pub(super) fn output_type(ty: &[TokenTree], is_list: bool, collects: bool) -> TokenStream {
    let ty = detached(ty.iter().cloned());
    match (is_list, collects) {
        (false, _) => ty,
        (true, false) => quote!(::std::vec::Vec<#ty>),
        (true, true) => {
            quote!(::std::vec::Vec<::core::result::Result<#ty, ::cot_core::ItemError>>)
        }
    }
}
