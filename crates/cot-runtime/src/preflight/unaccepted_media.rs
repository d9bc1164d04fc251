//! The error of images and documents that engines do not accept.

use std::{error::Error, fmt};

use cot_model::MediaKind;

use crate::preflight::joined::write_joined;

/// The images and documents of prompts that engines do not accept.
#[derive(Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct UnacceptedMediaError {
    /// One entry per task, engine and kind of medium.
    pub unaccepted: Vec<UnacceptedMedium>,
}

cot_schema::debug_as_sentence!(UnacceptedMediaError);

/// A kind of medium that a prompt can show and an engine does not accept.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct UnacceptedMedium {
    /// The process of the task.
    pub process: &'static str,
    /// The task whose prompt can show the medium.
    pub task: &'static str,
    /// The engine id; `None` for the default model.
    pub engine: Option<&'static str>,
    /// The kind of medium.
    pub medium: MediaKind,
}

impl Error for UnacceptedMediaError {}

impl fmt::Display for UnacceptedMediaError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_joined(f, self.unaccepted.iter().map(|medium| medium as &dyn fmt::Display))
    }
}

impl fmt::Display for UnacceptedMedium {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.engine {
            Some(id) => write!(f, "engine `{id}`")?,
            None => f.write_str("the default model")?,
        }
        let Self { process, task, medium, .. } = self;
        write!(
            f,
            " does not accept {medium}s, which the prompt of task `{task}` of `{process}` can show"
        )
    }
}
