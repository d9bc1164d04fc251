//! The tokens of a process, divided into items, without parsing their values.

use std::collections::BTreeMap;

use cot_syntax::{ItemKeys, ProcessItems, ValueSyntax};
use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream, TokenTree};

use cot_syntax::tokens::{braced, end_of_attributes, end_of_entry, is_mark, is_word};

/// A process, up to its items.
pub(super) struct RawProcess {
    pub(super) name: Ident,
    /// The word `process`, or the name if it is missing.
    pub(super) keyword: Span,
    pub(super) items: Vec<TokenTree>,
}

/// An item, a task or another declaration.
pub(super) enum RawItem<'a> {
    /// `key: value`, or a key alone, which is a flag or incomplete. `mark` is the `:`.
    Item { key: &'a Ident, mark: Option<Span>, value: &'a [TokenTree] },
    /// `task name …`, `parallel name …` or `sequence name …`.
    Declaration(RawDeclaration<'a>),
}

/// A declaration. Its keyword or its name can be missing.
pub(super) struct RawDeclaration<'a> {
    pub(super) keyword: Option<&'a Ident>,
    pub(super) name: Option<&'a Ident>,
    /// The tokens between the name and the items in braces.
    pub(super) head: &'a [TokenTree],
    /// The items in braces.
    pub(super) items: Option<Vec<TokenTree>>,
}

impl RawProcess {
    /// Finds the name and the braces of a process.
    pub(super) fn find(input: &TokenStream) -> Option<Self> {
        let tokens: Vec<TokenTree> = input.clone().into_iter().collect();
        let items = tokens.iter().find_map(braced)?;
        let mut words = tokens.iter().filter_map(|token| match token {
            TokenTree::Ident(word) => Some(word),
            _ => None,
        });
        let name = words.rfind(|word| *word != "process" && *word != "pub")?;
        let keyword = tokens.iter().find(|token| is_word(token, "process"));
        let keyword = keyword.map_or_else(|| name.span(), TokenTree::span);
        Some(Self { name: name.clone(), keyword, items: items.stream().into_iter().collect() })
    }
}

impl RawProcess {
    /// Returns the keyword of each task, by its name.
    pub(super) fn keywords_of_tasks(&self) -> BTreeMap<String, Span> {
        let items = items(&self.items, process_table());
        let starts = items.iter().filter_map(|item| match item {
            RawItem::Declaration(task) => Some((task.name?.to_string(), task.keyword?.span())),
            RawItem::Item { .. } => None,
        });
        starts.collect()
    }
}

/// Divides tokens into the items of a table.
pub(super) fn items<'a>(tokens: &'a [TokenTree], table: &dyn ItemKeys) -> Vec<RawItem<'a>> {
    let (mut items, mut at) = (Vec::new(), 0);
    while at < tokens.len() {
        at = end_of_attributes(tokens, at);
        let Some(TokenTree::Ident(key)) = tokens.get(at) else {
            at += 1;
            continue;
        };
        if let Some((declaration, end)) = declaration(tokens, at, table) {
            items.push(RawItem::Declaration(declaration));
            at = end;
            continue;
        }
        let syntax = table.syntax_of(&key.to_string());
        let end_of_key = at + 1;
        let start = end_of_key + usize::from(begins_value(tokens, at));
        let has_value = start > end_of_key
            || syntax.is_some_and(|syntax| !matches!(syntax, ValueSyntax::Flag))
                && matches!(tokens.get(start), Some(TokenTree::Literal(_) | TokenTree::Group(_)));
        at = if has_value { end_of_value(tokens, start, syntax, table) } else { start };
        let mark = (start > end_of_key).then(|| tokens[end_of_key].span());
        items.push(RawItem::Item { key, mark, value: &tokens[start..at] });
    }
    items
}

/// Divides tokens into entries at the commas. Returns each without its comma and its attributes.
pub(super) fn entries(tokens: &[TokenTree], begin_with_type: bool) -> Vec<&[TokenTree]> {
    let (mut entries, mut at) = (Vec::new(), 0);
    while at < tokens.len() {
        let start = end_of_attributes(tokens, at);
        at = end_of_entry(tokens, start, begin_with_type).max(start + 1).min(tokens.len());
        let entry = tokens.get(start..at).unwrap_or_default();
        entries.push(match entry {
            [entry @ .., last] if is_mark(last, ',') => entry,
            entry => entry,
        });
    }
    entries
}

