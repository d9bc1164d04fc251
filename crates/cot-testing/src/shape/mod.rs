//! The values that a schema accepts, in a form from which they can be generated.
//!
//! A schema is compiled once. References, `allOf` and similar keywords are resolved; the result is a tree of
//! shapes in which a recursive type refers to itself.

pub(crate) mod builder;
pub(crate) mod facts;
pub(crate) mod height;
pub(crate) mod node;
pub(crate) mod numbers;
pub(crate) mod shapes;
