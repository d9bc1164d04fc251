//! A client for many providers, each in its own protocol.
//!
//! `genai` makes the requests and finds the text in what comes back. What it leaves out is read here from
//! the raw answers ([`raw`]): refusals in words of their own, blocked prompts, errors in answers of
//! status 200, and ends of streams without `[DONE]`. Three habits of it are guarded against: it takes a
//! stream that broke off for a finished one, so a reason to stop is demanded ([`stream`]); it passes over
//! events that it can't read, so each has to be JSON; and its errors hold prompts and URLs, so they are
//! told anew ([`fault`]).

mod builder;
mod client;
mod error;
mod family;
mod fault;
mod finish;
mod model;
mod options;
mod question;
mod raw;
mod stream;
mod target;
mod whole;

pub use builder::GenAiBuilder;
pub use error::GenAiBuildError;
pub use model::GenAi;
