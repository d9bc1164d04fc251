//! Parses the attributes of `serde`, `schemars` and validation crates into a list of items.

use proc_macro2::Span;
use syn::{
    Attribute, Expr, ExprLit, Ident, Lit, LitStr, Meta, MetaList, Path, Token,
    parse::{Parse, ParseStream},
    punctuated::Punctuated,
};

/// The crate to which an attribute belongs. `schemars` reads the attributes of all of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Source {
    Serde,
    Schemars,
    Validate,
    Garde,
}

const SOURCES: &[(&str, Source)] = &[
    ("serde", Source::Serde),
    ("schemars", Source::Schemars),
    ("validate", Source::Validate),
    ("garde", Source::Garde),
];

/// One item of an attribute: `rename = "x"`, `length(max = 3)`, `flatten`.
#[derive(Debug)]
pub(super) struct SourceItem {
    pub(super) source: Source,
    pub(super) key: Ident,
    meta: Meta,
}

/// The items of all attributes of one field, variant or type.
#[derive(Debug)]
pub(super) struct Attributes {
    pub(super) items: Vec<SourceItem>,
}

impl Attributes {
    pub(super) fn new(attributes: &[Attribute]) -> Self {
        Self { items: attributes.iter().flat_map(parse_items).collect() }
    }

    pub(super) fn has(&self, source: Source, key: &str) -> bool {
        self.find(source, key).next().is_some()
    }

    pub(super) fn find(&self, source: Source, key: &str) -> impl Iterator<Item = &SourceItem> {
        self.items.iter().filter(move |item| item.source == source && item.key == key)
    }
}

impl SourceItem {
    /// Returns the string in `key = "value"`.
    pub(super) fn text(&self) -> Option<&LitStr> {
        text_of(&self.meta)
    }

    /// Returns the string in `key = "value"` or in `key(part = "value")`.
    pub(super) fn text_for(&self, part: &str) -> Option<LitStr> {
        let in_list = || {
            let nested = self.nested().into_iter().find(|nested| nested.key == part)?;
            nested.text().cloned()
        };
        self.text().cloned().or_else(in_list)
    }

    /// Returns the content of `key(…)`.
    pub(super) fn list(&self) -> Option<&MetaList> {
        match &self.meta {
            Meta::List(list) => Some(list),
            _ => None,
        }
    }

    /// Returns the items in `key(…)`.
    pub(super) fn nested(&self) -> Vec<Self> {
        self.list().map(|list| items_in(self.source, list)).unwrap_or_default()
    }

    /// Returns the value in `key = value`.
    pub(super) fn value(&self) -> Option<&Expr> {
        match &self.meta {
            Meta::NameValue(pair) => Some(&pair.value),
            _ => None,
        }
    }

    pub(super) fn span(&self) -> Span {
        self.key.span()
    }
}

fn parse_items(attribute: &Attribute) -> Vec<SourceItem> {
    let source = SOURCES.iter().find(|(name, _)| attribute.path().is_ident(name));
    match (source, &attribute.meta) {
        (Some((_, source)), Meta::List(list)) => items_in(*source, list),
        _ => Vec::new(),
    }
}

/// Parses the items of a list. Invalid lists are left for `serde` and `schemars` to report.
fn items_in(source: Source, list: &MetaList) -> Vec<SourceItem> {
    let parser = Punctuated::<Entry, Token![,]>::parse_terminated;
    let entries = list.parse_args_with(parser).unwrap_or_default();
    let item = |entry: Entry| {
        let meta = entry.0?;
        Some(SourceItem { source, key: meta.path().get_ident()?.clone(), meta })
    };
    entries.into_iter().filter_map(item).collect()
}

/// An item in the syntax of `schemars`. `!key`, which revokes an item of `serde`, is ignored.
struct Entry(Option<Meta>);

impl Parse for Entry {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        if input.parse::<Option<Token![!]>>()?.is_some() {
            input.parse::<Path>()?;
            return Ok(Self(None));
        }
        input.parse().map(Some).map(Self)
    }
}

fn text_of(meta: &Meta) -> Option<&LitStr> {
    match meta {
        Meta::NameValue(pair) => literal(&pair.value),
        _ => None,
    }
}

/// Returns the string literal of an expression, if it is one.
pub(super) fn literal(expression: &Expr) -> Option<&LitStr> {
    match expression {
        Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) => Some(text),
        Expr::Group(group) => literal(&group.expr),
        _ => None,
    }
}
