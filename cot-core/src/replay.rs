//! Capture the calls of a run, and replay them without a model.
//!
//! A [`Capture`] writes every call of a run as a line of JSON: what was asked, in fixed and variable
//! segments, and what came back. A [`Replay`] answers the calls of later runs from there, by the
//! [key](cot_engine::CallKey) of each. It never asks a model: a call that was not captured, or that asks
//! something else, fails at once, with a diff that points at the part of the prompt that changed.
//!
//! ```
//! # #![allow(dead_code, reason = "no process is declared here")]
//! # use std::error::Error;
//! # use cot_core::{LanguageModel, Process, Runner};
//! use cot_core::replay::{Capture, Replay};
//!
//! async fn twice<P: Process>(
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
//! JSON Lines. The first line is `{"cot_capture":1,"process":"…"}`; a run that went on in another
//! process of the operating system may repeat it. Each other line is a call, with its `key` and
//!
//! - of a model: `engine`, `prompt` (segments with `part`, `kind` and `text`, the system message
//!   first), `schema`, `temperature`, `max_tokens`, and `reply` or `error`, and `elapsed_ms`;
//! - of a person: `answer`.
//!
//! # Secrets
//!
//! Captures are scrubbed before they are written: of every secret that was named with
//! [`Capture::scrub`], plain and in JSON's escapes; of what looks like a key of a common vendor or like
//! a bearer token; and of whatever a function of your own takes out. `[scrubbed]` stands in its place.
//! A replay scrubs what it compares in the same way, so give it the same secrets and functions. A reply
//! that held a secret is replayed as it was written, without it.

#[doc(inline)]
pub use cot_runtime::{Capture, CaptureBuffer, CaptureError, Replay, ReplayError};
