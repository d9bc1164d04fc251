//! Replacements for the functions and valid answers of tasks.

use cot_engine::{Directive, FunctionError, Process, ProcessTypes};
use serde_json::Value;

/// The replaced functions, by task.
pub(super) struct Functions<P: Process>(Vec<(P::Task, Replacement<P>)>);

type Function<P> =
    Box<dyn Fn(&Directive<<P as ProcessTypes>::Task>) -> Result<Value, FunctionError>>;

/// What gives the results of a function, in place of their generation.
pub(super) enum Replacement<P: Process> {
    Function(Function<P>),
    /// The function of the task itself.
    Called,
}

impl<P: Process> Functions<P> {
    pub(super) fn replace(
        &mut self,
        task: P::Task,
        replacement: impl Fn(&Directive<P::Task>) -> Result<Value, FunctionError> + 'static,
    ) {
        self.set(task, Replacement::Function(Box::new(replacement)));
    }

    pub(super) fn call(&mut self, task: P::Task) {
        self.set(task, Replacement::Called);
    }

    fn set(&mut self, task: P::Task, replacement: Replacement<P>) {
        self.0.retain(|(known, _)| *known != task);
        self.0.push((task, replacement));
    }

    pub(super) fn get(&self, task: P::Task) -> Option<&Replacement<P>> {
        self.0.iter().find(|(known, _)| *known == task).map(|(_, replacement)| replacement)
    }
}

impl<P: Process> Default for Functions<P> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

/// The functions that modify valid answers, by task.
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

    pub(super) fn get(&self, task: P::Task) -> Option<&ReplyMaker> {
        self.0.iter().find(|(known, _)| *known == task).map(|(_, make)| make)
    }
}
