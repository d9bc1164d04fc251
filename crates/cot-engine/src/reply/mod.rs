//! Interpretation of replies as a transition or an output.

pub(crate) mod bounds;
pub(crate) mod end;
pub(crate) mod expected;
pub(crate) mod menu;
pub(crate) mod partial;
pub(crate) mod tool_call;
