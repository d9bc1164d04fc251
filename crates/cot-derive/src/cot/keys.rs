//! The keys of `#[cot(…)]`: one table drives parsing, duplicate detection and suggestions.

use syn::{Result, parse::ParseStream};

use super::item::Value;
use cot_syntax::diagnostics::join_names;

/// The construct that has an attribute.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Owner {
    Field,
    Variant,
    Type,
}

impl Owner {
    /// Returns the noun for messages.
    pub(super) const fn noun(self) -> &'static str {
        match self {
            Self::Field => "field",
            Self::Variant => "variant",
            Self::Type => "type",
        }
    }
}

/// The number of times that a key can be given.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Times {
    /// Once on a field.
    Once,
    /// Once in each attribute.
    OnceEach,
    Any,
}

/// One key of the table.
pub(super) struct Key {
    pub(super) name: &'static str,
    /// The syntax of the item, for messages.
    pub(super) form: &'static str,
    pub(super) owners: &'static [Owner],
    pub(super) times: Times,
    /// The description of the value, for messages; `None` for a flag.
    pub(super) value: Option<&'static str>,
    pub(super) read: fn(ParseStream<'_>) -> Result<Value>,
}

const FIELD: &[Owner] = &[Owner::Field];

pub(super) const KEYS: &[Key] = &[
    Key {
        name: "check",
        form: "check = path",
        owners: &[Owner::Field, Owner::Type],
        times: Times::Any,
        value: Some("the path of a function"),
        read: |input| input.parse().map(Value::Path),
    },
    Key {
        name: "alias",
        form: r#"alias = "name""#,
        owners: &[Owner::Field, Owner::Variant],
        times: Times::Any,
        value: Some("a string"),
        read: |input| input.parse().map(Value::Text),
    },
    Key {
        name: "allow_loss",
        form: "allow_loss",
        owners: FIELD,
        times: Times::Once,
        value: None,
        read: nothing,
    },
    Key {
        name: "partial",
        form: "partial",
        owners: FIELD,
        times: Times::Once,
        value: None,
        read: nothing,
    },
    Key {
        name: "because",
        form: r#"because = "the reason""#,
        owners: &[Owner::Field, Owner::Type],
        times: Times::OnceEach,
        value: Some("a string"),
        read: |input| input.parse().map(Value::Text),
    },
    Key {
        name: "when",
        form: "when = condition",
        owners: FIELD,
        times: Times::OnceEach,
        value: Some("an expression"),
        read: |input| input.parse().map(Box::new).map(Value::Expr),
    },
    Key {
        name: "required",
        form: "when = condition, required",
        owners: FIELD,
        times: Times::OnceEach,
        value: None,
        read: nothing,
    },
    Key {
        name: "absent",
        form: "when = condition, absent",
        owners: FIELD,
        times: Times::OnceEach,
        value: None,
        read: nothing,
    },
    Key {
        name: "crate",
        form: "crate = ::path::to::cot_core",
        owners: &[Owner::Type],
        times: Times::Once,
        value: Some("the path of `cot-core`"),
        read: |input| input.parse().map(Value::Path),
    },
];

fn nothing(_: ParseStream<'_>) -> Result<Value> {
    Ok(Value::None)
}

impl Key {
    pub(super) fn find(name: &str) -> Option<&'static Self> {
        KEYS.iter().find(|key| key.name == name)
    }

    /// Returns the keys that an owner can have.
    pub(super) fn names(owner: Owner) -> impl Iterator<Item = &'static str> + Clone {
        KEYS.iter().filter(move |key| key.owners.contains(&owner)).map(|key| key.name)
    }

    pub(super) fn help(&self) -> String {
        format!("write `#[cot({})]`", self.form)
    }

    /// Returns the owners of the key, for messages: "a field or a type".
    pub(super) fn places(&self) -> String {
        let nouns: Vec<String> =
            self.owners.iter().map(|owner| format!("a {}", owner.noun())).collect();
        nouns.join(" or ")
    }
}

/// Lists the keys of an owner for messages: "`check`, `alias` and …".
pub(super) fn listed(owner: Owner) -> String {
    join_names(Key::names(owner))
}

#[cfg(test)]
mod tests {
    use super::KEYS;

    /// The page for assistants shows that table.
    #[test]
    fn each_key_is_in_the_table_of_the_guide() {
        let page = include_str!("../../../../cot-core/docs/output.md");
        let items = page.lines().filter_map(|line| line.strip_prefix('|')?.split('|').nth(1));
        let items: Vec<&str> = items.collect();
        for key in KEYS {
            let has = |item: &&str| {
                item.split(|c: char| !c.is_alphanumeric() && c != '_').any(|word| word == key.name)
            };
            assert!(items.iter().any(has), "`{}` is not in output.md", key.name);
        }
    }
}
