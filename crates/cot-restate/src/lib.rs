//! Chain-of-thought processes as durable workflows on [Restate](https://restate.dev).
//!
//! A run survives the death of every process that takes part in it: the answer of a model, a function
//! or a person is durable in Restate's journal before the run continues, and is never requested again.
//! The declaration of the process does not change.
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
//!     /// Greets, even after crashes.
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
//! `ada`, query its status, and wait for its end:
//!
//! ```sh
//! curl 127.0.0.1:8080/Greet/ada/run/send --json '{"state": {"name": "Ada"}}'
//! curl -X POST 127.0.0.1:8080/Greet/ada/status
//! curl 127.0.0.1:8080/restate/workflow/Greet/ada/attach
//! ```
//!
//! # The handlers
//!
//! | handler | input | output |
//! |---|---|---|
//! | `run` | [`Start`]: the state and optional settings | [`RunResult`]: the outcome, the state, the usage |
//! | `status` | nothing | [`Status`]: the activity of the run and the question to a person |
//! | `answer` | [`Answer`] to the question of a human task | [`AnswerOutcome`]: whether it was accepted, and the issues otherwise |
//! | `call` | a model call that is made beside others | its event; for internal use, not reachable from outside |
//!
//! # The journal of a process
//!
//! | directive | journal entries |
//! |---|---|
//! | a model call | a run named after its [`CallKey`](cot_core::CallKey), `decide#3@1`; its result is the reply or the error |
//! | model calls that are made at the same time | calls of the handler `call`, of a for-each task as many as it allows, distributed over all nodes; each has its own journal, with a run named after its key |
//! | a function | a run named after its key; its result is the function's result |
//! | functions that are due at the same time, of branches, items or tool calls | one run, which performs them concurrently and ends with the slowest; its result has all results, the fastest first |
//! | a person | a promise named after its key, and a sleep if the task has a timeout |
//! | a timer | a sleep |
//! | a sub-process | no entries of its own: it runs within its parent run, and its calls are in that journal, under keys like `research#1/summarize#2@1` |
//!
//! Replies are not streamed. The `until` of a task with `read` is ignored, and its `reply` function receives the
//! complete reply.
//!
//! Replies that fail validation, unreachable models, timeouts and failed functions are data for the
//! process: they lead to retries, to its routes, or to a halt, and the workflow itself succeeds.
//! Retries of a call are up to the model. A run that is cancelled ends with
//! [`HaltReason::Cancelled`](cot_core::HaltReason::Cancelled) as soon as the call in flight returns.
//!
//! After the death of a node only the calls in flight are repeated. So a function may run twice, though
//! only one result is used: its [call key](cot_core::Cx::call_key) is the same both times. A function with `effect: once` is
//! not run again: the start of each call is journaled, and a call that another execution of the run has started and
//! not completed fails as interrupted.
//!
//! The functions of a process with a context receive that of the node: [`Workflow::with_context`].
//!
//! Runs have no observers and no hooks, since a replay of the journal would repeat all events. The
//! history of a run is in Restate's tables.
//!
//! While functions run, the answers of models and people and the ends of timers wait: a branch with a slow function delays
//! the others, and a branch that loses is not cancelled before its function returns.
//!
//! # Determinism
//!
//! A node that resumes a run replays its journal through the process. Everything that the process
//! computes (updates, guards, checks, templates) must give the same result, so it must not read clocks,
//! random numbers or files; functions of code tasks may. Unordered maps (`HashMap`) in a state are
//! allowed if no decision depends on their order.
//!
//! # Images and documents
//!
//! Restate has no place for blobs, so the images and documents of a run are in its journal in base64: in the
//! input and the result of `run`, once in the first snapshot, and in each call of the handler `call` whose
//! prompt shows them. Restate limits the size of a message and of a journal; give large files to a process
//! by their addresses.
//!
//! [Operation](guide::operating) describes nodes, timeouts, versions and monitoring.
#![doc(test(attr(deny(warnings))))]

// # Where things are
//
// The driver on Restate: `driver` is its loop, `perform` and `in_flight` put directives into the journal, `people`
// waits for answers, `macros` declares the named service.

mod announced;
mod driver;
mod in_flight;
mod keys;
mod listen;
mod macros;
mod pending_event;
mod people;
mod perform;
mod request;
mod status;
mod wire;
mod workflow;

/// Guides on single subjects.
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
pub use wire::{
    Activity, Answer, AnswerOutcome, Outcome, PendingQuestion, RawJson, RunResult, Start, Status,
};
pub use workflow::Workflow;
