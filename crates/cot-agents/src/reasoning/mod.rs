//! Step-by-step reasoning: one question, one reply, and the steps and conclusion in the reply.
//!
//! The parts can be used separately, with any [`LanguageModel`](cot_model::LanguageModel):
//!
//! - [`extract_steps_and_conclusion`] parses a text in any script in linear time;
//! - [`Machine`] is a pure state machine for one question: it takes [`Message`]s, returns [`Directive`]s,
//!   and does no I/O;
//! - [`Reason`] is the question as a process, whose state is the machine: a task of another process, or a
//!   run of a worker;
//! - [`Reasoner`] runs it with a model and streams the reply, with time-outs, budgets and stores.
//!
//! A task of a process reasons with `reason: "…"`; its output is the [`Reasoning`] in the reply.
//!
//! ```
//! use cot_core::{model::ScriptedModel, reasoning::Reasoner};
//!
//! # let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
//! # runtime.block_on(async {
//! let model = ScriptedModel::new(["Step 1: 17 + 5 is 22.\nStep 2: 22 * 2 is 44.\nConclusion: 44"]);
//! let reasoned = Reasoner::new(model).run("What is (17 + 5) * 2?").await?;
//! assert_eq!(reasoned.steps[1].content, "22 * 2 is 44.");
//! assert_eq!(reasoned.conclusion.as_deref(), Some("44"));
//! # Ok::<(), cot_core::model::ModelError>(())
//! # }).unwrap();
//! ```

mod active;
mod answer;
mod call_id;
mod machine;
mod message;
mod process;
mod reasoner;
#[cfg(test)]
mod tests;

pub use active::{ActiveReasoning, ReasoningEvent};
pub use answer::{Answer, MAX_REPLY_BYTES};
pub use call_id::generate_call_id;
#[doc(inline)]
pub use cot_reader::{
    ParseStepNumberError, Reasoning, Step, StepNumber, extract_steps_and_conclusion,
};
pub use machine::{Machine, MapError, default_system_prompt};
pub use message::{
    ChatMessage, ChunkType, Directive, Environment, Message, StartRefusal, Status,
    TerminationReason,
};
pub use process::{Reason, ReasonOutcome, ReasonOutput, ReasonTask};
pub use reasoner::Reasoner;
