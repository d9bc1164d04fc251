//! What stands for the functions of tasks, and makes their valid answers.

use cot_engine::{Directive, FunctionError, Process, ProcessTypes};
use cot_schema::OutputSchema;
use serde_json::Value;

/// What stands for functions, by their tasks.
pub(super) struct Functions<P: Process>(Vec<(P::Task, Stand<P>)>);

type Function<P> =
    Box<dyn Fn(&Directive<<P as ProcessTypes>::Task>) -> Result<Value, FunctionError>>;

/// What stands for a function.
pub(super) enum Stand<P: Process> {
    Function(Function<P>),
    /// A value made from a schema.
    Generated(&'static OutputSchema),
}

impl<P: Process> Functions<P> {
    pub(super) fn replace(
        &mut self,
        task: P::Task,
        stand: impl Fn(&Directive<P::Task>) -> Result<Value, FunctionError> + 'static,
    ) {
        self.set(task, Stand::Function(Box::new(stand)));
    }

    pub(super) fn generate(&mut self, task: P::Task, schema: &'static OutputSchema) {
        self.set(task, Stand::Generated(schema));
    }

    fn set(&mut self, task: P::Task, stand: Stand<P>) {
        self.0.retain(|(known, _)| *known != task);
        self.0.push((task, stand));
    }

    pub(super) fn of(&self, task: P::Task) -> Option<&Stand<P>> {
        self.0.iter().find(|(known, _)| *known == task).map(|(_, stand)| stand)
    }
}

impl<P: Process> Default for Functions<P> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

/// What makes the valid answers of tasks.
pub(super) struct ReplyMakers<P: Process>(Vec<(P::Task, ReplyMaker)>);

type ReplyMaker = Box<dyn Fn(Value) -> Value>;

impl<P: Process> Default for ReplyMakers<P> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<P: Process> ReplyMakers<P> {
    pub(super) fn set(&mut self, task: P::Task, make: impl Fn(Value) -> Value + 'static) {
        self.0.retain(|(known, _)| *known != task);
        self.0.push((task, Box::new(make)));
    }

    pub(super) fn of(&self, task: P::Task) -> Option<&ReplyMaker> {
        self.0.iter().find(|(known, _)| *known == task).map(|(_, make)| make)
    }
}
