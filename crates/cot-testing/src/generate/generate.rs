//! Generates values that match a shape.

use serde_json::{Map, Value};

use super::{number, text, words};
use crate::{
    random::Random,
    shape::{
        node::{Extra, Keys, Lists, Objects, Shape, ShapeId},
        shapes::Shapes,
    },
};

/// The depth at which the generator switches to minimal values.
const MAX_LEVELS: u32 = 6;
/// The number of parts at which the generator switches to minimal values.
const MAX_PARTS: u32 = 300;
/// The depth at which the generator gives up: the schema admits only values that would exhaust the stack.
const TOO_DEEP: u32 = 200;
/// The maximum of optional items and members.
const MORE: u64 = 3;
/// The largest key of a map with integer keys, which fits into the narrowest integer type.
const MAX_KEY: i128 = 127;
/// The attempts for an item that must differ from the others.
const ATTEMPTS: u32 = 12;

/// Generates a value that matches the root of a schema.
pub(crate) fn value(shapes: &Shapes, random: &mut Random) -> Value {
    Generator { shapes, random, level: 0, parts: 0, places: None }.value(shapes.root())
}

/// Generates a matching value, and the places of its parts.
pub(crate) fn value_and_places(shapes: &Shapes, random: &mut Random) -> (Value, Vec<Place>) {
    let places = Some(Places::default());
    let mut generator = Generator { shapes, random, level: 0, parts: 0, places };
    let value = generator.value(shapes.root());
    (value, generator.places.map(|places| places.found).unwrap_or_default())
}

/// The place of a part in a value, with its shape.
#[derive(Debug)]
pub(crate) struct Place {
    pub(crate) path: Vec<Step>,
    pub(crate) shape: ShapeId,
}

/// A step from a value to one of its parts.
#[derive(Debug, Clone)]
pub(crate) enum Step {
    Member(String),
    Item(usize),
}

/// The places of the value under construction.
#[derive(Debug, Default)]
struct Places {
    here: Vec<Step>,
    found: Vec<Place>,
}

struct Generator<'a> {
    shapes: &'a Shapes,
    random: &'a mut Random,
    level: u32,
    parts: u32,
    places: Option<Places>,
}

