//! The rows of item tables: each describes one item.

use proc_macro2::Ident;
use syn::{Lit, LitInt, LitStr, Result, parse::ParseStream};

use crate::{
    diagnostics::Errors,
    kind::TaskKind,
    parse::{
        item::{Item, ItemHead, Slot},
        value_syntax::ValueSyntax,
    },
    template::syntax::Template,
};

/// A row of an item table: the description of one item of `N`.
pub struct Row<N: 'static> {
    /// The key that begins the item.
    pub key: &'static str,
    /// The description of the item, for editors.
    pub doc: &'static str,
    /// The syntax of the item, for messages.
    pub form: &'static str,
    /// The syntax of the value.
    pub value: ValueSyntax,
    /// The kinds of tasks that accept the item.
    pub kinds: &'static [TaskKind],
    /// The kind that the item gives to its task, if it determines one.
    pub decides: Option<TaskKind>,
    /// Whether the item determines the next task.
    pub routes: bool,
    /// Whether the value is a list whose entries can have `#[cfg(…)]`.
    pub has_conditions: bool,
    /// Whether the value contains templates.
    pub shows_templates: bool,
    /// The allowed range of a number.
    pub range: Option<Range>,
    pub(crate) notation: Notation,
    pub(crate) read: fn(&mut N, ItemHead, ParseStream<'_>, &Errors) -> Result<()>,
    pub(crate) view: for<'a> fn(&'a N) -> Option<ItemView<'a>>,
}

/// An item with an untyped view of its value.
#[derive(Debug)]
pub struct ItemView<'a> {
    /// The key as written.
    pub key: &'a Ident,
    /// The value.
    pub value: ValueView<'a>,
}

/// An untyped view of a value, for checks that apply to all values of one sort.
#[derive(Debug)]
pub enum ValueView<'a> {
    /// A template.
    Template(&'a Template),
    /// A text that is not a template.
    Text(&'a LitStr),
    /// A number, limited by the range of its row.
    Number(Number<'a>),
    /// Numbers, each with its own range.
    Numbers(Vec<(Range, Number<'a>)>),
    /// Anything else.
    Other,
}

/// A number literal.
#[derive(Debug, Clone, Copy)]
pub enum Number<'a> {
    /// A whole number.
    Integer(&'a LitInt),
    /// A literal that is checked to be a number later.
    Decimal(&'a Lit),
}

/// The range of the numbers that an item accepts.
#[derive(Debug, Clone, Copy)]
pub enum Range {
    /// Whole numbers.
    Integer {
        /// The smallest number: 0, or 1 for a limit.
        least: u64,
        /// The largest number that the engine accepts.
        most: u64,
    },
    /// Numbers that may have decimal places.
    Decimal {
        /// Returns whether the range contains a number.
        contains: fn(f64) -> bool,
        /// The expected value, for messages.
        expected: &'static str,
        /// The help text that says what to write.
        help: &'static str,
    },
}

impl Range {
    /// The range of a count.
    pub(crate) const COUNT: Self = Self::Integer { least: 0, most: u32::MAX as u64 };
    /// The range of a limit, which is at least 1.
    pub(crate) const LIMIT: Self = Self::Integer { least: 1, most: u32::MAX as u64 };
    /// The range of a limit that can exceed 32 bits.
    pub(crate) const LARGE_LIMIT: Self = Self::Integer { least: 1, most: u64::MAX };
    /// The range of a seed.
    pub(crate) const SEED: Self = Self::Integer { least: 0, most: u64::MAX };
}

/// The syntax of an item.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Notation {
    /// `key: value`.
    Value,
    /// `key`, without a value.
    Flag,
    /// `key name …`, which can be given any number of times.
    Declaration,
    /// A declaration that accepts doc comments.
    DocumentedDeclaration,
}

impl Notation {
    pub(crate) const fn repeats(self) -> bool {
        matches!(self, Self::Declaration | Self::DocumentedDeclaration)
    }
}

impl<N> Row<N> {
    /// Creates a row from the type of its field. The table sets the other facts.
    pub(crate) const fn new(
        key: &'static str,
        doc: &'static str,
        (notation, value): (Notation, ValueSyntax),
        shows_templates: bool,
        read: fn(&mut N, ItemHead, ParseStream<'_>, &Errors) -> Result<()>,
        view: for<'a> fn(&'a N) -> Option<ItemView<'a>>,
    ) -> Self {
        Self {
            key,
            doc,
            form: "",
            value,
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

    /// Returns the help text that shows the syntax of the item.
    pub(crate) fn help(&self) -> String {
        format!("write `{}`", self.form)
    }
}

/// A field that stores an item, or all items of one key.
pub(crate) trait ItemField {
    const NOTATION: Notation;
    const SYNTAX: ValueSyntax;
    const SHOWS_TEMPLATES: bool;

    /// Parses the value, which follows the key, into the field.
    fn read(&mut self, head: ItemHead, input: ParseStream<'_>, errors: &Errors) -> Result<()>;

    fn view(&self) -> Option<ItemView<'_>> {
        None
    }
}

/// The value of an item that can be given once.
pub(crate) trait ItemValue: Sized {
    const NOTATION: Notation = Notation::Value;
    const SYNTAX: ValueSyntax;
    /// Whether the value contains templates.
    const SHOWS_TEMPLATES: bool = false;

    fn parse_value(input: ParseStream<'_>, errors: &Errors) -> Result<Self>;

    fn view(&self) -> ValueView<'_> {
        ValueView::Other
    }
}

/// A declaration, which consists of a key, a name and a body.
pub(crate) trait Declaration: Sized {
    const NOTATION: Notation = Notation::Declaration;
    /// Whether the declaration contains templates.
    const SHOWS_TEMPLATES: bool = false;

    /// Parses what follows the key, and appends the declaration, even if only its name is valid.
    fn parse_into(
        declared: &mut Vec<Self>,
        head: ItemHead,
        input: ParseStream<'_>,
        errors: &Errors,
    ) -> Result<()>;
}

impl<T: ItemValue> ItemField for Slot<T> {
    const NOTATION: Notation = T::NOTATION;
    const SYNTAX: ValueSyntax = T::SYNTAX;
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
    const SYNTAX: ValueSyntax = ValueSyntax::Declaration;
    const SHOWS_TEMPLATES: bool = T::SHOWS_TEMPLATES;

    fn read(&mut self, head: ItemHead, input: ParseStream<'_>, errors: &Errors) -> Result<()> {
        T::parse_into(self, head, input, errors)
    }
}
