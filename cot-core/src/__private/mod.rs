//! Functions and types for generated code. They are not covered by semantic versioning.

pub use cot_engine::private::*;
pub use cot_macros::ConditionalProcess;

pub mod editor;
