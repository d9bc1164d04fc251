//! Parses `#[cot(…)]` attributes into items. Each invalid item is reported separately.

use proc_macro2::TokenTree;
use syn::{
    Attribute, Ident, LitStr, Meta, Path, Result, Token,
    ext::IdentExt,
    parse::{ParseStream, Parser},
    token::Paren,
};

use super::{
    item::{CotAttribute, CotItem, Value},
    keys::{Key, Owner, Times, listed},
};
use cot_syntax::diagnostics::{Errors, error_at, suggest};

/// Parses the attributes of one owner.
pub(super) fn attributes(
    attributes: &[Attribute],
    owner: Owner,
    errors: &Errors,
) -> Vec<CotAttribute> {
    let mut reader = CotReader { owner, errors, seen: Vec::new() };
    let own = attributes.iter().filter(|attribute| attribute.path().is_ident("cot"));
    own.map(|attribute| reader.attribute(attribute)).collect()
}

struct CotReader<'a> {
    owner: Owner,
    errors: &'a Errors,
    /// The keys of all attributes that have been parsed.
    seen: Vec<Ident>,
}

impl CotReader<'_> {
    fn attribute(&mut self, attribute: &Attribute) -> CotAttribute {
        let mut parsed = CotAttribute::default();
        let Meta::List(list) = &attribute.meta else {
            let help = format!("a {} can have {}", self.owner.noun(), listed(self.owner));
            self.errors.add_over_with_help(&attribute.meta, "expected `#[cot(…)]`", help);
            parsed.is_invalid = true;
            return parsed;
        };
        let read = |input: ParseStream<'_>| {
            self.items(&mut parsed, input);
            Ok(())
        };
        if let Err(error) = read.parse2(list.tokens.clone()) {
            self.errors.push(error);
            parsed.is_invalid = true;
        }
        parsed
    }

    fn items(&mut self, parsed: &mut CotAttribute, input: ParseStream<'_>) {
        while !input.is_empty() {
            match self.item(parsed, input) {
                Ok(item) => parsed.items.extend(item),
                Err(error) => {
                    self.errors.push(error);
                    parsed.is_invalid = true;
                    skip_to_comma(input);
                }
            }
        }
    }

    /// Parses an item and the comma after it. Returns `None` for a duplicate.
    fn item(&mut self, parsed: &CotAttribute, input: ParseStream<'_>) -> Result<Option<CotItem>> {
        let word = input.call(Ident::parse_any).map_err(|error| {
            let help = format!("a {} can have {}", self.owner.noun(), listed(self.owner));
            error_at(error.span(), "expected a key of `#[cot(…)]`", help)
        })?;
        let key = self.key(&word)?;
        let value = value(key, &word, input)?;
        end_of_item(key, input)?;
        let item = CotItem { key: word, value };
        Ok(self.is_new(key, &item.key, parsed).then_some(item))
    }

    fn key(&self, word: &Ident) -> Result<&'static Key> {
        let Some(key) = Key::find(&word.to_string()) else {
            let help = match suggest(&word.to_string(), Key::names(self.owner)) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("a {} can have {}", self.owner.noun(), listed(self.owner)),
            };
            return Err(error_at(
                word.span(),
                format!("unknown key `{word}` in `#[cot(…)]`"),
                help,
            ));
        };
        if key.owners.contains(&self.owner) {
            return Ok(key);
        }
        let message = format!("`{word}` is not allowed on a {}", self.owner.noun());
        Err(error_at(word.span(), message, format!("it is allowed on {}", key.places())))
    }

    /// Returns whether the key can be given once more. Otherwise reports it as a duplicate.
    fn is_new(&mut self, key: &Key, word: &Ident, parsed: &CotAttribute) -> bool {
        let again = match key.times {
            Times::Once => self.seen.contains(word),
            Times::OnceEach => parsed.flag(key.name).is_some(),
            Times::Any => false,
        };
        self.seen.push(word.clone());
        if again {
            let place = if key.times == Times::Once { "field" } else { "`#[cot(…)]`" };
            self.errors.add_with_help(
                word.span(),
                format!("`{word}` is given twice"),
                format!("a {place} has one `{word}`: remove one of them"),
            );
        }
        !again
    }
}

fn value(key: &Key, word: &Ident, input: ParseStream<'_>) -> Result<Value> {
    let Some(expected) = key.value else {
        if input.peek(Token![=]) || input.peek(Paren) {
            let help = "write it without a value";
            return Err(error_at(word.span(), format!("`{word}` is a flag"), help));
        }
        return (key.read)(input);
    };
    if input.parse::<Option<Token![=]>>()?.is_none() {
        return Err(error_at(word.span(), format!("expected `=` after `{word}`"), key.help()));
    }
    let wrong = |span| error_at(span, format!("`{word}` is {expected}"), key.help());
    if input.is_empty() {
        return Err(wrong(word.span()));
    }
    if key.name == "check"
        && let Ok(text) = input.fork().parse::<LitStr>()
    {
        let path = text.parse::<Path>().map_or_else(|_| "path".to_owned(), |_| text.value());
        let help = format!("write it without quotes: `check = {path}`");
        return Err(error_at(text.span(), "`check` is the path of a function", help));
    }
    let span = input.span();
    (key.read)(input).map_err(|_| wrong(span))
}

fn end_of_item(key: &Key, input: ParseStream<'_>) -> Result<()> {
    if input.is_empty() || input.parse::<Option<Token![,]>>()?.is_some() {
        return Ok(());
    }
    let help = format!("write `{}`; items are separated by commas", key.form);
    Err(error_at(input.span(), format!("expected `,` after `{}`", key.name), help))
}

fn skip_to_comma(input: ParseStream<'_>) {
    while !input.is_empty() {
        if input.parse::<Token![,]>().is_ok() || input.parse::<TokenTree>().is_err() {
            return;
        }
    }
}
