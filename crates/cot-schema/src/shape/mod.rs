//! What is known of a type through its `Deserialize`: its shape, which fingerprints contain, and its fields.

pub(crate) mod fields;
pub(crate) mod tracer;
mod values;
