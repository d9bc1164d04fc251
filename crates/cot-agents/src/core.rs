//! The items that the expansions of `cot_process!` and `#[derive(CotOutput)]` refer to: `crate: crate::core`.
#![allow(unused_imports, reason = "an expansion uses those that its declaration needs")]

/// Functions and types for generated code.
pub(crate) mod __private {
    pub(crate) use cot_engine::private::*;
    pub(crate) use cot_macros::ConditionalProcess;
}

pub(crate) use cot_description::Description;
pub(crate) use cot_engine::{
    About, Budget, CommitCx, Cx, GrowingText, Halt, HasContext, IntoContext, ItemError, Machine,
    Process, ProcessTypes, Scope, TaskId,
};
pub(crate) use cot_reader::Incoming;
pub(crate) use cot_runtime::{Models, Preflight, PreflightError, Runner};
pub(crate) use cot_schema::{CotOutput, Issues, OutputSchema};

/// The types of tasks with `reason`.
pub(crate) mod reasoning {
    pub(crate) use cot_reader::Reasoning;
}
