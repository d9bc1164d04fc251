//! What a file that declares a process imports: `use cot_core::prelude::*;`

pub use crate::{
    CotOutput, Issue, Issues, LanguageModel, Models, Preflight, Process, ProcessEvent, RunError,
    RunEvent, RunReport, Runner, Scope, TaskId, cot_process,
};
