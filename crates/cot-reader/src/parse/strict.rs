//! The strict parser: `serde_json` without duplicate keys.

use std::fmt;

use cot_schema::internal::NUMBER_KEY;
use serde::{
    Deserializer,
    de::{DeserializeSeed, Error, MapAccess, SeqAccess, Visitor},
};
use serde_json::{Map, Number, Value, map::Entry, value::RawValue};

use super::backslash::has_odd_escapes;

/// Parses JSON text. Returns `None` for invalid JSON, duplicate keys, and escapes that may be meant as backslashes.
pub(crate) fn parse(json: &str) -> Option<Value> {
    if has_odd_escapes(json) {
        return None;
    }
    let mut deserializer = serde_json::Deserializer::from_str(json);
    let value = Unique.deserialize(&mut deserializer).ok()?;
    deserializer.end().ok().map(|()| value)
}

/// Parses the JSON at the start of a text. Returns the value, or `None` in its place if it is not strict, and its
/// length. Returns `None` if the text does not start with valid JSON.
pub(crate) fn parse_start(text: &str) -> Option<(Option<Value>, usize)> {
    let mut values = serde_json::Deserializer::from_str(text).into_iter::<&RawValue>();
    let raw = values.next()?.ok()?;
    Some((parse(raw.get()), values.byte_offset()))
}

/// Deserializes a value without duplicate keys.
struct Unique;

impl<'de> DeserializeSeed<'de> for Unique {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Unique {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any JSON value")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_string<E>(self, value: String) -> Result<Value, E> {
        Ok(Value::String(value))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut values = Vec::new();
        while let Some(value) = items.next_element_seed(Self)? {
            values.push(value);
        }
        Ok(Value::Array(values))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Value, A::Error> {
        let mut values = Map::with_capacity(MEMBERS);
        while let Some(key) = members.next_key::<String>()? {
            if key == NUMBER_KEY {
                return number(&members.next_value::<String>()?);
            }
            match values.entry(key) {
                Entry::Vacant(entry) => _ = entry.insert(members.next_value_seed(Self)?),
                Entry::Occupied(_) => return Err(A::Error::custom("a key is given twice")),
            }
        }
        Ok(Value::Object(values))
    }
}

/// Initial capacity for the members of an object.
const MEMBERS: usize = 4;

fn number<E: Error>(text: &str) -> Result<Value, E> {
    text.parse::<Number>().map(Value::Number).map_err(E::custom)
}
