//! Parses values that contain items: `{ key: value, flag, … }`.

use syn::{Ident, Result, Token, braced, ext::IdentExt, parse::ParseStream};

use crate::{
    diagnostics::{Errors, error_at, join_names, suggest, with_default_help},
    parse::{
        item::ItemHead,
        list::{parse_inside, parse_mark},
        row::{Notation, Number, Range, ValueView},
        table::Table,
    },
};

/// The texts of messages about a value that contains items.
pub(crate) struct GroupTexts {
    /// The noun for an unknown key and the phrase that locates it, as in ``unknown item `x` in `retry` ``.
    pub(crate) unknown: [&'static str; 2],
    /// The help text that shows the syntax of the value.
    pub(crate) form: &'static str,
    /// Whether the help for an unknown key lists the known keys. Otherwise it is `form`.
    pub(crate) lists_keys: bool,
}

impl<N: Default> Table<N> {
    /// Parses `{ key: value, flag, … }`, up to the first error.
    pub(crate) fn read_group(
        &self,
        texts: &GroupTexts,
        input: ParseStream<'_>,
        errors: &Errors,
    ) -> Result<N> {
        let content;
        braced!(content in input);
        let (mut node, mut seen) = (N::default(), Vec::new());
        parse_inside(&content, |content| {
            while !content.is_empty() {
                let key = content.call(Ident::parse_any)?;
                self.read_member(&mut node, &key, texts, content, errors)?;
                if seen.contains(&key) {
                    let message = format!("`{key}` is given twice");
                    return Err(error_at(key.span(), message, texts.form));
                }
                seen.push(key);
                if !content.is_empty() {
                    let row = |key| self.row(&key).is_some();
                    let is_key = content.fork().call(Ident::parse_any).is_ok_and(row);
                    match content.parse::<Token![,]>() {
                        Err(error) if is_key => errors.push(with_default_help(error, texts.form)),
                        end => drop(end?),
                    }
                }
            }
            Ok(())
        })?;
        Ok(node)
    }

    fn read_member(
        &self,
        node: &mut N,
        key: &Ident,
        texts: &GroupTexts,
        input: ParseStream<'_>,
        errors: &Errors,
    ) -> Result<()> {
        let row = self.row(key).ok_or_else(|| self.unknown_member(key, texts))?;
        if row.notation == Notation::Value {
            parse_mark::<Token![:]>(input, errors, row.form)?;
        }
        let head = ItemHead { attributes: Vec::new(), key: key.clone() };
        (row.read)(node, head, input, errors)
    }

    fn unknown_member(&self, key: &Ident, texts: &GroupTexts) -> syn::Error {
        let [what, place] = texts.unknown;
        let keys = || self.rows().iter().map(|row| row.key);
        let help = match suggest(&key.to_string(), keys()) {
            _ if !texts.lists_keys => texts.form.to_owned(),
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("a {} has {}", self.owner, join_names(keys())),
        };
        error_at(key.span(), format!("unknown {what} `{key}` {place}"), help)
    }
}

impl<N> Table<N> {
    /// Returns the numbers among the items, each with its range.
    pub(crate) fn numbers<'a>(&self, node: &'a N) -> Vec<(Range, Number<'a>)> {
        let numbers = self.items(node).filter_map(|(row, item)| match item.value {
            ValueView::Number(number) => Some((row.range?, number)),
            _ => None,
        });
        numbers.collect()
    }
}
