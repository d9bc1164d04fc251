//! Generates replies to one schema.

use cot_reader::Reader;
use cot_schema::internal::compile;
use jsonschema::Validator;
use serde_json::{Value, json};

use super::{corrupt, random::Random};
use crate::{generate::generate, shape::shapes::Shapes};

/// A compiled schema, from which replies are generated.
#[derive(Debug)]
pub(super) struct Grammar {
    schema: Value,
    shapes: Shapes,
    /// `None` if the schema is invalid.
    validator: Option<Validator>,
    /// `None` if the schema is invalid.
    reader: Option<Reader>,
}

/// The attempts for a reply of the requested kind. Keywords that shapes can't represent, such as `not`, are
/// satisfied by repeated attempts.
const ATTEMPTS: u32 = 24;

impl Grammar {
    pub(super) fn compile(schema: &Value) -> Self {
        Self {
            shapes: Shapes::compile(schema),
            validator: compile(schema).ok(),
            reader: Reader::new(schema).ok(),
            schema: schema.clone(),
        }
    }

    /// Generates a valid reply.
    pub(super) fn valid(&self, random: &mut Random) -> Value {
        self.until(true, || generate::value(&self.shapes, random))
    }

    /// Generates a reply with one mistake.
    pub(super) fn nearly_valid(&self, random: &mut Random, names: &[String]) -> Value {
        self.wrong(|| {
            let (mut value, places) = generate::value_and_places(&self.shapes, random);
            let root = self.shapes.root();
            let place = if random.percent(30) { places.first() } else { random.pick(&places) };
            let (path, shape) = place.map_or((&[][..], root), |place| (&place.path, place.shape));
            corrupt::corrupt(&mut value, path, self.shapes.at(shape), random, names);
            value
        })
    }

    /// Generates JSON of another structure, which the reader can't repair into a valid reply.
    pub(super) fn invalid(&self, random: &mut Random) -> Value {
        let mut value = self.wrong(|| self.something_else(random));
        for _ in 1..ATTEMPTS {
            let is_refused = |reader: &Reader| reader.read(&value.to_string()).is_err();
            if self.reader.as_ref().is_none_or(is_refused) {
                break;
            }
            value = self.wrong(|| self.something_else(random));
        }
        value
    }

    fn something_else(&self, random: &mut Random) -> Value {
        match random.below(12) {
            0 => Value::Null,
            1 => json!(true),
            2 => json!(42),
            3 => json!("done"),
            4 => json!([]),
            5 => json!({}),
            6 => json!([generate::value(&self.shapes, random)]),
            7 => json!({ "answer": generate::value(&self.shapes, random) }),
            8 => json!({ "error": { "code": 500, "message": "internal error" } }),
            9 => json!({ "thought": "I have to call a tool", "tool": "search", "input": {} }),
            10 => Value::String(generate::value(&self.shapes, random).to_string()),
            // Models sometimes return the schema itself.
            _ => self.schema.clone(),
        }
    }

    /// Returns the first invalid value, or, if all attempts are valid, an invalid literal.
    fn wrong(&self, make: impl FnMut() -> Value) -> Value {
        let value = self.until(false, make);
        if self.is(&value, false) {
            return value;
        }
        let plain = [json!(null), json!(true), json!(42), json!("done"), json!([]), json!({})];
        plain.into_iter().find(|plain| self.is(plain, false)).unwrap_or(value)
    }

    /// Returns the first value with the requested validity, or the last attempt.
    fn until(&self, wished: bool, mut make: impl FnMut() -> Value) -> Value {
        let mut value = make();
        for _ in 1..ATTEMPTS {
            if self.is(&value, wished) {
                break;
            }
            value = make();
        }
        value
    }

    /// Returns whether a value has the requested validity. Without a validator, every value has.
    fn is(&self, value: &Value, wished: bool) -> bool {
        self.validator.as_ref().is_none_or(|known| known.is_valid(value) == wished)
    }
}
