//! `read: function`, or `read: { reply: function, until: function, schema: function }`: replies in a format of the
//! program's own.

use syn::{Ident, Path, Result, parse::ParseStream, spanned::Spanned, token};

use crate::{
    diagnostics::{Errors, error_at},
    parse::{
        group::GroupTexts,
        item::{Item, Slot},
        row::ItemValue,
        table::item_table,
        value_syntax::ValueSyntax,
    },
    values::plain::parse_function,
};

item_table! {
    /// The items of `read`.
    pub struct ReadItems of "block of `read`" {
        /// The function that reads a reply into the output.
        reply: Slot<Path> { form: "reply: function" }
        /// The function that says where a reply that is streamed ends.
        until: Slot<Path> { form: "until: function" }
        /// The function that returns the schema for engines.
        schema: Slot<Path> { form: "schema: function" }
    }
}

const TEXTS: GroupTexts = GroupTexts {
    unknown: ["item", "in `read`"],
    form: "write `read: { reply: function, until: function, schema: function }`, or some of these",
    lists_keys: true,
};

impl ItemValue for ReadItems {
    const SYNTAX: ValueSyntax =
        ValueSyntax::Items { table: Self::TABLE, otherwise: &ValueSyntax::Function };

    fn parse_value(input: ParseStream<'_>, errors: &Errors) -> Result<Self> {
        let span = input.span();
        if !input.peek(token::Brace) {
            let value = parse_function(input)?;
            let reply = Some(Item { key: Ident::new("reply", value.span()), value });
            return Ok(Self { reply, ..Self::default() });
        }
        let items = Self::TABLE.read_group(&TEXTS, input, errors)?;
        match items.reply {
            Some(_) => Ok(items),
            None => Err(error_at(
                span,
                "`read` has no function that reads a reply",
                "name it: `read: { reply: function, … }`",
            )),
        }
    }
}
