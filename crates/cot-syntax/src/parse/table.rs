//! Items: `key: value`, in any order, separated by commas that may be left out after `}` and `]`.
//!
//! One table of keys drives parsing, the check for duplicates, and the suggestion for a wrong key.

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use syn::{
    Attribute, Ident, Result, Token,
    buffer::Cursor,
    ext::IdentExt,
    parse::{Parse, ParseStream, discouraged::Speculative},
};

use crate::diagnostics::{Errors, error_at, suggest};

/// An item that was read: its key, kept for its span, and its value.
#[derive(Debug)]
pub struct Item<T> {
    pub key: Ident,
    pub value: T,
}

/// Where the value of an item goes; filled once.
pub type Slot<T> = Option<Item<T>>;

/// The items that have mistakes; `None` is one that resembles no key.
#[derive(Debug, Default)]
pub struct InvalidItems(Vec<Option<&'static str>>);

impl InvalidItems {
    /// Any item may be missing.
    pub fn wholly() -> Self {
        Self(vec![None])
    }

    /// Whether all items could be read.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether one of these items has a mistake, or may have been meant by one.
    pub fn any(&self, keys: &[&str]) -> bool {
        self.0.iter().any(|broken| broken.is_none_or(|broken| keys.contains(&broken)))
    }

    /// Whether this item itself has a mistake.
    pub fn has(&self, key: &Ident) -> bool {
        self.0.iter().flatten().any(|broken| key == broken)
    }
}

/// One key of a table.
pub struct Entry<N> {
    pub key: &'static str,
    /// How the item is written, for messages.
    pub form: &'static str,
    /// Keys such as `sequence NAME […]` may stand several times.
    pub repeats: bool,
    /// Whether a `:` stands between key and value.
    pub colon: bool,
    pub read: fn(&mut N, Ident, ParseStream<'_>, &Errors) -> Result<()>,
}

/// What a table of items belongs to.
pub struct Table<N: 'static> {
    /// `process` or `task`, for messages.
    pub owner: &'static str,
    pub entries: &'static [Entry<N>],
    /// Where the doc comments before an item go, if they may stand there.
    pub docs: Option<fn(&mut N) -> &mut Vec<Attribute>>,
}

impl<N> Table<N> {
    /// Reads items up to the end of the input. The result is their keys, in their order, and what is
    /// wrong with them.
    pub fn read(
        &self,
        node: &mut N,
        input: ParseStream<'_>,
        errors: &Errors,
    ) -> (Vec<Ident>, InvalidItems) {
        let mut seen = Vec::new();
        let mut broken = InvalidItems::default();
        while !input.is_empty() {
            let before = errors.len();
            let key = self.next_key(input);
            let nested = key.is_some_and(|key| self.is_nested(key));
            let read = self.read_item(node, input, errors, &mut seen);
            if read.is_err() || (errors.len() > before && !nested) {
                broken.0.push(key);
            }
            if let Err(error) = read {
                errors.push(error);
                if self.skip_item(input) == Skipped::More {
                    broken.0.push(None);
                }
            }
        }
        (seen, broken)
    }

    /// Whether the value keeps count of its own mistakes, as a task does.
    fn is_nested(&self, key: &str) -> bool {
        self.entries.iter().any(|entry| entry.key == key && entry.repeats)
    }

    /// The key of the next item, or what it is probably meant to be.
    fn next_key(&self, input: ParseStream<'_>) -> Option<&'static str> {
        let fork = input.fork();
        let _docs = fork.call(Attribute::parse_outer);
        let word = fork.call(Ident::parse_any).ok()?.to_string();
        let known = self.entries.iter().map(|entry| entry.key);
        let meant = || self.by_shape(input, &fork).map(|(entry, _)| entry.key);
        let key = known.clone().find(|key| *key == word);
        key.or_else(|| suggest(&word, known)).or_else(meant)
    }

    fn read_item(
        &self,
        node: &mut N,
        input: ParseStream<'_>,
        errors: &Errors,
        seen: &mut Vec<Ident>,
    ) -> Result<()> {
        let start = input.cursor();
        self.read_docs(node, input)?;
        let whole = input.fork();
        let key = input.call(Ident::parse_any).map_err(|error| {
            let help = format!("the items of a {} are written `key: value`", self.owner);
            error_at(error.span(), "expected an item", help)
        })?;
        let Some(entry) = self.entries.iter().find(|entry| key == entry.key) else {
            return self.read_misnamed(node, &whole, &key, input, errors);
        };
        if entry.colon && input.parse::<Option<Token![:]>>()?.is_none() {
            let span = if input.is_empty() { key.span() } else { input.span() };
            return Err(error_at(span, format!("expected `:` after `{key}`"), entry.help()));
        }
        if !entry.repeats && seen.contains(&key) {
            errors.error_with_help(
                key.span(),
                format!("`{key}` is given twice"),
                format!("a {} has one `{key}`: remove one of them", self.owner),
            );
            self.skip_item(input);
            return Ok(());
        }
        seen.push(key.clone());
        let read = (entry.read)(node, key, input, errors);
        read.map_err(|error| helped(error, &entry.help()))?;
        separator(input, start, entry)
    }

    fn read_docs(&self, node: &mut N, input: ParseStream<'_>) -> Result<()> {
        let attributes = input.call(Attribute::parse_outer)?;
        only_docs(&attributes)?;
        let is_task = input.fork().call(Ident::parse_any).is_ok_and(|word| word == "task");
        match (self.docs, attributes.first()) {
            (Some(docs), _) if is_task => *docs(node) = attributes,
            (_, Some(first)) => {
                return Err(error_at(
                    first.pound_token.span,
                    "a doc comment can't stand here",
                    "a process and its tasks have doc comments; elsewhere write `//`",
                ));
            }
            _ => {}
        }
        Ok(())
    }

    /// Goes on to the next item: to the next known key, or behind a comma to what looks like one.
    fn skip_item(&self, input: ParseStream<'_>) -> Skipped {
        let mut skipped = Skipped::One;
        while !input.is_empty() {
            let comma = input.parse::<Token![,]>().is_ok();
            if input.is_empty() || self.starts_item(input) || (comma && resembles_item(input)) {
                break;
            }
            if comma {
                skipped = Skipped::More;
            } else if input.parse::<TokenTree>().is_err() {
                break;
            }
        }
        skipped
    }

    fn starts_item(&self, input: ParseStream<'_>) -> bool {
        let fork = input.fork();
        let Ok(key) = fork.call(Ident::parse_any) else {
            return false;
        };
        self.entries.iter().any(|entry| {
            key == entry.key
                && if entry.colon {
                    fork.peek(Token![:]) && !fork.peek(Token![::])
                } else {
                    !entry.repeats || fork.peek(Ident::peek_any)
                }
        })
    }
}

/// What was passed over behind a mistake.
#[derive(PartialEq, Eq)]
enum Skipped {
    /// The rest of the item.
    One,
    /// Perhaps other items too.
    More,
}

/// Whether `word:` or the like stands here; the rest of a broken expression hardly does.
fn resembles_item(input: ParseStream<'_>) -> bool {
    let fork = input.fork();
    let documented = fork.call(Attribute::parse_outer).is_ok_and(|docs| !docs.is_empty());
    let word = fork.call(Ident::parse_any).is_ok();
    let colon = fork.peek(Token![:]) && !fork.peek(Token![::]);
    documented || (word && (colon || fork.peek(Token![=])))
}

/// A comma, which may be left out at the end and after a closing `}` or `]`.
pub(crate) fn separator<N>(
    input: ParseStream<'_>,
    start: Cursor<'_>,
    entry: &Entry<N>,
) -> Result<()> {
    if input.is_empty() || input.parse::<Option<Token![,]>>()?.is_some() {
        return Ok(());
    }
    if ends_in_bracket(start, input.cursor()) {
        return Ok(());
    }
    if input.peek(Token![:]) && !entry.colon {
        let message = format!("`{}` is a flag", entry.key);
        return Err(error_at(input.span(), message, "write it alone, without a value"));
    }
    if !input.peek(Ident::peek_any) {
        let message = format!("unexpected token behind `{}`", entry.key);
        return Err(error_at(input.span(), message, entry.help()));
    }
    Err(error_at(
        input.span(),
        "expected `,` before the next item",
        "items are separated by commas, which may be left out only after `}` and `]`",
    ))
}

fn ends_in_bracket(start: Cursor<'_>, end: Cursor<'_>) -> bool {
    let mut cursor = start;
    let mut last = None;
    while cursor != end
        && let Some((token, rest)) = cursor.token_tree()
    {
        last = Some(token);
        cursor = rest;
    }
    matches!(last, Some(TokenTree::Group(group))
        if matches!(group.delimiter(), Delimiter::Brace | Delimiter::Bracket))
}

impl<N> Entry<N> {
    fn help(&self) -> String {
        format!("write `{}`", self.form)
    }
}

/// Refuses attributes that are no doc comments.
pub(crate) fn only_docs<'a>(attributes: impl IntoIterator<Item = &'a Attribute>) -> Result<()> {
    match attributes.into_iter().find(|attribute| !attribute.path().is_ident("doc")) {
        None => Ok(()),
        Some(other) => Err(error_at(
            other.pound_token.span,
            "only doc comments can stand here",
            "`#[cfg(…)]` stands before a task, before an entry of a list, or before `cot_process!` for the whole \
             process",
        )),
    }
}

/// An error of `syn` with a help line.
pub(crate) fn helped(error: syn::Error, help: &str) -> syn::Error {
    let message = error.to_string();
    if message.contains("= help:") { error } else { error_at(error.span(), message, help) }
}

/// Puts a value that has a parser of its own into its slot.
pub fn fill<T: Parse>(slot: &mut Slot<T>, key: Ident, input: ParseStream<'_>) -> Result<()> {
    *slot = Some(Item { key, value: input.parse()? });
    Ok(())
}

/// Reads `{ entry, entry, … }` or the like: entries with their own parser, separated by commas, each
/// mistake reported by itself.
pub fn list<T>(
    content: ParseStream<'_>,
    errors: &Errors,
    form: &str,
    read: impl Fn(ParseStream<'_>) -> Result<T>,
) -> Vec<T> {
    let mut entries = Vec::new();
    while !content.is_empty() {
        let fork = content.fork();
        match read(&fork).and_then(|entry| end_of_entry(&fork, form).map(|()| entry)) {
            Ok(entry) => {
                content.advance_to(&fork);
                entries.push(entry);
            }
            Err(error) => {
                errors.push(helped(error, &format!("write `{form}`")));
                skip_to_comma(content);
            }
        }
    }
    entries
}

/// Reads the inside of brackets. What a mistake leaves of it is passed over: `syn` would report it once
/// more, and give up the whole process for it.
pub fn inside<T>(
    content: ParseStream<'_>,
    read: impl FnOnce(ParseStream<'_>) -> Result<T>,
) -> Result<T> {
    let result = read(content);
    if result.is_err() {
        content.parse::<TokenStream>()?;
    }
    result
}

fn end_of_entry(input: ParseStream<'_>, form: &str) -> Result<()> {
    if input.is_empty() || input.parse::<Token![,]>().is_ok() {
        return Ok(());
    }
    let help = format!("write `{form}`; entries are separated by commas");
    Err(error_at(input.span(), "expected `,`", help))
}

fn skip_to_comma(input: ParseStream<'_>) {
    while !input.is_empty() {
        if input.parse::<Token![,]>().is_ok() || input.parse::<TokenTree>().is_err() {
            return;
        }
    }
}
