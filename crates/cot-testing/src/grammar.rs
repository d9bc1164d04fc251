//! Replies to one schema.

use cot_reader::Reader;
use cot_schema::internal::compile;
use jsonschema::Validator;
use serde_json::{Value, json};

use super::{random::Random, spoil};
use crate::{generate::generate, shape::shapes::Shapes};

/// What is made of a schema once, to make replies from it often.
#[derive(Debug)]
pub(super) struct Grammar {
    schema: Value,
    shapes: Shapes,
    /// Absent where the schema itself is wrong.
    validator: Option<Validator>,
    /// The same.
    reader: Option<Reader>,
}

/// How often a reply of the wished kind is tried. What schemas say in ways that shapes do not hold,
/// such as `not`, is met by trying.
const ATTEMPTS: u32 = 24;

impl Grammar {
    pub(super) fn of(schema: &Value) -> Self {
        Self {
            shapes: Shapes::of(schema),
            validator: compile(schema).ok(),
            reader: Reader::new(schema).ok(),
            schema: schema.clone(),
        }
    }

    /// A reply that fits the schema.
    pub(super) fn valid(&self, random: &mut Random) -> Value {
        self.until(true, || generate::value(&self.shapes, random))
    }

    /// A reply with one mistake.
    pub(super) fn nearly_valid(&self, random: &mut Random, names: &[String]) -> Value {
        self.wrong(|| {
            let (mut value, places) = generate::value_and_places(&self.shapes, random);
            let root = self.shapes.root();
            let place = if random.percent(30) { places.first() } else { random.pick(&places) };
            let (path, shape) = place.map_or((&[][..], root), |place| (&place.path, place.shape));
            spoil::spoil(&mut value, path, self.shapes.at(shape), random, names);
            value
        })
    }

    /// JSON that is something else, and that the reader does not take for what is asked either.
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
            // Models repeat what they were told about the format.
            _ => self.schema.clone(),
        }
    }

    /// The first value that is refused. Where chance does not come to one, one of the plainest.
    fn wrong(&self, make: impl FnMut() -> Value) -> Value {
        let value = self.until(false, make);
        if self.is(&value, false) {
            return value;
        }
        let plain = [json!(null), json!(true), json!(42), json!("done"), json!([]), json!({})];
        plain.into_iter().find(|plain| self.is(plain, false)).unwrap_or(value)
    }

    /// The first value that is judged as wished, or the last one that was tried.
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

    /// Whether the validator judges a value as wished. Without one, every value will do.
    fn is(&self, value: &Value, wished: bool) -> bool {
        self.validator.as_ref().is_none_or(|known| known.is_valid(value) == wished)
    }
}
