//! What values a place of a schema admits.

use serde_json::Value;

use super::numbers::Numbers;
use crate::{generate::format::Format, pattern::Pattern};

/// Position of a shape.
pub(crate) type ShapeId = usize;

/// What values a place of a schema admits.
#[derive(Debug)]
pub(crate) enum Shape {
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
    /// All items after these; `None` where there can be none.
    pub(crate) items: Option<ShapeId>,
    /// What one of the items has to be.
    pub(crate) contains: Option<ShapeId>,
    pub(crate) min: u64,
    pub(crate) max: Option<u64>,
    pub(crate) unique: bool,
}

/// Objects.
#[derive(Debug)]
pub(crate) struct Objects {
    pub(crate) members: Vec<Member>,
    /// Further members, whose keys the schema does not name.
    pub(crate) extra: Option<Extra>,
    pub(crate) min: u64,
    pub(crate) max: Option<u64>,
}

/// A member that a schema names.
#[derive(Debug)]
pub(crate) struct Member {
    pub(crate) name: String,
    pub(crate) shape: ShapeId,
    pub(crate) required: bool,
}

/// Members that a schema does not name.
#[derive(Debug)]
pub(crate) struct Extra {
    pub(crate) keys: Keys,
    pub(crate) shape: ShapeId,
}

/// What the keys of further members are.
#[derive(Debug)]
pub(crate) enum Keys {
    Any,
    Matching(Pattern),
    /// Whole numbers.
    Whole {
        signed: bool,
    },
    Of(ShapeId),
}
