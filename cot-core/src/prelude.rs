//! Imports for files that declare a process: `use cot_core::prelude::*;`

pub use crate::{
    CotOutput, Cx, Issue, Issues, LanguageModel, Models, Preflight, Process, ProcessEvent,
    RunError, RunEvent, RunReport, Runner, Scope, TaskId, cot_process,
};
