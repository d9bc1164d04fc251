//! The items of `#[cot(…)]`.

use syn::{Expr, Ident, LitStr, Path};

/// One item of an attribute: `check = path`, `allow_loss`.
#[derive(Debug)]
pub(super) struct CotItem {
    pub(super) key: Ident,
    pub(super) value: Value,
}

/// The value of an item, after the `=`.
#[derive(Debug)]
pub(super) enum Value {
    /// No value: the item is a flag.
    None,
    Text(LitStr),
    Path(Path),
    Expr(Box<Expr>),
}

/// The items of one `#[cot(…)]` attribute. A condition or a reason applies to the other items in its
/// attribute.
#[derive(Debug, Default)]
pub(super) struct CotAttribute {
    pub(super) items: Vec<CotItem>,
    /// Whether an item of the attribute could not be parsed.
    pub(super) is_invalid: bool,
}

impl CotAttribute {
    pub(super) fn find(&self, key: &str) -> impl Iterator<Item = &CotItem> {
        self.items.iter().filter(move |item| item.key == key)
    }

    pub(super) fn flag(&self, key: &str) -> Option<&Ident> {
        self.find(key).next().map(|item| &item.key)
    }
}
