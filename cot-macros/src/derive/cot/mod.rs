//! `#[cot(…)]`: what the derive itself reads.

use syn::{Attribute, Expr, Ident, LitStr, Path};

pub(super) use keys::Owner;
pub(super) use says::{Rule, Says, What};

use cot_syntax::diagnostics::Errors;

mod keys;
pub(super) mod own;
mod parse;
mod says;

/// One item of an attribute: `check = path`, `allow_loss`.
#[derive(Debug)]
struct Item {
    key: Ident,
    value: Value,
}

/// What stands behind the `=` of an item.
#[derive(Debug)]
enum Value {
    /// Nothing: the item is a flag.
    None,
    Text(LitStr),
    Path(Path),
    Expr(Box<Expr>),
}

/// What one `#[cot(…)]` says; its items belong together.
#[derive(Debug, Default)]
struct Group {
    items: Vec<Item>,
    /// Whether there is something in it that could not be read.
    is_broken: bool,
}

/// Reads what is said of a field, a variant or a type.
pub(super) fn read(attributes: &[Attribute], owner: Owner, errors: &Errors) -> Says {
    Says::of(parse::groups(attributes, owner, errors), errors)
}

impl Group {
    fn find(&self, key: &str) -> impl Iterator<Item = &Item> {
        self.items.iter().filter(move |item| item.key == key)
    }

    fn flag(&self, key: &str) -> Option<&Ident> {
        self.find(key).next().map(|item| &item.key)
    }
}
