//! `#[cot(…)]` on outputs: checks, conditions, aliases, notes and partial views, through the public
//! surface.
#![expect(clippy::unwrap_used, clippy::panic, reason = "helpers of tests fail like tests")]

mod asked;
mod checks;
mod conditions;
mod decimals;
mod inputs;
mod nested;
mod notes;
mod partial;

use std::time::Duration;

use cot_core::{CotOutput, Event, Issues, Machine, MachinePoll, Process, model::ModelReply};
use serde_json::Value;

/// What a model is told when it answers with a value of a type: all issues, in their order.
macro_rules! told {
    ($ty:ident, $($json:tt)+) => {{
        cot_core::cot_process! {
            process Asking {
                state: Vec<$ty>,
                max_retries: 0,
                task ask -> $ty { process_output: keep, next: done }
                task done { end }
            }
        }
        fn keep(output: &$ty, kept: &mut Vec<$ty>) {
            kept.push(output.clone());
        }
        match crate::answered::<Asking>(Vec::new(), serde_json::json!($($json)+)) {
            AskingOutcome::Halted(halt) => crate::texts(&halt.attempts[0].issues),
            _ => Vec::new(),
        }
    }};
}
use told;

/// How a process ends whose first task is answered like this.
fn answered<P: Process<Context = ()>>(state: P::State, reply: Value) -> P::Outcome {
    let mut machine = Machine::<P>::new();
    machine.start(state).unwrap();
    let call = &machine.poll().directives()[0];
    assert!(call.as_model_call().is_some(), "no call: {call:?}");
    let (id, elapsed) = (call.id, Duration::ZERO);
    machine.handle(Event::Replied { id, reply: ModelReply::new(reply.to_string()), elapsed });
    match machine.poll() {
        MachinePoll::Finished(outcome) => outcome,
        other => panic!("not the end: {other:?}"),
    }
}

fn texts(issues: &Issues) -> Vec<String> {
    issues.iter().map(ToString::to_string).collect()
}

/// The schema of an output, at a JSON pointer.
fn schema<T: CotOutput>(pointer: &str) -> &'static Value {
    T::output_schema().json().pointer(pointer).unwrap_or(&Value::Null)
}
