//! Compiles a schema to shapes.

use cot_schema::internal::{Document, Place, Places, Subschema};
use serde_json::Value;

use super::{
    facts::{bounds, members, types, values},
    node::{Extra, Keys, Lists, Member, Objects, Shape, ShapeId, Texts},
};
use crate::{generate::format::format_of, pattern::Pattern};

/// Compiles a schema. Returns its shapes and the id of the root.
pub(super) fn build(schema: &Value) -> (Vec<Shape>, ShapeId) {
    let document = Document::new(schema);
    let mut builder = Builder {
        document,
        places: Places::default(),
        shapes: vec![Shape::Nothing],
        ids: Vec::new(),
    };
    let root = builder.shape(vec![document.subschema()]);
    let mut place = 0;
    while let Some(schemas) = builder.places.pop() {
        let id = builder.ids[place];
        builder.shapes[id] = builder.place_shape(&schemas);
        place += 1;
    }
    (builder.shapes, root)
}

/// The shape of schemas beyond the limits, which matches no value.
const NOTHING: ShapeId = 0;
/// Limits of the sizes that a schema can require. Larger values are not generated.
const SIZES: [(&str, u64); 3] =
    [("minLength", 100_000), ("minItems", 10_000), ("minProperties", 10_000)];

struct Builder<'s> {
    document: Document<'s>,
    places: Places<'s>,
    shapes: Vec<Shape>,
    /// The shape of each place.
    ids: Vec<ShapeId>,
}

impl<'s> Builder<'s> {
    /// Returns the shape of the values that match all these schemas.
    fn shape(&mut self, schemas: Vec<Subschema<'s>>) -> ShapeId {
        let Some(place) = self.places.insert(schemas) else { return NOTHING };
        if place == self.ids.len() {
            let id = self.add(Shape::Nothing);
            self.ids.push(id);
        }
        self.ids[place]
    }

    fn add(&mut self, shape: Shape) -> ShapeId {
        self.shapes.push(shape);
        self.shapes.len() - 1
    }

    fn place_shape(&mut self, schemas: &[Subschema<'s>]) -> Shape {
        let mut place = Place::new(self.document, schemas);
        if !place.flaws.is_empty() {
            return Shape::Nothing;
        }
        if place.alternatives.is_empty() {
            return self.conjunction_shape(&place);
        }
        let base = schemas.iter().map(|schema| schema.without_either()).collect();
        let mut product = place.take_cases(base);
        // Combinations of alternatives beyond the limit are replaced by one shape per alternative.
        for branches in product.left_out {
            let cases = product.cases.iter_mut().zip(branches.iter().cycle());
            cases.for_each(|(case, branch)| case.push(*branch));
        }
        Shape::Either(product.cases.into_iter().map(|case| self.shape(case)).collect())
    }

    fn conjunction_shape(&mut self, place: &Place<'s>) -> Shape {
        if let Some(values) = values(place) {
            return if values.is_empty() { Shape::Nothing } else { Shape::OneOf(values) };
        }
        let Some(types) = types(place) else { return Shape::Anything };
        let shapes = types.into_iter().filter_map(|name| self.type_shape(name, place));
        let mut shapes: Vec<Shape> = shapes.collect();
        match (shapes.pop(), shapes.is_empty()) {
            (None, _) => Shape::Nothing,
            (Some(only), true) => only,
            (Some(last), false) => {
                shapes.push(last);
                Shape::Either(shapes.into_iter().map(|shape| self.add(shape)).collect())
            }
        }
    }

    fn type_shape(&mut self, name: &str, place: &Place<'s>) -> Option<Shape> {
        match name {
            "null" => Some(Shape::Null),
            "boolean" => Some(Shape::Bool),
            "integer" => bounds(place).numbers(true).map(Shape::Number),
            "number" => bounds(place).numbers(false).map(Shape::Number),
            _ if SIZES.iter().any(|(keyword, most)| place.lower_limit(keyword) > *most) => None,
            "string" => Some(Shape::Text(texts(place))),
            "array" => Some(Shape::List(self.lists(place))),
            _ => Some(Shape::Object(self.objects(place))),
        }
    }

    fn lists(&mut self, place: &Place<'s>) -> Lists {
        let mut contains: Vec<_> = place.keyword_values("contains").map(Subschema::new).collect();
        if !contains.is_empty() {
            contains.extend(&place.items);
        }
        let is_closed = place.items.iter().any(|schema| *schema.schema == Value::Bool(false));
        Lists {
            contains: (!contains.is_empty()).then(|| self.shape(contains)),
            items: (!is_closed).then(|| self.shape(place.items.clone())),
            min: place.lower_limit("minItems"),
            max: place.upper_limit("maxItems"),
            unique: place.keyword_values("uniqueItems").any(|said| *said == Value::Bool(true)),
            prefix: place.prefix.iter().map(|schemas| self.shape(schemas.clone())).collect(),
        }
    }

    fn objects(&mut self, place: &Place<'s>) -> Objects {
        let mut named = Vec::new();
        for (name, schemas) in members(place) {
            let required = place.required.contains(&name);
            named.push(Member { name: name.to_owned(), shape: self.shape(schemas), required });
        }
        Objects {
            extra: self.extra(place, named.is_empty()),
            min: place.lower_limit("minProperties"),
            max: place.upper_limit("maxProperties"),
            members: named,
        }
    }

    /// Extra members are generated only if the schema describes them or names no members.
    fn extra(&mut self, place: &Place<'s>, is_free: bool) -> Option<Extra> {
        if let Some((pattern, schema)) = place.patterns.first() {
            return Some(Extra { keys: keys_matching(pattern)?, shape: self.shape(vec![*schema]) });
        }
        if place.is_closed || (!is_free && place.others.is_empty()) {
            return None;
        }
        let keys = place.keys.clone();
        let keys = if keys.is_empty() { Keys::Any } else { Keys::Of(self.shape(keys)) };
        Some(Extra { keys, shape: self.shape(place.others.clone()) })
    }
}

/// Patterns of integer keys are replaced, since deserializers check more than the pattern.
fn keys_matching(pattern: &str) -> Option<Keys> {
    match pattern {
        r"^\d+$" => Some(Keys::Whole { signed: false }),
        r"^-?\d+$" => Some(Keys::Whole { signed: true }),
        _ => Pattern::parse(pattern).map(Keys::Matching),
    }
}

fn texts(place: &Place<'_>) -> Texts {
    let text = |keyword| place.keyword_values(keyword).find_map(Value::as_str);
    Texts {
        min: place.lower_limit("minLength"),
        max: place.upper_limit("maxLength"),
        pattern: text("pattern").and_then(Pattern::parse),
        format: text("format").and_then(format_of),
    }
}
