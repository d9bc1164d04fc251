//! The items of `#[cot(…)]`.

use syn::{Expr, Ident, LitStr, Path};

/// One item of an attribute: `check = path`, `allow_loss`.
#[derive(Debug)]
pub(super) struct CotItem {
    pub(super) key: Ident,
    pub(super) value: Value,
}

/// What stands behind the `=` of an item.
#[derive(Debug)]
pub(super) enum Value {
    /// Nothing: the item is a flag.
    None,
    Text(LitStr),
    Path(Path),
    Expr(Box<Expr>),
}

/// What one `#[cot(…)]` says; its items belong together.
#[derive(Debug, Default)]
pub(super) struct Group {
    pub(super) items: Vec<CotItem>,
    /// Whether there is something in it that could not be read.
    pub(super) is_broken: bool,
}

impl Group {
    pub(super) fn find(&self, key: &str) -> impl Iterator<Item = &CotItem> {
        self.items.iter().filter(move |item| item.key == key)
    }

    pub(super) fn flag(&self, key: &str) -> Option<&Ident> {
        self.find(key).next().map(|item| &item.key)
    }
}
