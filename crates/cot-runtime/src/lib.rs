//! Runs chain-of-thought processes with tokio: performs the directives of a machine, persists runs, and
//! captures and replays calls.
//!
//! A [`Runner`] is the builder of a run. The driver calls models, functions and people as the engine
//! directs; persistence writes each event and position to a store before the driver acts on it. The clock of
//! the library is here, in one module. [`ModelExt`] wraps models with prices and limits.
//!
//! Users depend on `cot-core`, which re-exports everything here.
#![doc(test(attr(deny(warnings))))]
#![warn(clippy::print_stderr, clippy::print_stdout)]

// # Where things are
//
// `runner`: the builder, the handles, the results; `driver`: the loop that performs directives, compiled once for
// all processes (`driven_run` is its typed part), and what is in flight; `persistence`: what is durable before the
// driver acts (`cancel` watches for requests, `describe` stores the manifest of the process, `drafts` shows replies
// that are being received); `worker`: drives every run of its processes in a store, and holds none that waits
// (`shift` is the loop, `claim` one run, `verdict` what is done with a run that fails); `trace`: runs as spans for
// instruments: `run_trace` is fed by the driver, `tree` has the open tasks and attempts, `spans` those of the crate
// `tracing`; `preflight`: the checks of engines, schemas, media and examples before the first call; `capture`: calls
// captured and replayed; `model`: prices, limits and rate limits for any model (`hold` reports to the driver that a
// call waits); `clock.rs`, the only file that reads a clock.

mod capture;
mod clock;
mod driver;
#[doc(hidden)]
pub mod internal;
mod model;
mod persistence;
mod preflight;
mod runner;
mod trace;
mod worker;

pub use capture::{
    capture::{Capture, CaptureBuffer},
    error::{CaptureError, ReplayError},
    replay::Replay,
};
pub use model::{
    ext::ModelExt,
    limited::LimitedModel,
    priced::{Price, PricedModel},
    rate_limited::{RateLimit, RateLimitedModel},
};
pub use preflight::{
    missing_models::{MissingModel, MissingModelsError},
    preflight::Preflight,
    preflight_error::{PreflightError, UnsupportedSchema, UnsupportedSchemasError},
    transactions_error::TransactionsError,
    unaccepted_media::{UnacceptedMediaError, UnacceptedMedium},
};
pub use runner::{
    active::ActiveRun,
    builder::Runner,
    error::{AnswerError, RunError},
    failed::FailedRunError,
    finish::RunFuture,
    fork::ForkRun,
    handle::RunHandle,
    models::Models,
    observer::EventContext,
    report::RunReport,
    state_handle::StateHandle,
    task_run::{TaskEnd, TaskFuture, TaskRun},
};
pub use trace::{
    facts::{
        AttemptFacts, CommitFacts, FunctionCallFacts, ModelCallFacts, PersonFacts, RunFacts,
        SpanFacts, TaskFacts, ToolCallFacts,
    },
    instrument::{RunInstrument, RunSpan},
    span_event::{SpanEnd, SpanEvent},
};
pub use worker::{error::WorkerError, event::WorkerEvent, worker::Worker};
