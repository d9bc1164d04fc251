//! Classifies types by their JSON, by name.

use syn::{PathSegment, Type};

use super::layer::{MAPS, types};

/// The JSON shape of a type.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Shape {
    Text,
    Integer(Integer),
    Float,
    Bool,
    /// A sequence, with the shape of its items.
    Sequence(Box<Shape>),
    Map,
    /// Any other type, such as one of the user's.
    Unknown,
}

/// An integer type and its range.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Integer {
    pub(super) name: &'static str,
    pub(super) min: i128,
    pub(super) max: i128,
}

const INTEGERS: &[Integer] = &[
    Integer { name: "u8", min: 0, max: u8::MAX as i128 },
    Integer { name: "u16", min: 0, max: u16::MAX as i128 },
    Integer { name: "u32", min: 0, max: u32::MAX as i128 },
    Integer { name: "u64", min: 0, max: u64::MAX as i128 },
    Integer { name: "u128", min: 0, max: i128::MAX },
    Integer { name: "usize", min: 0, max: u64::MAX as i128 },
    Integer { name: "i8", min: i8::MIN as i128, max: i8::MAX as i128 },
    Integer { name: "i16", min: i16::MIN as i128, max: i16::MAX as i128 },
    Integer { name: "i32", min: i32::MIN as i128, max: i32::MAX as i128 },
    Integer { name: "i64", min: i64::MIN as i128, max: i64::MAX as i128 },
    Integer { name: "i128", min: i128::MIN, max: i128::MAX },
    Integer { name: "isize", min: i64::MIN as i128, max: i64::MAX as i128 },
];

const WRAPPERS: &[&str] = &["Option", "Box", "Arc", "Rc", "Cow"];
const SEQUENCES: &[&str] =
    &["Vec", "VecDeque", "LinkedList", "HashSet", "BTreeSet", "IndexSet", "BinaryHeap"];
const TEXTS: &[&str] = &["String", "str", "char", "PathBuf"];
const FLOATS: &[&str] = &["f32", "f64"];

impl Shape {
    pub(super) fn from_type(ty: &Type) -> Self {
        match ty {
            Type::Path(path) if path.qself.is_none() => {
                path.path.segments.last().map_or(Self::Unknown, Self::from_segment)
            }
            Type::Array(array) => Self::sequence(Self::from_type(&array.elem)),
            Type::Slice(slice) => Self::sequence(Self::from_type(&slice.elem)),
            Type::Tuple(tuple) if !tuple.elems.is_empty() => Self::sequence(Self::Unknown),
            Type::Reference(reference) => Self::from_type(&reference.elem),
            Type::Group(group) => Self::from_type(&group.elem),
            Type::Paren(paren) => Self::from_type(&paren.elem),
            _ => Self::Unknown,
        }
    }

    fn from_segment(segment: &PathSegment) -> Self {
        let name = segment.ident.to_string();
        let is_in = |names: &[&str]| names.contains(&name.as_str());
        let argument = || types(&segment.arguments).next().map_or(Self::Unknown, Self::from_type);
        match INTEGERS.iter().find(|integer| integer.name == name) {
            Some(integer) => Self::Integer(*integer),
            None if is_in(WRAPPERS) => argument(),
            None if is_in(SEQUENCES) => Self::sequence(argument()),
            None if is_in(MAPS) => Self::Map,
            None if is_in(TEXTS) => Self::Text,
            None if is_in(FLOATS) => Self::Float,
            None if name == "bool" => Self::Bool,
            None => Self::Unknown,
        }
    }

    fn sequence(items: Self) -> Self {
        Self::Sequence(Box::new(items))
    }

    /// Returns the noun for messages.
    pub(super) fn noun(&self) -> &'static str {
        match self {
            Self::Text => "a string",
            Self::Integer(_) | Self::Float => "a number",
            Self::Bool => "a bool",
            Self::Sequence(_) => "a collection",
            Self::Map => "a map",
            Self::Unknown => "this type",
        }
    }
}
