//! The rows of item tables: what is known of an item.

use proc_macro2::Ident;
use syn::{Lit, LitInt, LitStr, Result, parse::ParseStream};

use crate::{
    diagnostics::Errors,
    kind::TaskKind,
    parse::item::{Item, ItemHead, Slot},
    template::syntax::Template,
};

/// A row of an item table: what is known of one item of `N`.
pub struct Row<N: 'static> {
    /// The key that begins the item.
    pub key: &'static str,
    /// How the item is written, for messages.
    pub form: &'static str,
    /// The kinds of tasks on which the item can stand.
    pub kinds: &'static [TaskKind],
    /// The kind of a task that has the item.
    pub decides: Option<TaskKind>,
    /// Whether the item says where the task leads.
    pub routes: bool,
    /// Whether the value is a list whose entries can have `#[cfg(…)]`.
    pub has_conditions: bool,
    /// Whether templates stand in the value.
    pub shows_templates: bool,
    /// The numbers that the item can have.
    pub range: Option<Range>,
    pub(crate) notation: Notation,
    pub(crate) read: fn(&mut N, ItemHead, ParseStream<'_>, &Errors) -> Result<()>,
    pub(crate) view: for<'a> fn(&'a N) -> Option<ItemView<'a>>,
}

/// An item whose value is seen without its type.
#[derive(Debug)]
pub struct ItemView<'a> {
    /// The key as written.
    pub key: &'a Ident,
    /// The value.
    pub value: ValueView<'a>,
}

/// A value without its type, for what applies to all values of a sort.
#[derive(Debug)]
pub enum ValueView<'a> {
    /// A template.
    Template(&'a Template),
    /// A text that is no template.
    Text(&'a LitStr),
    /// A number, which has to be in the range of its row.
    Number(Number<'a>),
    /// Numbers with ranges of their own.
    Numbers(Vec<(Range, Number<'a>)>),
    /// Anything else.
    Other,
}

/// A number as written.
#[derive(Debug, Clone, Copy)]
pub enum Number<'a> {
    /// A whole number.
    Integer(&'a LitInt),
    /// A literal that has to be a number.
    Decimal(&'a Lit),
}

/// The numbers that an item can have.
#[derive(Debug, Clone, Copy)]
pub enum Range {
    /// Whole numbers.
    Integer {
        /// 0, or 1 for a limit.
        least: u64,
        /// The largest that the engine can take.
        most: u64,
    },
    /// Numbers that may have decimal places.
    Decimal {
        /// Returns whether a number is in the range.
        contains: fn(f64) -> bool,
        /// What is expected, for messages.
        expected: &'static str,
        /// What to write, for messages.
        help: &'static str,
    },
}

impl Range {
    /// A count of something.
    pub(crate) const COUNT: Self = Self::Integer { least: 0, most: u32::MAX as u64 };
    /// A limit, which lets at least one thing happen.
    pub(crate) const LIMIT: Self = Self::Integer { least: 1, most: u32::MAX as u64 };
    /// A limit of something that there is much of.
    pub(crate) const LARGE_LIMIT: Self = Self::Integer { least: 1, most: u64::MAX };
}

/// How an item is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Notation {
    /// `key: value`.
    Value,
    /// `key`, alone.
    Flag,
    /// `key name …`, any number of times.
    Declaration,
    /// The same, with doc comments before it.
    DocumentedDeclaration,
}

impl Notation {
    pub(crate) const fn repeats(self) -> bool {
        matches!(self, Self::Declaration | Self::DocumentedDeclaration)
    }
}

impl<N> Row<N> {
    /// A row with what its field says; the table adds the rest.
    pub(crate) const fn new(
        key: &'static str,
        notation: Notation,
        shows_templates: bool,
        read: fn(&mut N, ItemHead, ParseStream<'_>, &Errors) -> Result<()>,
        view: for<'a> fn(&'a N) -> Option<ItemView<'a>>,
    ) -> Self {
        Self {
            key,
            form: "",
            kinds: &[],
            decides: None,
            routes: false,
            has_conditions: false,
            shows_templates,
            range: None,
            notation,
            read,
            view,
        }
    }

    /// Says how to write the item.
    pub(crate) fn help(&self) -> String {
        format!("write `{}`", self.form)
    }
}

/// A field of a struct of items.
pub(crate) trait ItemField {
    const NOTATION: Notation;
    const SHOWS_TEMPLATES: bool;

    /// Reads what follows the key.
    fn read(&mut self, head: ItemHead, input: ParseStream<'_>, errors: &Errors) -> Result<()>;

    fn view(&self) -> Option<ItemView<'_>> {
        None
    }
}

/// A type of values: it says how they are read.
pub(crate) trait ItemValue: Sized {
    const NOTATION: Notation = Notation::Value;
    /// Whether templates stand in the value.
    const SHOWS_TEMPLATES: bool = false;

    fn parse_value(input: ParseStream<'_>, errors: &Errors) -> Result<Self>;

    fn view(&self) -> ValueView<'_> {
        ValueView::Other
    }
}

/// Something that a key and a name declare.
pub(crate) trait Declaration: Sized {
    const NOTATION: Notation = Notation::Declaration;
    /// Whether templates stand in it.
    const SHOWS_TEMPLATES: bool = false;

    /// Reads what follows the key, and adds what could be read of it.
    fn parse_into(
        declared: &mut Vec<Self>,
        head: ItemHead,
        input: ParseStream<'_>,
        errors: &Errors,
    ) -> Result<()>;
}

impl<T: ItemValue> ItemField for Slot<T> {
    const NOTATION: Notation = T::NOTATION;
    const SHOWS_TEMPLATES: bool = T::SHOWS_TEMPLATES;

    fn read(&mut self, head: ItemHead, input: ParseStream<'_>, errors: &Errors) -> Result<()> {
        *self = Some(Item { key: head.key, value: T::parse_value(input, errors)? });
        Ok(())
    }

    fn view(&self) -> Option<ItemView<'_>> {
        let Item { key, value } = self.as_ref()?;
        Some(ItemView { key, value: value.view() })
    }
}

impl<T: Declaration> ItemField for Vec<T> {
    const NOTATION: Notation = T::NOTATION;
    const SHOWS_TEMPLATES: bool = T::SHOWS_TEMPLATES;

    fn read(&mut self, head: ItemHead, input: ParseStream<'_>, errors: &Errors) -> Result<()> {
        T::parse_into(self, head, input, errors)
    }
}
