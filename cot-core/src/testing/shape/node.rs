//! What values a place of a schema admits.

use serde_json::Value;

use super::numbers::Numbers;
use crate::testing::{generate::format::Format, pattern::Pattern};

/// Position of a shape.
pub(in crate::testing) type ShapeId = usize;

/// What values a place of a schema admits.
#[derive(Debug)]
pub(in crate::testing) enum Shape {
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
pub(in crate::testing) struct Texts {
    pub(in crate::testing) min: u64,
    pub(in crate::testing) max: Option<u64>,
    pub(in crate::testing) pattern: Option<Pattern>,
    pub(in crate::testing) format: Option<Format>,
}

/// Arrays.
#[derive(Debug)]
pub(in crate::testing) struct Lists {
    /// The items of a tuple.
    pub(in crate::testing) prefix: Vec<ShapeId>,
    /// All items after these; `None` where there can be none.
    pub(in crate::testing) items: Option<ShapeId>,
    /// What one of the items has to be.
    pub(in crate::testing) contains: Option<ShapeId>,
    pub(in crate::testing) min: u64,
    pub(in crate::testing) max: Option<u64>,
    pub(in crate::testing) unique: bool,
}

/// Objects.
#[derive(Debug)]
pub(in crate::testing) struct Objects {
    pub(in crate::testing) members: Vec<Member>,
    /// Further members, whose keys the schema does not name.
    pub(in crate::testing) extra: Option<Extra>,
    pub(in crate::testing) min: u64,
    pub(in crate::testing) max: Option<u64>,
}

/// A member that a schema names.
#[derive(Debug)]
pub(in crate::testing) struct Member {
    pub(in crate::testing) name: String,
    pub(in crate::testing) shape: ShapeId,
    pub(in crate::testing) required: bool,
}

/// Members that a schema does not name.
#[derive(Debug)]
pub(in crate::testing) struct Extra {
    pub(in crate::testing) keys: Keys,
    pub(in crate::testing) shape: ShapeId,
}

/// What the keys of further members are.
#[derive(Debug)]
pub(in crate::testing) enum Keys {
    Any,
    Matching(Pattern),
    /// Whole numbers.
    Whole {
        signed: bool,
    },
    Of(ShapeId),
}