/// Returns the tokens in the group that a value is, if it has these delimiters.
pub(super) fn inside(
    value: &[TokenTree],
    delimiter: Delimiter,
) -> Option<(&Group, Vec<TokenTree>)> {
    match value {
        [TokenTree::Group(group)] if group.delimiter() == delimiter => {
            Some((group, group.stream().into_iter().collect()))
        }
        _ => None,
    }
}

/// Splits tokens at the first word, which must not follow a dot: `a with b` into `a` and `b`.
pub(super) fn split_at_word<'a>(
    tokens: &'a [TokenTree],
    word: &str,
) -> (&'a [TokenTree], Option<&'a [TokenTree]>) {
    let is_here = |at: &usize| {
        is_word(&tokens[*at], word)
            && !at.checked_sub(1).is_some_and(|before| is_mark(&tokens[before], '.'))
    };
    match (0..tokens.len()).find(is_here) {
        Some(at) => (&tokens[..at], Some(&tokens[at + 1..])),
        None => (tokens, None),
    }
}

/// Returns whether a `:` follows that is not part of `::`.
pub(super) fn begins_value(tokens: &[TokenTree], at: usize) -> bool {
    let is_colon = |at| tokens.get(at).is_some_and(|token| is_mark(token, ':'));
    is_colon(at + 1) && !is_colon(at + 2)
}

fn declaration<'a>(
    tokens: &'a [TokenTree],
    at: usize,
    table: &dyn ItemKeys,
) -> Option<(RawDeclaration<'a>, usize)> {
    let TokenTree::Ident(first) = tokens.get(at)? else { return None };
    let known = table.syntax_of(&first.to_string());
    let has_arrow = matches!(tokens.get(at + 1..), Some([dash, arrow, ..]) if is_mark(dash, '-') && is_mark(arrow, '>'));
    let has_braces = tokens.get(at + 1).and_then(braced).is_some();
    let (keyword, name, start) = match (known, tokens.get(at + 1)) {
        (Some(ValueSyntax::Declaration), Some(TokenTree::Ident(name))) => {
            (Some(first), Some(name), at + 2)
        }
        (Some(ValueSyntax::Declaration), _) if has_arrow || has_braces => {
            (Some(first), None, at + 1)
        }
        // A task without its keyword.
        (known, _)
            if table.syntax_of("task").is_some()
                && (has_arrow || known.is_none() && has_braces) =>
        {
            (None, Some(first), at + 1)
        }
        _ => return None,
    };
    let rest = tokens.get(start..)?;
    let is_end = |index: &usize| {
        braced(&rest[*index]).is_some()
            || is_mark(&rest[*index], ',')
            || begins_item(rest, *index, table)
    };
    let end = (0..rest.len()).find(is_end).unwrap_or(rest.len());
    let items = rest.get(end).and_then(braced);
    let items = items.map(|group| group.stream().into_iter().collect::<Vec<_>>());
    let after = start + end + usize::from(items.is_some());
    Some((RawDeclaration { keyword, name, head: &rest[..end], items }, after))
}

/// Returns the end of a value, before the comma or the next item.
fn end_of_value(
    tokens: &[TokenTree],
    start: usize,
    syntax: Option<ValueSyntax>,
    table: &dyn ItemKeys,
) -> usize {
    let is_type = matches!(syntax, Some(ValueSyntax::Type | ValueSyntax::State));
    let comma = end_of_entry(tokens, start, is_type);
    let has_comma = comma > start && is_mark(&tokens[comma - 1], ',');
    let end = if has_comma { comma - 1 } else { comma };
    let next = |at: &usize| begins_item(tokens, *at, table);
    (start..end).find(next).unwrap_or(end)
}

/// Returns whether a known item begins here although no comma precedes it.
fn begins_item(tokens: &[TokenTree], at: usize, table: &dyn ItemKeys) -> bool {
    let TokenTree::Ident(word) = &tokens[at] else { return false };
    let is_path = at.checked_sub(1).is_some_and(|before| is_mark(&tokens[before], ':'));
    let follows_group = at.checked_sub(1).is_some_and(|before| {
        matches!(&tokens[before], TokenTree::Group(group) if group.delimiter() != Delimiter::Parenthesis)
    });
    match table.syntax_of(&word.to_string()) {
        None => false,
        Some(ValueSyntax::Declaration) => matches!(tokens.get(at + 1), Some(TokenTree::Ident(_))),
        Some(_) => follows_group || (begins_value(tokens, at) && !is_path),
    }
}

/// Returns the table of the items of a process.
pub(super) fn process_table() -> &'static dyn ItemKeys {
    ProcessItems::TABLE
}
