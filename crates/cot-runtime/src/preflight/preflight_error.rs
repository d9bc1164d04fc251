//! What keeps a process from running with some models.

use std::{error::Error, fmt};

use cot_engine::ReservedField;
use cot_schema::{Dialect, Inexpressible};

use crate::preflight::missing_models::MissingModels;

/// What keeps a process from running with some models: engines that are missing, replies whose schema
/// an engine can't take, and outputs that no reply can give. Made by [`Preflight::preflight`](crate::Preflight::preflight).
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct PreflightError {
    /// The engines that are missing, if any are.
    pub missing: Option<MissingModels>,
    /// What engines can't take.
    pub unfit: UnfitSchemas,
    /// The fields of outputs that no reply can have.
    pub reserved: Vec<ReservedField>,
}

/// The replies whose schema an engine can't take.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct UnfitSchemas {
    /// One for each task and engine.
    pub unfit: Vec<UnfitSchema>,
}

/// A reply whose schema an engine can't take.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct UnfitSchema {
    /// The process that the task is of.
    pub process: &'static str,
    /// The task whose reply it is.
    pub task: &'static str,
    /// The engine id; `None` is the default model.
    pub engine: Option<&'static str>,
    /// The dialect that the engine takes.
    pub dialect: Dialect,
    /// What it can't express.
    pub reasons: Vec<Inexpressible>,
}

impl Error for PreflightError {}
impl Error for UnfitSchemas {}

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

impl fmt::Display for UnfitSchemas {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, unfit) in self.unfit.iter().enumerate() {
            f.write_str(if index == 0 { "" } else { "; " })?;
            unfit.fmt(f)?;
        }
        Ok(())
    }
}

impl fmt::Display for UnfitSchema {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.engine {
            Some(id) => write!(f, "engine `{id}`")?,
            None => f.write_str("the default model")?,
        }
        write!(f, " can't take the reply of task `{}` of `{}`: ", self.task, self.process)?;
        for (index, reason) in self.reasons.iter().enumerate() {
            f.write_str(if index == 0 { "" } else { ", " })?;
            reason.fmt(f)?;
        }
        Ok(())
    }
}
