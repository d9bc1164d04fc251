//! Processes of three tasks that each write a line.

use std::fmt::Debug;

use cot_core::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What the tasks have written.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Page {
    pub lines: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, CotOutput)]
pub struct Line {
    pub text: String,
}

/// How a run ended, in words.
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
    /// The three tasks for ever.
    pub process Endless {
        state: Page,
        history: { max_items: 20 },

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
    /// A second task that may take ten seconds.
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
    /// Two tasks on an engine of their own, one on the default.
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
    /// An engine for all tasks, and another for one.
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
