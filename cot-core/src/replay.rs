//! Captures the calls of a run, and replays them without a model.
//!
//! A [`Capture`] writes every call of a run as a line of JSON: the request, in fixed and variable
//! segments, and the response. A [`Replay`] answers the calls of later runs from a capture, by their
//! [keys](cot_engine::CallKey). It never calls a model: a call that was not captured, or that has another
//! request, fails at once with a diff of the prompts.
//!
//! ```
//! # use std::error::Error;
//! # use cot_core::{LanguageModel, Process, Runner};
//! use cot_core::replay::{Capture, Replay};
//!
//! # #[allow(dead_code, reason = "no process is declared here")]
//! async fn twice<P: Process<Context = ()>>(
//!     model: impl LanguageModel + 'static,
//!     state: P::State,
//! ) -> Result<(), Box<dyn Error>> {
//!     let capture = Capture::to_file("run.jsonl")?.scrub("hunter2");
//!     Runner::<P>::new().model(model).capture(capture.clone()).run(state.clone()).await?;
//!     capture.finish()?;
//!
//!     let replay = Replay::from_file("run.jsonl")?.scrub("hunter2");
//!     Runner::<P>::new().replay(replay.clone()).run(state).await?;
//!     assert!(replay.unused().is_empty());
//!     Ok(())
//! }
//! ```
//!
//! # The format
//!
//! JSON Lines. The first line is `{"cot_capture":1,"process":"…"}`; it is repeated if another program
//! resumed the run. Each other line is a call, with its `key` and these members:
//!
//! - for a model: `engine`, `prompt` (segments with `part`, `stability` and `text`, the system message
//!   first), `turns`, `schema`, `settings`, and `reply` or `error`, and `elapsed_ms`;
//! - for a human: `answer`.
//!
//! # Secrets
//!
//! Captures are scrubbed before they are written: of every secret given to [`Capture::scrub`], plain and
//! with JSON escapes; of texts that look like a key of a common vendor or a bearer token; and by your own
//! functions. Secrets are replaced with `[scrubbed]`. A replay scrubs its requests in the same way before it
//! compares them, so it needs the same secrets and functions. A reply that contained a secret is replayed
//! without it.

#[doc(inline)]
pub use cot_runtime::{Capture, CaptureBuffer, CaptureError, Replay, ReplayError};
