//! What values a schema admits, in a form that values can be made from.
//!
//! A schema is taken apart once. References, `allOf` and the like are resolved; what is left is a tree
//! of shapes, in which a recursive type refers back to itself.

mod builder;
mod facts;
mod height;
mod node;
mod numbers;
mod shapes;

pub(super) use node::{Extra, Keys, Lists, Objects, Shape, ShapeId, Texts};
pub(super) use numbers::{Numbers, Step};
pub(super) use shapes::Shapes;
