//! What values a schema admits, in a form that values can be made from.
//!
//! A schema is taken apart once. References, `allOf` and the like are resolved; what is left is a tree
//! of shapes, in which a recursive type refers back to itself.

use serde_json::Value;

use super::{generate::Format, pattern::Pattern};

mod alternatives;
mod builder;
mod facts;
mod height;
mod numbers;

pub(super) use numbers::{Numbers, Step};

/// Position of a shape.
pub(super) type ShapeId = usize;

/// The shapes of one schema.
#[derive(Debug)]
pub(super) struct Shapes {
    shapes: Vec<Shape>,
    /// How many levels the smallest value of each shape has; `None` where no value is finite.
    heights: Vec<Option<u32>>,
    root: ShapeId,
}

/// What values a place of a schema admits.
#[derive(Debug)]
pub(super) enum Shape {
    /// No value fits.
    Nothing,
    Anything,
    Null,
    Bool,
    OneOf(Vec<Value>),
    Number(Numbers),
    Text(Texts),
    List(Lists),
    Object(Objects),
    Either(Vec<ShapeId>),
}

/// Strings; lengths are in characters.
#[derive(Debug, Default)]
pub(super) struct Texts {
    pub(super) min: u64,
    pub(super) max: Option<u64>,
    pub(super) pattern: Option<Pattern>,
    pub(super) format: Option<Format>,
}

/// Arrays.
#[derive(Debug)]
pub(super) struct Lists {
    /// The items of a tuple.
    pub(super) prefix: Vec<ShapeId>,
    /// All items after these; `None` where there can be none.
    pub(super) items: Option<ShapeId>,
    /// What one of the items has to be.
    pub(super) contains: Option<ShapeId>,
    pub(super) min: u64,
    pub(super) max: Option<u64>,
    pub(super) unique: bool,
}

/// Objects.
#[derive(Debug)]
pub(super) struct Objects {
    pub(super) members: Vec<Member>,
    /// Further members, whose keys the schema does not name.
    pub(super) extra: Option<Extra>,
    pub(super) min: u64,
    pub(super) max: Option<u64>,
}

/// A member that a schema names.
#[derive(Debug)]
pub(super) struct Member {
    pub(super) name: String,
    pub(super) shape: ShapeId,
    pub(super) required: bool,
}

/// Members that a schema does not name.
#[derive(Debug)]
pub(super) struct Extra {
    pub(super) keys: Keys,
    pub(super) shape: ShapeId,
}

/// What the keys of further members are.
#[derive(Debug)]
pub(super) enum Keys {
    Any,
    Matching(Pattern),
    /// Whole numbers.
    Whole {
        signed: bool,
    },
    Of(ShapeId),
}

impl Shapes {
    /// Takes a schema apart.
    pub(super) fn of(schema: &Value) -> Self {
        let (shapes, root) = builder::build(schema);
        let heights = height::of(&shapes);
        Self { shapes, heights, root }
    }

    pub(super) const fn root(&self) -> ShapeId {
        self.root
    }

    /// A shape at a position that one of these shapes, or the root, holds.
    pub(super) fn at(&self, id: ShapeId) -> &Shape {
        &self.shapes[id]
    }

    /// How many levels the smallest value has.
    pub(super) fn height(&self, id: ShapeId) -> Option<u32> {
        self.heights.get(id).copied().flatten()
    }
}
