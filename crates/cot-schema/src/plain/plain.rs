//! The borrowed JSON value.

use std::{borrow::Cow, fmt};

use serde::{
    Deserialize, Deserializer,
    de::{DeserializeSeed, Error, MapAccess, SeqAccess, Visitor},
};
use serde_json::Number;

/// A JSON value that borrows from its text where possible.
#[derive(Debug, Clone, PartialEq)]
pub enum BorrowedJson<'t> {
    Null,
    Bool(bool),
    Number(Number),
    Text(Cow<'t, str>),
    List(Vec<Self>),
    /// The members in the order of the text, without duplicate keys.
    Object(Vec<(Cow<'t, str>, Self)>),
}

/// Maximum number of members of an object. They are searched linearly.
const MAX_MEMBERS: usize = 32;
/// Initial capacity for the members of an object.
const MEMBERS: usize = 4;

impl<'t> BorrowedJson<'t> {
    /// Parses JSON text. Returns `None` for invalid JSON, duplicate keys and objects with too many members.
    pub fn parse(json: &'t str) -> Option<Self> {
        let mut deserializer = serde_json::Deserializer::from_str(json);
        let value = Self::deserialize(&mut deserializer).ok()?;
        deserializer.end().ok().map(|()| value)
    }

    /// Returns the member of an object with this key.
    pub fn member(&self, key: &str) -> Option<&Self> {
        match self {
            Self::Object(members) => {
                members.iter().find(|(name, _)| name == key).map(|(_, value)| value)
            }
            _ => None,
        }
    }
}

impl<'de> Deserialize<'de> for BorrowedJson<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(PlainVisitor)
    }
}

struct PlainVisitor;

impl<'de> Visitor<'de> for PlainVisitor {
    type Value = BorrowedJson<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any JSON value")
    }

    fn visit_unit<E>(self) -> Result<BorrowedJson<'de>, E> {
        Ok(BorrowedJson::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<BorrowedJson<'de>, E> {
        Ok(BorrowedJson::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<BorrowedJson<'de>, E> {
        Ok(BorrowedJson::Number(value.into()))
    }

    fn visit_u64<E>(self, value: u64) -> Result<BorrowedJson<'de>, E> {
        Ok(BorrowedJson::Number(value.into()))
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<BorrowedJson<'de>, E> {
        Number::from_f64(value)
            .map(BorrowedJson::Number)
            .ok_or_else(|| E::custom("not a JSON number"))
    }

    fn visit_str<E>(self, text: &str) -> Result<BorrowedJson<'de>, E> {
        Ok(BorrowedJson::Text(Cow::Owned(text.to_owned())))
    }

    fn visit_borrowed_str<E>(self, text: &'de str) -> Result<BorrowedJson<'de>, E> {
        Ok(BorrowedJson::Text(Cow::Borrowed(text)))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<BorrowedJson<'de>, A::Error> {
        let mut values = Vec::new();
        while let Some(value) = items.next_element()? {
            values.push(value);
        }
        Ok(BorrowedJson::List(values))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<BorrowedJson<'de>, A::Error> {
        let mut values: Vec<(Cow<'de, str>, BorrowedJson<'de>)> = Vec::with_capacity(MEMBERS);
        while let Some(key) = members.next_key_seed(Key)? {
            let is_odd = |key: &str| is_private(key) || values.iter().any(|(name, _)| name == key);
            if values.len() == MAX_MEMBERS || is_odd(&key) {
                return Err(A::Error::custom("not plain"));
            }
            values.push((key, members.next_value()?));
        }
        Ok(BorrowedJson::Object(values))
    }
}

/// Returns whether `serde_json` interprets an object with this key as a number or as raw JSON.
fn is_private(key: &str) -> bool {
    key.starts_with("$serde_json::private::")
}

/// The key of the object by which `serde_json` represents a number if its feature `arbitrary_precision` is
/// enabled anywhere in the build.
pub const NUMBER_KEY: &str = "$serde_json::private::Number";

/// Deserializes a key.
struct Key;

impl<'de> DeserializeSeed<'de> for Key {
    type Value = Cow<'de, str>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl<'de> Visitor<'de> for Key {
    type Value = Cow<'de, str>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a key")
    }

    fn visit_str<E>(self, key: &str) -> Result<Self::Value, E> {
        Ok(Cow::Owned(key.to_owned()))
    }

    fn visit_borrowed_str<E>(self, key: &'de str) -> Result<Self::Value, E> {
        Ok(Cow::Borrowed(key))
    }
}