impl Generator<'_> {
    fn value(&mut self, id: ShapeId) -> Value {
        let shapes = self.shapes;
        if let Shape::Either(branches) = shapes.at(id) {
            let branch = self.branch(branches);
            return branch.map_or(Value::Null, |branch| self.value(branch));
        }
        if let Some(places) = &mut self.places {
            places.found.push(Place { path: places.here.clone(), shape: id });
        }
        self.level += 1;
        self.parts += 1;
        let value = match shapes.at(id) {
            _ if self.level > TOO_DEEP => Value::Null,
            Shape::Nothing | Shape::Null | Shape::Either(_) => Value::Null,
            Shape::Anything => self.anything(),
            Shape::Bool => Value::Bool(self.random.percent(50)),
            Shape::OneOf(values) => self.random.pick(values).cloned().unwrap_or_default(),
            Shape::Number(numbers) => number::generate(numbers, self.random),
            Shape::Text(texts) => Value::String(text::generate(texts, self.random)),
            Shape::List(lists) => self.list(lists),
            Shape::Object(objects) => self.object(objects),
        };
        self.level -= 1;
        value
    }

    /// Generates a part, one level deeper.
    fn part(&mut self, step: impl FnOnce() -> Step, id: ShapeId) -> Value {
        if let Some(places) = &mut self.places {
            places.here.push(step());
        }
        let value = self.value(id);
        if let Some(places) = &mut self.places {
            places.here.pop();
        }
        value
    }

    /// Returns whether the remaining values must be minimal.
    const fn must_be_minimal(&self) -> bool {
        self.level >= MAX_LEVELS || self.parts >= MAX_PARTS
    }

    fn branch(&mut self, branches: &[ShapeId]) -> Option<ShapeId> {
        let shapes = self.shapes;
        let height = |id: &ShapeId| shapes.height(*id);
        if self.must_be_minimal() {
            let finite = branches.iter().filter(|id| height(id).is_some());
            return finite.min_by_key(|id| height(id)).copied();
        }
        let finite = branches.iter().filter(|id| height(id).is_some()).count();
        let chosen = self.random.index(finite);
        branches.iter().filter(|id| height(id).is_some()).nth(chosen).copied()
    }

    fn anything(&mut self) -> Value {
        match self.random.below(6) {
            0 => Value::Null,
            1 => Value::Bool(self.random.percent(50)),
            2 => number::small(self.random),
            3 => Value::Array(vec![number::small(self.random)]),
            4 => Value::Object(Map::from_iter([(words::word(self.random), Value::Null)])),
            _ => Value::String(text::free(self.random, 0..=20)),
        }
    }

    /// Draws a number of items within limits.
    fn count(&mut self, min: u64, max: Option<u64>) -> u64 {
        let more = min.saturating_add(if self.must_be_minimal() { 0 } else { MORE });
        self.random.between(min, max.map_or(more, |max| max.min(more)))
    }

    fn list(&mut self, lists: &Lists) -> Value {
        let named = lists.prefix.len() as u64;
        // A tuple is always complete, even if the schema accepts a shorter one.
        let min = lists.min.max(lists.max.unwrap_or(named).min(named));
        let count = self.count(min.max(lists.contains.is_some().into()), lists.max);
        let mut items = Vec::new();
        for position in 0..usize::try_from(count).unwrap_or(usize::MAX) {
            let shape = match (lists.prefix.get(position), position) {
                (Some(shape), _) => Some(*shape),
                (None, 0) if lists.contains.is_some() => lists.contains,
                (None, _) => lists.items,
            };
            let Some(item) = shape.and_then(|shape| self.item(shape, &items, lists.unique)) else {
                break;
            };
            items.push(item);
        }
        Value::Array(items)
    }

    fn item(&mut self, shape: ShapeId, others: &[Value], unique: bool) -> Option<Value> {
        self.shapes.height(shape)?;
        for _ in 0..ATTEMPTS {
            let known = self.places.as_ref().map_or(0, |places| places.found.len());
            let item = self.part(|| Step::Item(others.len()), shape);
            if !unique || !others.contains(&item) {
                return Some(item);
            }
            if let Some(places) = &mut self.places {
                places.found.truncate(known);
            }
        }
        None
    }

    fn object(&mut self, objects: &Objects) -> Value {
        let mut values = Map::new();
        let most = objects.max.unwrap_or(u64::MAX);
        let mut optional = most.saturating_sub(objects.required());
        for member in &objects.members {
            let is_finite = self.shapes.height(member.shape).is_some();
            let wanted =
                is_finite && optional > 0 && !self.must_be_minimal() && self.random.percent(60);
            if member.required || wanted {
                optional -= u64::from(!member.required);
                let value = self.part(|| Step::Member(member.name.clone()), member.shape);
                values.insert(member.name.clone(), value);
            }
        }
        self.fill(objects, &mut values);
        if let Some(extra) = &objects.extra {
            self.extend(objects, extra, &mut values);
        }
        Value::Object(values)
    }

    /// Adds optional members until the object has enough.
    fn fill(&mut self, objects: &Objects, values: &mut Map<String, Value>) {
        for member in &objects.members {
            if values.len() as u64 >= objects.min {
                return;
            }
            if !values.contains_key(&member.name) && self.shapes.height(member.shape).is_some() {
                let value = self.part(|| Step::Member(member.name.clone()), member.shape);
                values.insert(member.name.clone(), value);
            }
        }
    }

    fn extend(&mut self, objects: &Objects, extra: &Extra, values: &mut Map<String, Value>) {
        let known = values.len() as u64;
        let max = objects.max.map(|max| max.saturating_sub(known));
        let count = self.count(objects.min.saturating_sub(known), max);
        for _ in 0..count * 2 {
            if values.len() as u64 >= known + count || self.shapes.height(extra.shape).is_none() {
                return;
            }
            let key = self.key(&extra.keys);
            if !values.contains_key(&key) && !objects.members.iter().any(|m| m.name == key) {
                let value = self.part(|| Step::Member(key.clone()), extra.shape);
                values.insert(key, value);
            }
        }
    }

    fn key(&mut self, keys: &Keys) -> String {
        match keys {
            Keys::Any => words::word(self.random),
            Keys::Matching(pattern) => pattern.text(self.random, 0..=u64::MAX),
            Keys::Whole { signed } => {
                let low = if *signed { -MAX_KEY } else { 0 };
                self.random.integer(low, MAX_KEY).to_string()
            }
            Keys::Of(shape) => {
                let mut keys = Generator { places: None, random: self.random, ..*self };
                match keys.value(*shape) {
                    Value::String(key) => key,
                    other => other.to_string(),
                }
            }
        }
    }
}

impl Objects {
    /// Returns the number of required named members.
    fn required(&self) -> u64 {
        self.members.iter().filter(|member| member.required).count() as u64
    }
}
