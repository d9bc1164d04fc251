//! The type-erased outline of a process, for code that reads the tables of any process.

use std::{any::TypeId, sync::Arc};

use cot_schema::OutputSchema;

use super::{
    connection::ConnectionType,
    examples::task_examples::{InvalidExampleError, TaskExamples},
    schemas::cache::{ReplyFormat, SchemaCache},
    tables::{Definition, TaskIndex},
    tool::definition::ToolIndex,
};
use crate::snapshot::fingerprint::Fingerprint;

/// The tables of a process, without its types.
pub trait ProcessOutline: Send + Sync {
    /// Returns the type id of the process.
    fn id(&self) -> TypeId;
    /// Returns the plain tables.
    fn definition(&self) -> &'static Definition;
    /// Returns the name of the state's type.
    fn state_name(&self) -> String;
    /// Returns whether the process declares a goal.
    fn has_goal(&self) -> bool;
    /// Returns the names of the parts of `prompts`.
    fn part_names(&self) -> &'static [&'static str];
    /// Returns the outline of a task.
    fn task(&self, task: TaskIndex) -> Option<TaskOutline>;
    /// Returns the schema of the arguments of a tool; `None` for a source.
    fn tool_schema(&self, tool: ToolIndex) -> Option<&'static OutputSchema>;
    /// Returns the reply schemas.
    fn schemas(&self) -> &'static SchemaCache;
    /// Returns the examples of the tasks that have some.
    fn examples(&self) -> &'static [TaskExamples];
    /// Returns the fingerprint.
    fn fingerprint(&self) -> &'static Fingerprint;
}

/// The schemas of a task, and which typed functions it has.
pub struct TaskOutline {
    /// The transitions that the model can choose.
    pub transitions: Vec<EdgeOutline>,
    /// The arms of `next`.
    pub arms: Vec<EdgeOutline>,
    /// Whether a success has an output.
    pub has_output: bool,
    /// The schema of the output; for a for-each task, of one item.
    pub output: Option<&'static OutputSchema>,
    /// The schema of the inputs, if a model can provide them.
    pub inputs: Option<&'static OutputSchema>,
    /// The type of the connection that its function takes, with `effect: transaction`.
    pub connection: Option<ConnectionType>,
    /// The sub-process of the task.
    pub process: Option<&'static dyn ProcessOutline>,
}

/// Which functions a transition or a `next` arm has.
#[derive(Debug, Clone, Copy)]
pub struct EdgeOutline {
    pub has_label: bool,
    pub has_guard: bool,
    pub has_inputs: bool,
}

impl dyn ProcessOutline {
    /// Returns the process and all its sub-processes at any depth, each once, in depth-first order.
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

    /// Returns the errors of the examples of the process and its sub-processes.
    pub fn invalid_examples(&'static self) -> Vec<InvalidExampleError> {
        let examples = self.with_inner().into_iter().flat_map(Self::examples);
        examples.flat_map(|examples| &examples.invalid).cloned().collect()
    }

    /// Returns the format of the replies to a task for the case that all its transitions are visible.
    pub fn widest_reply(&self, task: TaskIndex) -> Option<Arc<ReplyFormat>> {
        let definition = self.definition();
        let ai = definition.tasks.get(task)?.kind.ai()?;
        let output = self.task(task)?.output;
        let inputs = |task| self.task(task)?.inputs;
        let visible: Vec<usize> = (0..ai.transitions.len()).collect();
        self.schemas().reply(definition, task, &visible, output, &inputs)
    }
}
