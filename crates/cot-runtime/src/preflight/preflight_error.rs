//! The error of a preflight check.

use std::{error::Error, fmt};

use cot_engine::ReservedFieldError;
use cot_schema::{Dialect, DialectError};

use crate::preflight::missing_models::MissingModelsError;

/// The error of [`Preflight::preflight`](crate::Preflight::preflight): missing engines, schemas that an
/// engine does not support, and output fields with reserved names.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct PreflightError {
    /// The missing engines, if any.
    pub missing: Option<MissingModelsError>,
    /// The schemas that engines do not support.
    pub unfit: UnsupportedSchemasError,
    /// The output fields with reserved names, which no reply can contain.
    pub reserved: Vec<ReservedFieldError>,
}

/// The schemas of replies that engines do not support.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct UnsupportedSchemasError {
    /// One entry per task and engine.
    pub unfit: Vec<UnsupportedSchema>,
}

/// The schema of a reply that an engine does not support.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct UnsupportedSchema {
    /// The process of the task.
    pub process: &'static str,
    /// The task that requests the reply.
    pub task: &'static str,
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
        if let Some(missing) = &self.missing {
            missing.fmt(f)?;
        }
        if self.missing.is_some() && !self.unfit.unfit.is_empty() {
            f.write_str("; ")?;
        }
        self.unfit.fmt(f)?;
        let is_first = self.missing.is_none() && self.unfit.unfit.is_empty();
        for (index, field) in self.reserved.iter().enumerate() {
            f.write_str(if is_first && index == 0 { "" } else { "; " })?;
            field.fmt(f)?;
        }
        Ok(())
    }
}

impl fmt::Display for UnsupportedSchemasError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, unfit) in self.unfit.iter().enumerate() {
            f.write_str(if index == 0 { "" } else { "; " })?;
            unfit.fmt(f)?;
        }
        Ok(())
    }
}

impl fmt::Display for UnsupportedSchema {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.engine {
            Some(id) => write!(f, "engine `{id}`")?,
            None => f.write_str("the default model")?,
        }
        write!(
            f,
            " does not support the schema of the reply of task `{}` of `{}`: ",
            self.task, self.process
        )?;
        for (index, reason) in self.reasons.iter().enumerate() {
            f.write_str(if index == 0 { "" } else { ", " })?;
            reason.fmt(f)?;
        }
        Ok(())
    }
}
