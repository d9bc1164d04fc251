//! The async runner: performs what a [`Machine`](cot_engine::Machine) directs, with tokio and any
//! [`LanguageModel`](crate::LanguageModel).
//!
//! [`Runner`] is the builder, [`Drive`](drive::Drive) the loop, and [`ActiveRun`] a run that is
//! under way. Whatever a run decides, the machine decides; here are only calls and waiting.

mod active;
mod builder;
pub(crate) mod clock;
mod config;
mod deltas;
mod drive;
mod emitter;
mod error;
mod finish;
mod flight;
mod fork;
mod handle;
mod journal;
mod kept;
mod missing_models;
mod models;
mod opening;
mod people;
mod perform;
mod persistence;
mod preflight;
mod preflight_error;
mod report;
mod standing;
mod state_change;
mod state_handle;
mod storing;
mod task_run;

pub use active::ActiveRun;
pub use builder::Runner;
pub use emitter::EventContext;
pub use error::{AnswerError, RunError};
pub use finish::Finish;
pub use fork::ForkRun;
pub use handle::RunHandle;
pub use missing_models::{MissingModel, MissingModels};
pub use models::Models;
pub use preflight::Preflight;
pub use preflight_error::{PreflightError, UnfitSchema, UnfitSchemas};
pub use report::Run;
pub use state_handle::StateHandle;
pub use storing::ResumeAll;
pub use task_run::{TaskEnd, TaskRun};
