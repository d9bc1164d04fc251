//! What the samples are made of: a process, and the end of its run as JSON.

use std::fmt::{Debug, Display};

use cot_core::{Halt, History, Process, RunReport, Usage};
use serde::Serialize;
use serde_json::{Value, json};

/// A process of which there are samples.
pub(super) trait Tale: Process<Context = ()> {
    /// How a run ended, from its typed outcome.
    fn ended(outcome: &Self::Outcome) -> Value;
}

/// An outcome as JSON. Where a run halted, everything that is known of it.
pub(super) fn ending<T: Display>(halt: Option<&Halt<T>>, outcome: &impl Debug) -> Value {
    match halt {
        Some(Halt { task, reason, attempts, .. }) => {
            json!({ "task": task.to_string(), "reason": reason, "attempts": attempts })
        }
        None => json!(format!("{outcome:?}")),
    }
}

/// The end of a run, but for how long its calls took.
pub(super) fn end_of<P: Tale>(run: &RunReport<P>) -> Value {
    end::<P>(&run.outcome, &run.state, &run.history, run.usage)
}

pub(super) fn end<P: Tale>(
    outcome: &P::Outcome,
    state: &P::State,
    history: &History,
    usage: Usage,
) -> Value {
    let outcome = P::ended(outcome);
    timeless(&json!({ "outcome": outcome, "state": state, "history": history, "usage": usage }))
}

/// JSON without the durations of calls.
pub(super) fn timeless(value: &impl Serialize) -> Value {
    let mut value = serde_json::to_value(value).unwrap();
    forget_times(&mut value);
    value
}

fn forget_times(value: &mut Value) {
    match value {
        Value::Object(members) => {
            members.retain(|name, _| name != "elapsed");
            members.values_mut().for_each(forget_times);
        }
        Value::Array(items) => items.iter_mut().for_each(forget_times),
        _ => {}
    }
}
