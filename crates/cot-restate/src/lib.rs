//! Chain-of-thought processes as durable workflows on [Restate](https://restate.dev).
//!
//! A run survives the death of every process that takes part in it: what a model, a function or a
//! person has answered is in Restate's journal before anything comes of it, and is never asked for
//! again. The declaration of the process does not change.
//!
//! ```no_run
//! use cot_core::{Models, model::ScriptedModel, prelude::*};
//! use cot_restate::Workflow;
//! use restate_sdk::prelude::{Endpoint, HttpServer};
//! use schemars::JsonSchema;
//! use serde::{Deserialize, Serialize};
//!
//! /// A greeting.
//! #[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
//! pub struct Greeting {
//!     pub text: String,
//! }
//!
//! cot_process! {
//!     pub process Greet {
//!         state: { input name: String, greeting: Option<String> = None },
//!         task greet -> Greeting {
//!             prompt: "Greet ${state.name}.",
//!             update: { greeting = Some(output.text) },
//!             next: done,
//!         }
//!         task done { end }
//!     }
//! }
//!
//! cot_restate::workflow! {
//!     /// Greets, whatever happens.
//!     pub struct GreetWorkflow runs Greet as "Greet";
//! }
//!
//! # async fn serve() -> Result<(), Box<dyn std::error::Error>> {
//! let models = Models::new().model(ScriptedModel::new([r#"{"text": "Hello!"}"#]));
//! let greet = GreetWorkflow::from(Workflow::new(models)?);
//! let endpoint = Endpoint::builder().bind(greet).build();
//! let listener = cot_restate::listen("127.0.0.1:9080".parse()?)?;
//! HttpServer::new(endpoint).serve(listener).await;
//! # Ok(())
//! # }
//! # let _ = serve;
//! ```
//!
//! Register the service with `restate deployments register http://127.0.0.1:9080`, then start the run
//! `ada`, watch it, and wait for its end:
//!
//! ```sh
//! curl 127.0.0.1:8080/Greet/ada/run/send --json '{"state": {"name": "Ada"}}'
//! curl -X POST 127.0.0.1:8080/Greet/ada/status
//! curl 127.0.0.1:8080/restate/workflow/Greet/ada/attach
//! ```
//!
//! # The handlers
//!
//! | handler | takes | gives |
//! |---|---|---|
//! | `run` | [`Start`]: the state, and what a run may be given besides | [`Ended`]: the outcome, the state, what it consumed |
//! | `status` | nothing | [`Status`]: where the run stands, and what a person is asked |
//! | `answer` | [`Answer`] to the question of a human task | [`Answered`]: whether it was accepted, and else why not |
//! | `call` | a call for one item of a for-each task | what came of it; for the run itself, not reachable from outside |
//!
//! # How a process becomes a journal
//!
//! | directive | in the journal |
//! |---|---|
//! | a model call | a run named after its [`CallKey`](cot_core::CallKey), `decide#3@1`; its result is the reply, or why there is none |
//! | the calls of a for-each task | calls of the handler `call`, as many at once as the task allows, spread over all nodes; each has a journal of its own, with a run named after its key |
//! | a function | a run named after its key; its result is what the function returned |
//! | a person | a promise named after its key, and a sleep beside it where the task has a time limit |
//! | a timer | a sleep |
//! | a sub-process | nothing of its own: it runs within the run that it is part of, and its calls are in that journal, under keys like `research#1/summarize#2@1` |
//!
//! Replies that fail validation, models that can't be reached, time limits and failed functions are
//! data to the process: they lead to retries, to its routes, or to a halt, and the workflow itself ends
//! well. Retries of a call belong to the model. A run that is cancelled ends with
//! [`HaltReason::Cancelled`](cot_core::HaltReason::Cancelled), as soon as the call in flight is over.
//!
//! A node that dies repeats the calls that were in flight, and nothing else. So a function may run
//! twice, though what it returned is taken once: what it does outside should bear that.
//!
//! Nobody observes a run event by event, and there are no hooks: they would see everything again whenever
//! the journal is played. What a run did is in Restate's tables.
//!
//! # What has to be deterministic
//!
//! A node that takes up a run plays its journal through the process again. Whatever the process computes
//! (updates, guards, checks, templates) has to come out the same, so it must not read clocks, random
//! numbers or files; functions of code tasks may. Maps in no order (`HashMap`) are fine in a state, as
//! long as nothing *decides* by their order.
//!
//! [Operating it](guide::operating) is about nodes, time-outs, versions and monitoring.
#![doc(test(attr(deny(warnings))))]

mod coming;
mod drive;
mod flight;
mod listen;
mod macros;
mod people;
mod perform;
mod request;
mod status;
mod wire;
mod workflow;

/// Pages on single subjects: there is no code in them.
pub mod guide {
    #[doc = include_str!("../docs/operating.md")]
    pub mod operating {}
}

#[doc(hidden)]
pub mod __private {
    pub use cot_core::{Event, ProcessTypes};

    pub use crate::request::Request;
}

pub use listen::listen;
pub use wire::{Answer, Answered, Doing, Ended, Outcome, Start, Status, Waiting, Written};
pub use workflow::Workflow;
