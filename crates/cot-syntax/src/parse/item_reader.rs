//! Parses one item of a table, also if a mark is missing in it.

use syn::{
    Attribute, Ident, Result, Token,
    buffer::Cursor,
    ext::IdentExt,
    parse::{ParseStream, discouraged::Speculative},
};

use crate::{
    diagnostics::{Errors, error_at, with_default_help},
    parse::{
        item::ItemHead,
        row::{Notation, Row},
        table::{Table, parse_item_end, require_docs},
    },
};

impl<N> Table<N> {
    /// Parses an item. Returns the number of missing marks that were reported: a `:` or `,` without which the item
    /// is understood all the same.
    pub(super) fn read_item(
        &self,
        node: &mut N,
        input: ParseStream<'_>,
        errors: &Errors,
        seen: &mut Vec<Ident>,
    ) -> Result<usize> {
        let start = input.cursor();
        let attributes = self.read_docs(input)?;
        let whole = input.fork();
        let key = input.call(Ident::parse_any).map_err(|error| {
            let help = format!("write the items of a {} as `key: value`", self.owner);
            let lacks_key = input.peek(Token![:]);
            let message = if lacks_key { "expected a key before `:`" } else { "expected an item" };
            error_at(error.span(), message, help)
        })?;
        let head = ItemHead { attributes, key: key.clone() };
        let Some(row) = self.row(&key) else {
            return self.read_misnamed(node, &whole, head, input, errors).map(|()| 0);
        };
        if self.lacks_keyword(row, &whole, input) {
            return self.read_task_without_keyword(node, &whole, head, input, errors).map(|()| 0);
        }
        let missing_colon = self.read_colon(row, &key, input, errors)?;
        if !row.notation.repeats() && seen.contains(&key) {
            errors.add_with_help(
                key.span(),
                format!("`{key}` is given twice"),
                format!("a {} has one `{key}`: remove one of them", self.owner),
            );
            self.skip_item(input);
            return Ok(0);
        }
        seen.push(key);
        let value = self.read_value(node, row, head, input, errors);
        let missing_marks = usize::from(missing_colon.is_some());
        match missing_colon {
            None => value?,
            // One error is enough; `Errors` drops the duplicate.
            Some(missing_colon) => value.map_err(|_| missing_colon)?,
        }
        Ok(missing_marks + self.read_item_end(input, start, row, errors)?)
    }

    /// Parses the `:` before a value. If only the `:` is missing, that is reported, and the value can be parsed.
    /// Returns the error.
    fn read_colon(
        &self,
        row: &Row<N>,
        key: &Ident,
        input: ParseStream<'_>,
        errors: &Errors,
    ) -> Result<Option<syn::Error>> {
        if row.notation != Notation::Value || input.parse::<Option<Token![:]>>()?.is_some() {
            return Ok(None);
        }
        let span = if input.is_empty() { key.span() } else { input.span() };
        let error = error_at(span, format!("expected `:` after `{key}`"), row.help());
        if input.is_empty() || input.peek(Token![,]) || self.starts_item(input) {
            return Err(error);
        }
        errors.push(error.clone());
        input.parse::<Option<Token![=]>>()?;
        Ok(Some(error))
    }

    fn read_value(
        &self,
        node: &mut N,
        row: &Row<N>,
        head: ItemHead,
        input: ParseStream<'_>,
        errors: &Errors,
    ) -> Result<()> {
        if row.notation.repeats() {
            return (row.read)(node, head, input, errors)
                .map_err(|error| with_default_help(error, &row.help()));
        }
        // An error within brackets would make `syn` refuse the whole process.
        let fork = input.fork();
        (row.read)(node, head, &fork, errors)
            .map_err(|error| with_default_help(error, &row.help()))?;
        input.advance_to(&fork);
        Ok(())
    }

    /// Parses the comma after an item. Returns 1 if it is missing, which is reported.
    fn read_item_end(
        &self,
        input: ParseStream<'_>,
        start: Cursor<'_>,
        row: &Row<N>,
        errors: &Errors,
    ) -> Result<usize> {
        match parse_item_end(input, start, row) {
            Ok(()) => Ok(0),
            Err(error) if self.starts_item(input) => {
                errors.push(error);
                Ok(1)
            }
            Err(error) => Err(error),
        }
    }

    /// Parses the doc comments before an item. Only tasks accept them.
    fn read_docs(&self, input: ParseStream<'_>) -> Result<Vec<Attribute>> {
        let attributes = input.call(Attribute::parse_outer)?;
        require_docs(&attributes)?;
        let after = input.fork();
        let next = after.call(Ident::parse_any).ok();
        let row = next.and_then(|key| self.row(&key));
        let row = row.filter(|row| !self.lacks_keyword(row, input, &after));
        let documented = match row {
            Some(row) => row.notation == Notation::DocumentedDeclaration,
            None => self.row_by_shape(input, &after).is_some(),
        };
        match attributes.first() {
            Some(first) if !documented => Err(error_at(
                first.pound_token.span,
                "a doc comment is not allowed here",
                "only a process and its tasks can have doc comments; write `//` elsewhere",
            )),
            _ => Ok(attributes),
        }
    }
}
