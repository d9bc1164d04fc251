//! What values a schema admits, in a form that values can be made from.
//!
//! A schema is taken apart once. References, `allOf` and the like are resolved; what is left is a tree
//! of shapes, in which a recursive type refers back to itself.

pub(crate) mod builder;
pub(crate) mod facts;
pub(crate) mod height;
pub(crate) mod node;
pub(crate) mod numbers;
pub(crate) mod shapes;
