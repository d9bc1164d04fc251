//! One question as a process.

use cot_macros::cot_process;
use cot_model::ModelReply;
use cot_schema::Issues;

use crate::reasoning::{
    answer::{Answer, MAX_REPLY_BYTES},
    machine::Machine,
};

cot_process! {
    /// Answers one question in numbered steps. The state is the machine of the question.
    pub process Reason {
        crate: crate::core,
        state: Machine,
        history: none,
        max_retries: 0,
        system: "${state.system_text()}",

        /// Thinks about the question step by step.
        task reason -> Answer {
            full_prompt: "${state.prompt.as_deref().unwrap_or_default()}",
            read: { reply: read_answer, until: is_too_long },
            process_output: conclude,
            next: done,
        }

        task done { end }
    }
}

#[expect(clippy::unnecessary_wraps, reason = "the signature of a function that reads replies")]
fn read_answer(reply: &ModelReply, _: &Machine) -> Result<Answer, Issues> {
    Ok(Answer::from_reply(reply))
}

/// Ends a reply that is cut off anyway, so that the call of a model that never ends does.
fn is_too_long(_: &Machine) -> impl FnMut(&str) -> bool + Send + use<> {
    let mut received: usize = 0;
    move |chunk| {
        received = received.saturating_add(chunk.len());
        received > MAX_REPLY_BYTES
    }
}

fn conclude(answer: &Answer, machine: &mut Machine) {
    machine.conclude(answer.text.clone(), answer.finish());
}
