//! Item tables: one row per key drives parsing, duplicate detection and suggestions for unknown keys.
//!
//! Items can be written in any order. Commas separate them; the comma is optional after `}` and `]`.

use proc_macro2::{Delimiter, TokenTree};
use syn::{Attribute, Ident, Result, Token, buffer::Cursor, ext::IdentExt, parse::ParseStream};

use crate::{
    diagnostics::{Errors, error_at},
    parse::{
        item::InvalidItems,
        row::{ItemView, Notation, Row},
        value_syntax::{ItemKey, ItemKeys, ValueSyntax},
    },
    values::plain::starts_closure,
};

/// The items that a construct accepts.
pub struct Table<N: 'static> {
    /// The name of the struct that the items are parsed into.
    pub(crate) name: &'static str,
    /// The construct, such as `process` or `task`, for messages.
    pub(crate) owner: &'static str,
    pub(crate) rows: &'static [Row<N>],
}

/// Declares the items of a construct: a struct with one field per row, and the table that parses them.
///
/// A row names a field and its type, which determines how the value is parsed ([`ItemField`]), followed by
/// fields of [`Row`], of which `form` is required. The key is the name of the field, unless the row sets
/// another one.
///
/// [`ItemField`]: crate::parse::row::ItemField
macro_rules! item_table {
    (
        $(#[$doc:meta])*
        pub struct $Items:ident of $owner:literal {
            $(
                $(#[doc = $field_doc:literal])*
                $field:ident: $Field:ty { $($fact:ident: $value:expr),* $(,)? }
            )*
        }
    ) => {
        $(#[$doc])*
        #[derive(Debug, Default)]
        pub struct $Items {
            $($(#[doc = $field_doc])* pub $field: $Field,)*
        }

        impl $Items {
            /// The table of the items, with one row per key.
            pub const TABLE: &'static $crate::parse::table::Table<Self> = &$crate::parse::table::Table {
                name: stringify!($Items),
                owner: $owner,
                rows: &[$(
                    $crate::parse::row::Row {
                        $($fact: $value,)*
                        ..$crate::parse::row::Row::new(
                            stringify!($field),
                            concat!($($field_doc),*),
                            (
                                <$Field as $crate::parse::row::ItemField>::NOTATION,
                                <$Field as $crate::parse::row::ItemField>::SYNTAX,
                            ),
                            <$Field as $crate::parse::row::ItemField>::SHOWS_TEMPLATES,
                            |items: &mut Self, head, input, errors| {
                                $crate::parse::row::ItemField::read(
                                    &mut items.$field, head, input, errors,
                                )
                            },
                            |items: &Self| $crate::parse::row::ItemField::view(&items.$field),
                        )
                    },
                )*],
            };
        }
    };
}
pub(crate) use item_table;

impl<N> Table<N> {
    /// Returns the rows, in the order of their declaration.
    pub fn rows(&self) -> &'static [Row<N>] {
        self.rows
    }

    /// Returns the row with a key.
    pub fn row(&self, key: &Ident) -> Option<&'static Row<N>> {
        // Inside a compiler, each comparison with an identifier would request its text again.
        let key = key.to_string();
        self.rows.iter().find(|row| row.key == key)
    }

    /// Returns the items that are present in a node, each with its row, in the order of the rows.
    pub fn items<'a>(
        &self,
        node: &'a N,
    ) -> impl Iterator<Item = (&'static Row<N>, ItemView<'a>)> + use<'a, N> {
        self.rows.iter().filter_map(move |row| Some((row, (row.view)(node)?)))
    }

    /// Parses items up to the end of the input and reports their errors. Returns the keys in the order in
    /// which they are written, and the items that could not be parsed.
    pub(crate) fn read(
        &self,
        node: &mut N,
        input: ParseStream<'_>,
        errors: &Errors,
    ) -> (Vec<Ident>, InvalidItems) {
        let mut seen = Vec::new();
        let mut invalid = InvalidItems::default();
        while !input.is_empty() {
            let before = errors.len();
            let key = self.next_key(input);
            // A task records its invalid items itself.
            let nested = key.is_some_and(|key| self.is_declaration(key));
            match self.read_item(node, input, errors, &mut seen) {
                Ok(missing_marks) => {
                    if errors.len() > before + missing_marks && !nested {
                        invalid.push(key);
                    }
                }
                Err(error) => {
                    invalid.push(key);
                    errors.push(error);
                    if self.skip_item(input) == SkipExtent::Following {
                        invalid.push(None);
                    }
                }
            }
        }
        (seen, invalid)
    }

    fn is_declaration(&self, key: &str) -> bool {
        self.rows.iter().any(|row| row.key == key && row.notation.repeats())
    }

    /// Returns the key of the next item, or the key that was most likely meant.
    fn next_key(&self, input: ParseStream<'_>) -> Option<&'static str> {
        let fork = input.fork();
        let _docs = fork.call(Attribute::parse_outer);
        let word = fork.call(Ident::parse_any).ok()?;
        let row = self.row(&word).or_else(|| self.suggest_row(&word, input, &fork));
        let meant = || self.row_by_shape(input, &fork).map(|(row, _)| row);
        row.or_else(meant).map(|row| row.key)
    }

    /// Skips to the next item: to the next known key, or past a comma to a token sequence that resembles an
    /// item.
    pub(super) fn skip_item(&self, input: ParseStream<'_>) -> SkipExtent {
        let mut skipped = SkipExtent::Item;
        skip_closure_head(input);
        while !input.is_empty() {
            let comma = input.parse::<Token![,]>().is_ok();
            if input.is_empty() || self.starts_item(input) || (comma && resembles_item(input)) {
                break;
            }
            if comma {
                skipped = SkipExtent::Following;
            } else if input.parse::<TokenTree>().is_err() {
                break;
            }
        }
        skipped
    }

    pub(super) fn starts_item(&self, input: ParseStream<'_>) -> bool {
        let fork = input.fork();
        let Ok(key) = fork.call(Ident::parse_any) else {
            return false;
        };
        self.row(&key).is_some_and(|row| match row.notation {
            Notation::Value => fork.peek(Token![:]) && !fork.peek(Token![::]),
            Notation::Flag => true,
            Notation::Declaration | Notation::DocumentedDeclaration => fork.peek(Ident::peek_any),
        })
    }
}

impl<N> ItemKeys for Table<N> {
    fn name(&self) -> &'static str {
        self.name
    }

    fn owner(&self) -> &'static str {
        self.owner
    }

    fn syntax_of(&self, key: &str) -> Option<ValueSyntax> {
        self.rows().iter().find(|row| row.key == key).map(|row| row.value)
    }

    fn keys(&self) -> Vec<ItemKey> {
        let keys = self.rows().iter();
        keys.map(|row| ItemKey { key: row.key, doc: row.doc, form: row.form, value: row.value })
            .collect()
    }
}

