//! Evaluates `#[cfg(…)]` before tasks and before entries of lists.
//!
//! A function-like macro can't evaluate conditions, but rustc evaluates those in the input of a derive. So a
//! process with conditions expands to a struct with one field per condition. The derive on that struct
//! expands the process without the tasks and entries whose condition is false.

use proc_macro2::{Delimiter, Group, Ident, Spacing, TokenStream, TokenTree};
use quote::{format_ident, quote};
use syn::{Data, DeriveInput, Meta, Path, parse::Parser};

use crate::{
    core_crate::relocate,
    items::task::TaskItems,
    tokens::{braced, end_of_attributes, end_of_entry, is_mark, is_word, rebuild},
};

/// The attribute that carries the tokens of the process. rustc proposes attributes for unknown macros with a similar
/// name, so this one is far from those of the library.
const CARRIER: &str = "__declaration_under_conditions";

/// Returns the struct that evaluates the conditions of a process, or `None` if it has no conditions.
pub fn defer(process: &TokenStream) -> Option<TokenStream> {
    let mut walk = ConditionFilter { found: Vec::new(), true_fields: None };
    walk.process(process.clone());
    if walk.found.is_empty() {
        return None;
    }
    let derive = quote!(::cot_core::__private::ConditionalProcess);
    let derive = relocate(derive, crate_path(process).as_ref());
    let name = format_ident!("__{}Conditions", name(process)?);
    let kept = Ident::new(CARRIER, proc_macro2::Span::call_site());
    let fields = walk.found.iter().enumerate().map(|(index, condition)| {
        let field = field(index);
        quote!(#[#condition] #field: ())
    });
    Some(quote! {
        #[derive(#derive)]
        #[allow(dead_code)]
        #[#kept { #process }]
        struct #name { #(#fields,)* }
    })
}

/// Returns a process as if all of its conditions were true.
pub fn assume_true(process: &TokenStream) -> TokenStream {
    ConditionFilter { found: Vec::new(), true_fields: None }.process(process.clone())
}

/// Returns the process that such a struct carries, without the tasks and entries whose condition is false.
pub fn evaluate(item: TokenStream) -> syn::Result<TokenStream> {
    let item: DeriveInput = syn::parse2(item)?;
    let kept = item.attrs.iter().find_map(|attribute| match &attribute.meta {
        Meta::List(list) if list.path.is_ident(CARRIER) => Some(list.tokens.clone()),
        _ => None,
    });
    let Data::Struct(data) = &item.data else { return Ok(TokenStream::new()) };
    let true_fields = data.fields.iter().filter_map(|field| field.ident.clone()).collect();
    let mut walk = ConditionFilter { found: Vec::new(), true_fields: Some(true_fields) };
    Ok(walk.process(kept.unwrap_or_default()))
}

fn field(index: usize) -> Ident {
    format_ident!("_{}", index)
}

/// Finds the name of a process.
fn name(process: &TokenStream) -> Option<Ident> {
    let mut tokens = process.clone().into_iter();
    tokens.find(|token| is_word(token, "process"))?;
    match tokens.next()? {
        TokenTree::Ident(name) => Some(name),
        _ => None,
    }
}

/// Finds the path in `crate: path`.
pub fn crate_path(process: &TokenStream) -> Option<Path> {
    let body = process.clone().into_iter().find_map(|token| braced(&token).map(Group::stream))?;
    let tokens: Vec<TokenTree> = body.into_iter().collect();
    // A path that begins with `crate::` is not an item.
    let is_item = |pair: &[TokenTree]| match pair {
        [word, TokenTree::Punct(mark)] => {
            is_word(word, "crate") && mark.as_char() == ':' && mark.spacing() == Spacing::Alone
        }
        _ => false,
    };
    let start = tokens.windows(2).position(is_item)? + 2;
    let path = tokens.into_iter().skip(start).take_while(|token| !is_mark(token, ',')).collect();
    Path::parse_mod_style.parse2(path).ok()
}

/// Walks the tokens of a process, collects its conditions in order, and removes what they exclude.
struct ConditionFilter {
    found: Vec<TokenStream>,
    /// The fields of the true conditions. `None` before they are evaluated, when all count as true.
    true_fields: Option<Vec<Ident>>,
}

impl ConditionFilter {
    fn process(&mut self, tokens: TokenStream) -> TokenStream {
        let body = |walk: &mut Self, token: TokenTree| match braced(&token) {
            Some(group) => rebuild(group, walk.items(group.stream())),
            None => token,
        };
        tokens.into_iter().map(|token| body(self, token)).collect()
    }

    /// Filters the items of a process.
    fn items(&mut self, tokens: TokenStream) -> TokenStream {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        let (mut kept, mut at) = (Vec::new(), 0);
        while let Some(token) = tokens.get(at) {
            let start = end_of_attributes(&tokens, at);
            let is_task = begins_task(&tokens[start..]);
            let end = if is_task { end_of_task(&tokens, start) } else { start.max(at + 1) };
            if is_task {
                if let Some(attributes) = self.attributes(&tokens[at..start]) {
                    kept.extend(attributes);
                    kept.extend(self.task(&tokens[start..end]));
                } else {
                    self.task(&tokens[start..end]);
                }
            } else if is_word(token, "state") || is_word(token, "sequence") {
                kept.extend(self.list_after(&tokens[at..], &mut at));
                continue;
            } else {
                kept.extend_from_slice(&tokens[at..end]);
            }
            at = end;
        }
        kept.into_iter().collect()
    }

    /// Filters the list in `key: { … }` or `sequence name [ … ]`. Returns the key alone if no list follows.
    fn list_after(&mut self, tokens: &[TokenTree], at: &mut usize) -> Vec<TokenTree> {
        let list = match tokens {
            [key, mark, TokenTree::Group(group), ..]
                if is_mark(mark, ':') && group.delimiter() == Delimiter::Brace
                    || is_word(key, "sequence") && group.delimiter() == Delimiter::Bracket =>
            {
                Some(group)
            }
            _ => None,
        };
        let Some(group) = list else {
            *at += 1;
            return tokens.iter().take(1).cloned().collect();
        };
        *at += 3;
        let are_fields = is_word(&tokens[0], "state");
        let inner = rebuild(group, self.entries(group.stream(), are_fields));
        tokens.iter().take(2).cloned().chain([inner]).collect()
    }

    /// Filters the lists of a task, from the word `task` to the closing brace.
    fn task(&mut self, tokens: &[TokenTree]) -> Vec<TokenTree> {
        let inside = |walk: &mut Self, token: &TokenTree| match braced(token) {
            Some(group) => {
                let tokens: Vec<TokenTree> = group.stream().into_iter().collect();
                let (mut kept, mut at) = (Vec::new(), 0);
                while let Some(token) = tokens.get(at) {
                    if is_list(token) {
                        kept.extend(walk.list_after(&tokens[at..], &mut at));
                    } else {
                        kept.push(token.clone());
                        at += 1;
                    }
                }
                rebuild(group, kept.into_iter().collect())
            }
            None => token.clone(),
        };
        tokens.iter().map(|token| inside(self, token)).collect()
    }

    /// Filters entries separated by commas. `are_fields` tells fields of a state from other entries.
    fn entries(&mut self, tokens: TokenStream, are_fields: bool) -> TokenStream {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        let (mut kept, mut at) = (Vec::new(), 0);
        while at < tokens.len() {
            let start = end_of_attributes(&tokens, at);
            let end = end_of_entry(&tokens, start, are_fields);
            if let Some(attributes) = self.attributes(&tokens[at..start]) {
                kept.extend(attributes);
                kept.extend_from_slice(&tokens[start..end]);
            }
            at = end;
        }
        kept.into_iter().collect()
    }

    /// Removes the conditions from attributes. Returns `None` if one of them is false.
    fn attributes(&mut self, tokens: &[TokenTree]) -> Option<Vec<TokenTree>> {
        let (mut kept, mut holds) = (Vec::new(), true);
        for attribute in tokens.chunks(2) {
            let Some(condition) = condition(attribute) else {
                kept.extend_from_slice(attribute);
                continue;
            };
            let field = field(self.found.len());
            self.found.push(condition);
            holds &=
                self.true_fields.as_ref().is_none_or(|true_fields| true_fields.contains(&field));
        }
        holds.then_some(kept)
    }
}

/// Returns the `cfg(…)` of an attribute.
fn condition(attribute: &[TokenTree]) -> Option<TokenStream> {
    let [_, TokenTree::Group(group)] = attribute else { return None };
    let first = group.stream().into_iter().next()?;
    is_word(&first, "cfg").then(|| group.stream())
}

/// Returns whether the tokens begin with `task name` or `parallel name`.
fn begins_task(tokens: &[TokenTree]) -> bool {
    matches!(tokens, [word, TokenTree::Ident(_), ..] if is_word(word, "task") || is_word(word, "parallel"))
}

/// The number of tokens of `parallel name [first, second] => join`.
const PARALLEL_HEAD: usize = 6;

/// Returns the end of a task, after the comma that follows it.
fn end_of_task(tokens: &[TokenTree], start: usize) -> usize {
    let end = if is_word(&tokens[start], "parallel") {
        // The braces of a parallel task can be left out.
        let head = (start + PARALLEL_HEAD).min(tokens.len());
        head + usize::from(tokens.get(head).is_some_and(|token| braced(token).is_some()))
    } else {
        let braces = tokens[start..].iter().position(|token| braced(token).is_some());
        braces.map_or(tokens.len(), |braces| start + braces + 1)
    };
    end + usize::from(tokens.get(end).is_some_and(|token| is_mark(token, ',')))
}

/// Returns whether a token is the key of a task item whose entries can have conditions.
fn is_list(token: &TokenTree) -> bool {
    TaskItems::TABLE.rows().iter().any(|row| row.has_conditions && is_word(token, row.key))
}

#[cfg(test)]
#[path = "tests.rs"]
mod tests;
