//! The cells of a row as a value that serde reads: each cell as what its type says.

use std::fmt;

use serde::{
    Deserializer,
    de::{
        self, IntoDeserializer, Visitor,
        value::{MapDeserializer, UnitDeserializer},
    },
    forward_to_deserialize_any,
};
use serde_json::Value;

/// A part of a case: a cell, or members.
pub(super) enum Node<'a> {
    /// No column has it.
    Empty,
    Cell(Cell<'a>),
    Members(Vec<(&'a str, Node<'a>)>),
}

/// A cell with the number and the title of its column.
#[derive(Clone, Copy)]
pub(super) struct Cell<'a> {
    pub(super) column: usize,
    pub(super) title: &'a str,
    pub(super) text: &'a str,
}

/// The error of a cell, or of a part that no cell is to blame for.
#[derive(Debug)]
pub(super) struct CellError {
    column: Option<(usize, String)>,
    reason: String,
}

impl CellError {
    /// Returns the column and the reason. `part` is what was read.
    pub(super) fn located(self, part: &str) -> (usize, String) {
        match self.column {
            Some((column, title)) => (column, format!("`{title}`: {}", self.reason)),
            None => (1, format!("`{part}`: {}", self.reason)),
        }
    }
}

impl fmt::Display for CellError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.reason)
    }
}

impl std::error::Error for CellError {}

impl de::Error for CellError {
    fn custom<T: fmt::Display>(reason: T) -> Self {
        Self { column: None, reason: reason.to_string() }
    }
}

impl<'a> Node<'a> {
    /// Returns whether there is no text in it.
    fn is_empty(&self) -> bool {
        match self {
            Self::Empty => true,
            Self::Cell(cell) => cell.word().is_empty(),
            Self::Members(members) => members.iter().all(|(_, member)| member.is_empty()),
        }
    }

    /// Adds a cell at a path of members. Returns whether there is room.
    pub(super) fn insert(&mut self, path: &'a [String], cell: Cell<'a>) -> bool {
        let Some((first, rest)) = path.split_first() else {
            let is_free = matches!(self, Self::Empty);
            *self = Self::Cell(cell);
            return is_free;
        };
        if matches!(self, Self::Empty) {
            *self = Self::Members(Vec::new());
        }
        let Self::Members(members) = self else { return false };
        let index = members.iter().position(|(name, _)| name == first).unwrap_or_else(|| {
            members.push((first, Node::Empty));
            members.len() - 1
        });
        members[index].1.insert(rest, cell)
    }
}

impl<'a> IntoDeserializer<'a, CellError> for Node<'a> {
    type Deserializer = Self;

    fn into_deserializer(self) -> Self {
        self
    }
}

/// Reads a cell by a hint as a number.
macro_rules! parse_cells {
    ($($method:ident $visit:ident)*) => {
        $(fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, CellError> {
            let Self::Cell(cell) = self else { return self.deserialize_any(visitor) };
            match cell.word().parse() {
                Ok(value) => cell.locate(visitor.$visit(value)),
                Err(_) => cell.visit_json(visitor),
            }
        })*
    };
}

impl<'de> Deserializer<'de> for Node<'de> {
    type Error = CellError;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, CellError> {
        match self {
            Self::Empty => UnitDeserializer::new().deserialize_any(visitor),
            Self::Cell(cell) => cell.visit_json(visitor),
            Self::Members(members) => visitor.visit_map(MapDeserializer::new(members.into_iter())),
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, CellError> {
        match self {
            other if other.is_empty() => visitor.visit_none(),
            other => visitor.visit_some(other),
        }
    }

    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, CellError> {
        match self {
            Self::Cell(cell) => cell.locate(visitor.visit_borrowed_str(cell.text)),
            other => other.deserialize_any(visitor),
        }
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, CellError> {
        self.deserialize_str(visitor)
    }

    fn deserialize_char<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, CellError> {
        self.deserialize_str(visitor)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, CellError> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, CellError> {
        match self {
            Self::Cell(cell) if !cell.word().starts_with('{') => {
                let variant: de::value::BorrowedStrDeserializer<'_, CellError> =
                    de::value::BorrowedStrDeserializer::new(cell.word());
                cell.locate(variant.deserialize_enum(name, variants, visitor))
            }
            Self::Cell(cell) => {
                let json = cell.json();
                cell.locate(
                    json.deserialize_enum(name, variants, visitor).map_err(de::Error::custom),
                )
            }
            Self::Members(members) => {
                let map = MapDeserializer::new(members.into_iter());
                de::value::MapAccessDeserializer::new(map).deserialize_enum(name, variants, visitor)
            }
            Self::Empty => Err(de::Error::custom("it is missing")),
        }
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, CellError> {
        match self {
            // Spreadsheets write them in upper case.
            Self::Cell(cell) if cell.word().eq_ignore_ascii_case("true") => {
                visitor.visit_bool(true)
            }
            Self::Cell(cell) if cell.word().eq_ignore_ascii_case("false") => {
                visitor.visit_bool(false)
            }
            other => other.deserialize_any(visitor),
        }
    }

    parse_cells! {
        deserialize_i8 visit_i8
        deserialize_i16 visit_i16
        deserialize_i32 visit_i32
        deserialize_i64 visit_i64
        deserialize_i128 visit_i128
        deserialize_u8 visit_u8
        deserialize_u16 visit_u16
        deserialize_u32 visit_u32
        deserialize_u64 visit_u64
        deserialize_u128 visit_u128
        deserialize_f32 visit_f32
        deserialize_f64 visit_f64
    }

    forward_to_deserialize_any! {
        bytes byte_buf unit unit_struct seq tuple tuple_struct map struct identifier ignored_any
    }
}

impl<'a> Cell<'a> {
    /// Returns the cell without the blanks around it, which belong to texts alone.
    fn word(&self) -> &'a str {
        self.text.trim()
    }

    /// Returns the cell as JSON, or as a text if it is no JSON.
    fn json(&self) -> Value {
        serde_json::from_str(self.text).unwrap_or_else(|_| self.text.into())
    }

    fn visit_json<'de, V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, CellError> {
        let json = match self.word() {
            "" => Value::Null,
            _ => self.json(),
        };
        self.locate(json.deserialize_any(visitor).map_err(de::Error::custom))
    }

    /// Says in an error which cell it is about.
    fn locate<T>(&self, read: Result<T, CellError>) -> Result<T, CellError> {
        let place = || Some((self.column, self.title.to_owned()));
        read.map_err(|error| CellError { column: error.column.or_else(place), ..error })
    }
}
