//! The shape of a type: what its `Deserialize` asks for.

pub(crate) mod tracer;
mod values;
