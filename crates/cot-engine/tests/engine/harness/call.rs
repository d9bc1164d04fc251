//! A directive with the name of its task.

use std::{
    ops::Deref,
    sync::Arc,
    task::{Context, Poll, Waker},
    time::Duration,
};

use cot_engine::{Action, Directive, FunctionCall, FunctionError, Question};
use cot_model::ModelRequest;
use serde_json::Value;

use super::process::Task;

/// A directive with the name of its task. It dereferences to the directive.
#[derive(Debug, Clone)]
pub(crate) struct Call {
    pub(crate) task: &'static str,
    pub(super) directive: Directive<Task>,
}

impl Call {
    pub(crate) fn request(&self) -> &Arc<ModelRequest> {
        &self.as_model_call().unwrap_or_else(|| panic!("expected a model call: {self:?}")).request
    }

    pub(crate) fn prompt(&self) -> &str {
        self.request().prompt()
    }

    pub(crate) fn engine(&self) -> Option<&'static str> {
        self.as_model_call().and_then(|call| call.engine)
    }

    pub(crate) fn function(&self) -> &FunctionCall {
        self.as_function_call().unwrap_or_else(|| panic!("expected a function call: {self:?}"))
    }

    pub(crate) fn question(&self) -> &Question {
        self.as_question().unwrap_or_else(|| panic!("expected a question: {self:?}"))
    }

    /// The number of the attempt, from 1.
    pub(crate) fn attempt(&self) -> u32 {
        self.key.attempt()
    }

    /// The duration and the jitter of a timer.
    pub(crate) fn pause(&self) -> (Duration, Duration) {
        match self.action {
            Action::Sleep { duration, jitter } => (duration, jitter),
            _ => panic!("expected a timer: {self:?}"),
        }
    }

    /// Runs a function that never waits.
    pub(crate) fn result(&self) -> Result<Value, FunctionError> {
        let mut running = self.function().run();
        match running.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(result) => result,
            Poll::Pending => panic!("the function waits"),
        }
    }
}

impl Deref for Call {
    type Target = Directive<Task>;

    fn deref(&self) -> &Self::Target {
        &self.directive
    }
}
