//! JSON text to a value, as `serde_json` does it, but no key is given twice in an object.

use std::fmt;

use serde::{
    Deserializer,
    de::{DeserializeSeed, Error, MapAccess, SeqAccess, Visitor},
};
use serde_json::{Map, Number, Value, map::Entry, value::RawValue};

use crate::{Issue, issue::cut_text, output::path::push_key};

/// The value of a JSON text, which is all of the text.
pub(in crate::reader) fn parse(json: &str) -> Result<Value, Fault> {
    let mut twice = None;
    let mut deserializer = serde_json::Deserializer::from_str(json);
    let parsed = Unique { twice: &mut twice }.deserialize(&mut deserializer);
    match (parsed.and_then(|value| deserializer.end().map(|()| value)), twice) {
        (Ok(value), _) => Ok(value),
        (Err(_), Some(twice)) => Err(Fault::Twice(twice)),
        (Err(error), None) => Err(Fault::Malformed(error)),
    }
}

/// The same at the start of a text, and how long it is; nothing where the text does not start with a
/// whole value.
pub(in crate::reader) fn parse_start(text: &str) -> Option<(Result<Value, Fault>, usize)> {
    let mut values = serde_json::Deserializer::from_str(text).into_iter::<&RawValue>();
    let raw = values.next()?.ok()?;
    Some((parse(raw.get()), values.byte_offset()))
}

/// Why a text is no JSON value.
pub(in crate::reader) enum Fault {
    Malformed(serde_json::Error),
    Twice(Twice),
}

/// A key that its object has already.
pub(in crate::reader) struct Twice {
    key: String,
    /// The way to the key, its last step first.
    steps: Vec<String>,
}

impl Twice {
    pub(in crate::reader) fn issue(&self) -> Issue {
        let path: String = self.steps.iter().rev().map(String::as_str).collect();
        let message = format!("`{}` is given twice; give each field once", self.key);
        Issue::new(format!("${path}"), message)
    }
}

/// How much of a key an issue repeats, in bytes.
const MAX_KEY_BYTES: usize = 60;

fn member(key: &str) -> String {
    let mut step = String::new();
    push_key(&mut step, key);
    step
}

/// Reads a value, and keeps where a key was given twice.
struct Unique<'t> {
    twice: &'t mut Option<Twice>,
}

impl Unique<'_> {
    /// The same for a part of the value.
    const fn part(&mut self) -> Unique<'_> {
        Unique { twice: self.twice }
    }

    fn found(&mut self, key: &str) {
        let shown = cut_text(key, MAX_KEY_BYTES).to_owned();
        *self.twice = Some(Twice { key: shown, steps: vec![member(key)] });
    }

    /// Adds a step to the way, when a part came back with a key given twice.
    fn came_through(&mut self, step: impl FnOnce() -> String) {
        if let Some(twice) = self.twice {
            twice.steps.push(step());
        }
    }
}

impl<'de> DeserializeSeed<'de> for Unique<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Unique<'_> {
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

    fn visit_seq<A: SeqAccess<'de>>(mut self, mut items: A) -> Result<Value, A::Error> {
        let mut values = Vec::new();
        loop {
            match items.next_element_seed(self.part()) {
                Ok(Some(value)) => values.push(value),
                Ok(None) => return Ok(Value::Array(values)),
                Err(error) => {
                    self.came_through(|| format!("[{}]", values.len()));
                    return Err(error);
                }
            }
        }
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut members: A) -> Result<Value, A::Error> {
        let mut values = Map::new();
        while let Some(key) = members.next_key::<String>()? {
            if key == NUMBER_KEY {
                return number(&members.next_value::<String>()?);
            }
            match values.entry(key) {
                Entry::Vacant(entry) => match members.next_value_seed(self.part()) {
                    Ok(value) => _ = entry.insert(value),
                    Err(error) => {
                        self.came_through(|| member(entry.key()));
                        return Err(error);
                    }
                },
                Entry::Occupied(entry) => {
                    self.found(entry.key());
                    return Err(A::Error::custom("a key is given twice"));
                }
            }
        }
        Ok(Value::Object(values))
    }
}

/// How `serde_json` hands over a number where any crate of the build has turned on its
/// `arbitrary_precision`: as an object with this key.
const NUMBER_KEY: &str = "$serde_json::private::Number";

fn number<E: Error>(text: &str) -> Result<Value, E> {
    text.parse::<Number>().map(Value::Number).map_err(E::custom)
}
