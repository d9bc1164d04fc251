//! A process without its types, for what reads the tables of any process.

use std::{any::TypeId, sync::Arc};

use cot_model::ReplySchema;
use cot_schema::OutputSchema;

use super::{
    schemas::cache::SchemaCache,
    tables::{Definition, TaskIndex},
};
use crate::snapshot::fingerprint::Fingerprint;

/// The tables of a process without its types.
pub trait ProcessOutline: Send + Sync {
    /// Returns the id of the process's type.
    fn id(&self) -> TypeId;
    /// Returns the plain tables.
    fn definition(&self) -> &'static Definition;
    /// Returns the name of the state's type.
    fn state_name(&self) -> String;
    /// Returns whether the process declares a goal.
    fn has_goal(&self) -> bool;
    /// Returns the names of `prompts`.
    fn part_names(&self) -> Vec<&'static str>;
    /// Returns the outline of a task.
    fn task(&self, task: TaskIndex) -> Option<TaskOutline>;
    /// Returns the reply schemas.
    fn schemas(&self) -> &'static SchemaCache;
    /// Returns the fingerprint.
    fn fingerprint(&self) -> &'static Fingerprint;
}

/// What the typed functions of a task say about it.
pub struct TaskOutline {
    pub(crate) transitions: Vec<EdgeOutline>,
    pub(crate) arms: Vec<EdgeOutline>,
    pub(crate) has_output: bool,
    pub output: Option<&'static OutputSchema>,
    pub(crate) inputs: Option<&'static OutputSchema>,
    /// The process that the task runs.
    pub(crate) process: Option<&'static dyn ProcessOutline>,
}

/// What the typed functions of a transition or of a `next` arm say about it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct EdgeOutline {
    pub(crate) has_label: bool,
    pub(crate) has_guard: bool,
    pub(crate) has_inputs: bool,
}

impl dyn ProcessOutline {
    /// Returns the process and those within it, each once, in the order in which they are found.
    pub fn with_inner(&'static self) -> Vec<&'static Self> {
        let mut found = Vec::new();
        self.find_inner(&mut found);
        found
    }

    fn find_inner(&'static self, found: &mut Vec<&'static Self>) {
        if found.iter().any(|process| process.id() == self.id()) {
            return;
        }
        found.push(self);
        for task in 0..self.definition().tasks.len() {
            if let Some(inner) = self.task(task).and_then(|task| task.process) {
                inner.find_inner(found);
            }
        }
    }

    /// Returns the schema of a task's reply where all its transitions are visible.
    pub fn widest_reply_schema(&self, task: TaskIndex) -> Option<Arc<ReplySchema>> {
        let definition = self.definition();
        let ai = definition.tasks.get(task)?.kind.ai()?;
        let output = self.task(task)?.output;
        let inputs = |task| self.task(task)?.inputs;
        let visible: Vec<usize> = (0..ai.transitions.len()).collect();
        self.schemas().reply(definition, ai, task, &visible, output, &inputs)
    }
}
