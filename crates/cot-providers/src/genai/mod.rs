//! A client for many providers, each in its own protocol.
//!
//! `genai` builds the requests and extracts the text of replies. The fields that it omits are read from
//! the raw replies ([`raw`]): refusals, blocked prompts, errors with status 200, and the end of streams
//! without `[DONE]`. Chat completions in one piece are read from their body alone. Three behaviours of `genai` are corrected: it treats an interrupted stream as
//! finished, so a stop reason is required ([`stream`]); it skips events that it can't parse, so each
//! must be JSON; and its errors contain prompts and URLs, so they are converted ([`fault`]).

mod builder;
mod capabilities;
mod client;
mod content;
mod error;
mod family;
mod fault;
mod model;
mod options;
mod prepared_request;
mod raw;
mod stream;
mod target;
mod tools;
mod whole;

pub use builder::GenAiBuilder;
pub use error::GenAiBuildError;
pub use model::GenAi;
