//! From a schema to shapes.

use std::collections::BTreeMap;

use serde_json::Value;

use super::{
    alternatives,
    facts::{Facts, address, is_silent},
    node::{Extra, Keys, Lists, Member, Objects, Shape, ShapeId, Texts},
};
use crate::testing::{generate, pattern::Pattern};

/// The shapes of a schema, and which of them is the root's.
pub(super) fn build(schema: &Value) -> (Vec<Shape>, ShapeId) {
    let mut builder = Builder { schema, shapes: Vec::new(), known: BTreeMap::new() };
    let root = builder.shape(&[schema]);
    (builder.shapes, root)
}

/// Most shapes that are made of one schema; what goes beyond stands for no value.
const MAX_SHAPES: usize = 20_000;
/// The largest sizes that a schema can demand; larger values are not made.
const SIZES: [(&str, u64); 3] =
    [("minLength", 100_000), ("minItems", 10_000), ("minProperties", 10_000)];

struct Builder<'s> {
    schema: &'s Value,
    shapes: Vec<Shape>,
    /// The shapes of the places that have been seen, by where their schemas lie. Only looked up:
    /// addresses differ from run to run.
    known: BTreeMap<Vec<usize>, ShapeId>,
}

impl<'s> Builder<'s> {
    /// The shape of what fits all these schemas.
    fn shape(&mut self, schemas: &[&'s Value]) -> ShapeId {
        let mut place: Vec<usize> = schemas.iter().map(|schema| address(schema)).collect();
        place.sort_unstable();
        place.dedup();
        if let Some(known) = self.known.get(&place) {
            return *known;
        }
        let id = self.add(Shape::Nothing);
        self.known.insert(place, id);
        if id < MAX_SHAPES {
            self.shapes[id] = self.of_ways(schemas);
        }
        id
    }

    fn add(&mut self, shape: Shape) -> ShapeId {
        self.shapes.push(shape);
        self.shapes.len() - 1
    }

    fn of_ways(&mut self, schemas: &[&'s Value]) -> Shape {
        let mut shapes = Vec::new();
        for way in alternatives::of(self.schema, schemas) {
            if is_silent(&way) {
                shapes.push(Shape::Anything);
            } else {
                self.of_facts(&Facts::of(way), &mut shapes);
            }
        }
        self.either(shapes)
    }

    fn either(&mut self, mut shapes: Vec<Shape>) -> Shape {
        match (shapes.pop(), shapes.is_empty()) {
            (None, _) => Shape::Nothing,
            (Some(only), true) => only,
            (Some(last), false) => {
                shapes.push(last);
                Shape::Either(shapes.into_iter().map(|shape| self.add(shape)).collect())
            }
        }
    }

    fn of_facts(&mut self, facts: &Facts<'s>, shapes: &mut Vec<Shape>) {
        if let Some(values) = facts.values() {
            if !values.is_empty() {
                shapes.push(Shape::OneOf(values));
            }
            return;
        }
        match facts.types() {
            None => shapes.push(Shape::Anything),
            Some(types) => {
                shapes.extend(types.into_iter().filter_map(|name| self.of_type(name, facts)));
            }
        }
    }

    fn of_type(&mut self, name: &str, facts: &Facts<'s>) -> Option<Shape> {
        match name {
            "null" => Some(Shape::Null),
            "boolean" => Some(Shape::Bool),
            "integer" => facts.bounds().numbers(true).map(Shape::Number),
            "number" => facts.bounds().numbers(false).map(Shape::Number),
            _ if SIZES.iter().any(|(keyword, most)| facts.at_least(keyword) > *most) => None,
            "string" => Some(Shape::Text(texts(facts))),
            "array" => Some(Shape::List(self.lists(facts))),
            _ => Some(Shape::Object(self.objects(facts))),
        }
    }

    fn lists(&mut self, facts: &Facts<'s>) -> Lists {
        let prefix: Vec<_> = facts.prefix().iter().map(|schemas| self.shape(schemas)).collect();
        let items: Vec<_> = facts.all("items").collect();
        let contains: Vec<_> = facts.all("contains").collect();
        let contains = match contains.is_empty() {
            true => None,
            false => Some(self.shape(&[contains, items.clone()].concat())),
        };
        Lists {
            contains,
            items: (!items.contains(&&Value::Bool(false))).then(|| self.shape(&items)),
            min: facts.at_least("minItems"),
            max: facts.at_most("maxItems"),
            unique: facts.demands("uniqueItems"),
            prefix,
        }
    }

    fn objects(&mut self, facts: &Facts<'s>) -> Objects {
        let mut members = Vec::new();
        for (name, schemas) in facts.members() {
            let required = facts.required().any(|required| required == name);
            members.push(Member { name: name.to_owned(), shape: self.shape(&schemas), required });
        }
        Objects {
            extra: self.extra(facts, members.is_empty()),
            min: facts.at_least("minProperties"),
            max: facts.at_most("maxProperties"),
            members,
        }
    }

    /// Members are made up only where the schema says what they are, or where it names none.
    fn extra(&mut self, facts: &Facts<'s>, is_free: bool) -> Option<Extra> {
        if let Some((pattern, schema)) = facts.patterns() {
            return Some(Extra { keys: keys_matching(pattern)?, shape: self.shape(&[schema]) });
        }
        let additional: Vec<_> = facts.additional().collect();
        let is_said = additional.iter().any(|schema| schema.is_object());
        if additional.contains(&&Value::Bool(false)) || !(is_said || is_free) {
            return None;
        }
        let names: Vec<_> = facts.all("propertyNames").collect();
        let keys = if names.is_empty() { Keys::Any } else { Keys::Of(self.shape(&names)) };
        Some(Extra { keys, shape: self.shape(&additional) })
    }
}

/// Maps whose keys are numbers have patterns that say less than their readers demand.
fn keys_matching(pattern: &str) -> Option<Keys> {
    match pattern {
        r"^\d+$" => Some(Keys::Whole { signed: false }),
        r"^-?\d+$" => Some(Keys::Whole { signed: true }),
        _ => Pattern::of(pattern).map(Keys::Matching),
    }
}

fn texts(facts: &Facts<'_>) -> Texts {
    Texts {
        min: facts.at_least("minLength"),
        max: facts.at_most("maxLength"),
        pattern: facts.text("pattern").and_then(Pattern::of),
        format: facts.text("format").and_then(generate::format_of),
    }
}
