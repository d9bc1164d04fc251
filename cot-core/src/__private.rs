//! What generated code calls. It is not covered by semantic versioning.

pub use cot_engine::private::*;
pub use cot_macros::ConditionalProcess;
