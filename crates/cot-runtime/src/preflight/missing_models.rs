//! The error that a runner lacks models.

use std::{error::Error, fmt};

/// The error that a runner lacks models that a process needs; lists all of them.
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct MissingModelsError {
    /// The missing models.
    pub missing: Vec<MissingModel>,
    /// The engine ids that the runner has a model for.
    pub registered: Vec<String>,
}

cot_schema::debug_as_sentence!(MissingModelsError);

/// A model that a process needs and a runner lacks.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct MissingModel {
    /// The engine id; `None` for the runner's default model.
    pub engine: Option<&'static str>,
    /// The tasks that need the model; empty when only the process names it.
    pub tasks: Vec<&'static str>,
    /// A registered id with a similar spelling.
    pub suggestion: Option<String>,
}

impl MissingModel {
    pub(crate) const fn new(engine: Option<&'static str>) -> Self {
        Self { engine, tasks: Vec::new(), suggestion: None }
    }
}

impl Error for MissingModelsError {}

impl fmt::Display for MissingModelsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, model) in self.missing.iter().enumerate() {
            f.write_str(if index == 0 { "" } else { "; " })?;
            model.fmt(f)?;
        }
        if self.registered.is_empty() {
            return f.write_str("; no engine id is registered");
        }
        f.write_str("; registered: ")?;
        write_names(f, &self.registered)
    }
}

impl fmt::Display for MissingModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.engine {
            Some(id) => write!(f, "no model for engine `{id}`")?,
            None => f.write_str("no default model")?,
        }
        if !self.tasks.is_empty() {
            f.write_str(", needed by ")?;
            write_names(f, &self.tasks)?;
        }
        match &self.suggestion {
            Some(id) => write!(f, " (did you mean `{id}`?)"),
            None => Ok(()),
        }
    }
}

fn write_names<S: AsRef<str>>(f: &mut fmt::Formatter<'_>, names: &[S]) -> fmt::Result {
    for (index, name) in names.iter().enumerate() {
        let comma = if index == 0 { "" } else { ", " };
        write!(f, "{comma}`{}`", name.as_ref())?;
    }
    Ok(())
}
