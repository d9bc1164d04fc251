//! Shapes of values.

use serde_json::Value;

use super::numbers::Numbers;
use crate::{generate::format::Format, pattern::Pattern};

/// The index of a shape.
pub(crate) type ShapeId = usize;

/// The values that a place of a schema accepts.
#[derive(Debug)]
pub(crate) enum Shape {
    /// No value.
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

/// Strings. Lengths are in characters.
#[derive(Debug, Default)]
pub(crate) struct Texts {
    pub(crate) min: u64,
    pub(crate) max: Option<u64>,
    pub(crate) pattern: Option<Pattern>,
    pub(crate) format: Option<Format>,
}

/// Arrays.
#[derive(Debug)]
pub(crate) struct Lists {
    /// The items of a tuple.
    pub(crate) prefix: Vec<ShapeId>,
    /// The items after the prefix; `None` if none are allowed.
    pub(crate) items: Option<ShapeId>,
    /// The shape that at least one item must match.
    pub(crate) contains: Option<ShapeId>,
    pub(crate) min: u64,
    pub(crate) max: Option<u64>,
    pub(crate) unique: bool,
}

/// Objects.
#[derive(Debug)]
pub(crate) struct Objects {
    pub(crate) members: Vec<Member>,
    /// Extra members, whose keys the schema does not name.
    pub(crate) extra: Option<Extra>,
    pub(crate) min: u64,
    pub(crate) max: Option<u64>,
}

/// A named member.
#[derive(Debug)]
pub(crate) struct Member {
    pub(crate) name: String,
    pub(crate) shape: ShapeId,
    pub(crate) required: bool,
}

/// Extra members.
#[derive(Debug)]
pub(crate) struct Extra {
    pub(crate) keys: Keys,
    pub(crate) shape: ShapeId,
}

/// The keys of extra members.
#[derive(Debug)]
pub(crate) enum Keys {
    Any,
    Matching(Pattern),
    /// Integer keys.
    Whole {
        signed: bool,
    },
    Of(ShapeId),
}
