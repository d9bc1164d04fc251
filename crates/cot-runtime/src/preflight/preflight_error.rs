//! The error of a preflight check.

use std::{error::Error, fmt};

use cot_engine::{InvalidExampleError, ReservedFieldError};
use cot_schema::{Dialect, DialectError};

use crate::preflight::{
    joined::write_joined, missing_models::MissingModelsError,
    transactions_error::TransactionsError, unaccepted_media::UnacceptedMediaError,
};

/// The error of [`Preflight::preflight`](crate::Preflight::preflight): missing engines, schemas and media that
/// an engine does not support, output fields with reserved names, and invalid examples.
#[derive(Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct PreflightError {
    /// The missing engines, if any.
    pub missing: Option<Box<MissingModelsError>>,
    /// The schemas that engines do not support.
    pub unfit: UnsupportedSchemasError,
    /// The images and documents that engines do not accept.
    pub media: UnacceptedMediaError,
    /// The output fields with reserved names, which no reply can contain.
    pub reserved: Vec<ReservedFieldError>,
    /// The examples whose outputs are not valid.
    pub examples: Vec<InvalidExampleError>,
    /// The tasks with `effect: transaction`, if the driver has no store for them.
    pub transactions: Option<Box<TransactionsError>>,
}

cot_schema::debug_as_sentence!(PreflightError, UnsupportedSchemasError);

/// The schemas of replies that engines do not support.
#[derive(Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct UnsupportedSchemasError {
    /// One entry per task and engine.
    pub unfit: Vec<UnsupportedSchema>,
}

/// The schema of a reply, or of the arguments of a tool, that an engine does not support.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct UnsupportedSchema {
    /// The process of the task.
    pub process: &'static str,
    /// The task that requests the reply.
    pub task: &'static str,
    /// The tool whose arguments have the schema; `None` for the schema of the reply.
    pub tool: Option<&'static str>,
    /// The engine id; `None` for the default model.
    pub engine: Option<&'static str>,
    /// The schema dialect of the engine.
    pub dialect: Dialect,
    /// The parts of the schema that the dialect can't express.
    pub reasons: Vec<DialectError>,
}

impl Error for PreflightError {}
impl Error for UnsupportedSchemasError {}

impl fmt::Display for PreflightError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { missing, unfit, media, reserved, examples, transactions } = self;
        let missing = missing.iter().map(|missing| missing as &dyn fmt::Display);
        let unfit = unfit.unfit.iter().map(|unfit| unfit as &dyn fmt::Display);
        let media = media.unaccepted.iter().map(|medium| medium as &dyn fmt::Display);
        let reserved = reserved.iter().map(|field| field as &dyn fmt::Display);
        let examples = examples.iter().map(|example| example as &dyn fmt::Display);
        let transactions = transactions.iter().map(|error| error as &dyn fmt::Display);
        let known = missing.chain(unfit).chain(media).chain(reserved);
        write_joined(f, known.chain(examples).chain(transactions))
    }
}

impl From<TransactionsError> for PreflightError {
    fn from(error: TransactionsError) -> Self {
        Self { transactions: Some(Box::new(error)), ..Self::default() }
    }
}

impl fmt::Display for UnsupportedSchemasError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_joined(f, self.unfit.iter().map(|unfit| unfit as &dyn fmt::Display))
    }
}

impl fmt::Display for UnsupportedSchema {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.engine {
            Some(id) => write!(f, "engine `{id}`")?,
            None => f.write_str("the default model")?,
        }
        f.write_str(" does not support the schema of ")?;
        match self.tool {
            Some(tool) => write!(f, "the arguments of the tool `{tool}`")?,
            None => f.write_str("the reply")?,
        }
        write!(f, " of task `{}` of `{}`: ", self.task, self.process)?;
        for (index, reason) in self.reasons.iter().enumerate() {
            f.write_str(if index == 0 { "" } else { ", " })?;
            reason.fmt(f)?;
        }
        Ok(())
    }
}