/// The extent of the tokens that are skipped after an error.
#[derive(PartialEq, Eq)]
pub(super) enum SkipExtent {
    /// The rest of the item.
    Item,
    /// The rest of the item and possibly other items.
    Following,
}

/// Skips the parameters of a closure, which resemble items: `|output: &Output, state: &State|`.
fn skip_closure_head(input: ParseStream<'_>) {
    let mut marks = if starts_closure(input) { 2 } else { 0 };
    while marks > 0 && !input.is_empty() {
        marks -= usize::from(input.peek(Token![|]));
        let _skipped = input.parse::<TokenTree>();
    }
}

/// Returns whether the next tokens resemble an item, such as `word:`. The rest of an invalid expression
/// rarely does.
fn resembles_item(input: ParseStream<'_>) -> bool {
    let fork = input.fork();
    let documented = fork.call(Attribute::parse_outer).is_ok_and(|docs| !docs.is_empty());
    let word = fork.call(Ident::parse_any).is_ok();
    let colon = fork.peek(Token![:]) && !fork.peek(Token![::]);
    documented || (word && (colon || fork.peek(Token![=])))
}

/// Parses the comma after an item. It is optional at the end and after a closing `}` or `]`.
pub(crate) fn parse_item_end<N>(
    input: ParseStream<'_>,
    start: Cursor<'_>,
    row: &Row<N>,
) -> Result<()> {
    if input.is_empty() || input.parse::<Option<Token![,]>>()?.is_some() {
        return Ok(());
    }
    // A parallel task without items ends with the name of its join.
    let is_declaration = row.notation == Notation::DocumentedDeclaration;
    if is_declaration || ends_in_bracket(start, input.cursor()) {
        return Ok(());
    }
    if input.peek(Token![:]) && row.notation != Notation::Value {
        let message = format!("`{}` is a flag", row.key);
        return Err(error_at(input.span(), message, "write it without a value"));
    }
    if !input.peek(Ident::peek_any) {
        let message = format!("unexpected token after `{}`", row.key);
        return Err(error_at(input.span(), message, row.help()));
    }
    Err(error_at(
        input.span(),
        "expected `,` before the next item",
        "items are separated by commas, which are optional only after `}` and `]`",
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

/// Returns an error if one of the attributes is not a doc comment.
pub(crate) fn require_docs<'a>(attributes: impl IntoIterator<Item = &'a Attribute>) -> Result<()> {
    match attributes.into_iter().find(|attribute| !attribute.path().is_ident("doc")) {
        None => Ok(()),
        Some(other) => Err(error_at(
            other.pound_token.span,
            "only doc comments are allowed here",
            "`#[cfg(…)]` can be put before a task, before an entry of a list, or before `cot_process!`",
        )),
    }
}
