//! Values with items of their own: `{ key: value, flag, … }`.

use syn::{Ident, Result, Token, braced, ext::IdentExt, parse::ParseStream};

use crate::{
    diagnostics::{Errors, error_at, one_of, suggest},
    parse::{
        item::ItemHead,
        list::parse_inside,
        row::{Notation, Number, Range, ValueView},
        table::Table,
    },
};

/// The words of messages about a value with items of its own.
pub(crate) struct GroupWords {
    /// What an unknown key is called, and where it stands: ``word `{}` in `retry` ``.
    pub(crate) unknown: [&'static str; 2],
    /// How the value is written.
    pub(crate) form: &'static str,
    /// Whether the help for an unknown key names the known ones, and else the form.
    pub(crate) lists_keys: bool,
}

impl<N: Default> Table<N> {
    /// Reads `{ key: value, flag, … }`, up to the first mistake.
    pub(crate) fn read_group(
        &self,
        words: &GroupWords,
        input: ParseStream<'_>,
        errors: &Errors,
    ) -> Result<N> {
        let content;
        braced!(content in input);
        let (mut node, mut seen) = (N::default(), Vec::new());
        parse_inside(&content, |content| {
            while !content.is_empty() {
                let key = content.call(Ident::parse_any)?;
                self.read_member(&mut node, &key, words, content, errors)?;
                if seen.contains(&key) {
                    let message = format!("`{key}` is given twice");
                    return Err(error_at(key.span(), message, words.form));
                }
                seen.push(key);
                if !content.is_empty() {
                    content.parse::<Token![,]>()?;
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
        words: &GroupWords,
        input: ParseStream<'_>,
        errors: &Errors,
    ) -> Result<()> {
        let row = self.row(key).ok_or_else(|| self.unknown_member(key, words))?;
        if row.notation == Notation::Value {
            input.parse::<Token![:]>()?;
        }
        let head = ItemHead { attributes: Vec::new(), key: key.clone() };
        (row.read)(node, head, input, errors)
    }

    fn unknown_member(&self, key: &Ident, words: &GroupWords) -> syn::Error {
        let [what, place] = words.unknown;
        let keys = || self.rows().iter().map(|row| row.key);
        let help = match suggest(&key.to_string(), keys()) {
            _ if !words.lists_keys => words.form.to_owned(),
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("a {} has {}", self.owner, one_of(keys())),
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
