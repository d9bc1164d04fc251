//! Processes of three tasks that each write a line.

use std::fmt::Debug;

use cot_core::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The lines that the tasks have written.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Page {
    pub lines: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, CotOutput)]
pub struct Line {
    pub text: String,
}

/// Describes the end of a run.
pub fn said(outcome: &impl Debug) -> String {
    format!("{outcome:?}")
}

cot_process! {
    /// Each task once, on the default model.
    pub process Straight {
        state: Page,
        history: { max_items: 20 },

        task first -> Line { update: { lines[] = output.text }, next: second }
        task second -> Line { update: { lines[] = output.text }, next: third }
        task third -> Line { update: { lines[] = output.text }, next: done }
        task done { end }
    }
}

cot_process! {
    /// The three tasks in an endless loop.
    pub process Endless {
        state: Page,
        history: { max_items: 20 },
        max_steps: 1000000,

        task first -> Line { update: { lines[] = output.text }, next: second }
        task second -> Line { update: { lines[] = output.text }, next: third }

        task third -> Line {
            update: { lines[] = output.text },
            next: { first if state.lines.len() < usize::MAX, done },
        }

        task done { end }
    }
}

cot_process! {
    /// The second task has a timeout of ten seconds.
    pub process Hurried {
        state: Page,
        history: { max_items: 20 },

        task first -> Line { update: { lines[] = output.text }, next: second }
        task second -> Line { timeout: 10s, update: { lines[] = output.text }, next: third }
        task third -> Line { update: { lines[] = output.text }, next: done }
        task done { end }
    }
}

cot_process! {
    /// Two tasks with an engine of their own, one with the default.
    pub process Crew {
        state: Page,
        history: { max_items: 20 },

        task first -> Line { model: "large", update: { lines[] = output.text }, next: second }
        task second -> Line { update: { lines[] = output.text }, next: third }
        task third -> Line { model: "large", update: { lines[] = output.text }, next: done }
        task done { end }
    }
}

cot_process! {
    /// An engine for all tasks, and another one for one task.
    pub process House {
        state: Page,
        history: { max_items: 20 },
        model: "small",

        task first -> Line { model: "large", update: { lines[] = output.text }, next: second }
        task second -> Line { update: { lines[] = output.text }, next: third }
        task third -> Line { update: { lines[] = output.text }, next: done }
        task done { end }
    }
}
