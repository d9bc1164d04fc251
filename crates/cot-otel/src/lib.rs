//! OpenTelemetry for chain-of-thought processes: runs as traces, with metrics, by the semantic conventions for
//! generative AI.
//!
//! [`Telemetry`] is an instrument of runners. It uses the API of OpenTelemetry alone: a program installs an SDK and an
//! exporter, or there is no telemetry. [`names`] has the names of everything that is recorded.
//!
//! Users depend on `cot-core`, which re-exports this crate as `cot_core::otel` behind the feature `otel`.
#![doc(test(attr(deny(warnings))))]
#![warn(clippy::print_stderr, clippy::print_stdout)]

// # Where things are
//
// OpenTelemetry: `telemetry` is an instrument of runners over the API alone, `spans` has a file for each kind of
// span, `metrics` the instruments, `content` what is recorded of prompts and replies, `propagation` the contexts of
// callers; `names` has every name, which tests compare with `registry`, the data of the conventions.

mod clock;
mod content;
mod metrics;
pub mod names;
mod propagation;
mod recorder;
mod spans;
mod telemetry;

pub use telemetry::Telemetry;
