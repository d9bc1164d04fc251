//! What happened, before it gets its types.

use std::{sync::Arc, time::Duration};

use cot_reader::internal::Repairs;

use super::{NestedEvent, Question, Route};
use cot_model::{ModelRequest, Usage};

use crate::{Attempt, blueprint::TaskIndex, outcome::Ending};

/// What happened, before it gets its types.
pub(crate) enum Notice<'a> {
    Started {
        task: TaskIndex,
        step: u64,
    },
    Prompt {
        task: TaskIndex,
        item: Option<usize>,
        attempt: u32,
        request: &'a Arc<ModelRequest>,
    },
    /// A reply had to be mended before it could be read.
    Repaired {
        task: TaskIndex,
        item: Option<usize>,
        attempt: u32,
        repairs: Repairs,
    },
    Failed {
        task: TaskIndex,
        attempt: &'a Attempt,
        will_retry: bool,
    },
    ItemDone {
        task: TaskIndex,
        item: usize,
        usage: Usage,
        elapsed: Duration,
    },
    Asked {
        task: TaskIndex,
        question: &'a Arc<Question>,
    },
    Waiting {
        task: TaskIndex,
        duration: Duration,
    },
    /// The pending output was written into the state.
    Committed {
        task: TaskIndex,
        /// Whether the output is needed any more.
        keeps: bool,
        usage: Usage,
        elapsed: Duration,
    },
    Transitioned {
        task: TaskIndex,
        go_to: TaskIndex,
        intent: String,
        step_after: String,
        usage: Usage,
        elapsed: Duration,
    },
    Left {
        task: TaskIndex,
        next: Option<TaskIndex>,
        route: Route,
    },
    Nested {
        task: TaskIndex,
        event: NestedEvent,
    },
    Finished {
        ending: &'a Ending<TaskIndex>,
        usage: Usage,
        elapsed: Duration,
    },
}
