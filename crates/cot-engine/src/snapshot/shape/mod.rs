//! The shape of a type, traced through its `Deserialize`.

pub(crate) mod tracer;
mod values;
