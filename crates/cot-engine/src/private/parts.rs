//! The implementation of `part(name)` in templates.

use std::fmt;

use crate::process::{code::Template, context::Cx, process::Process};
use cot_template::{PartError, PromptWriter};

/// Writes a standard part: `part(name)` in a template.
///
/// # Errors
///
/// If the part fails.
pub fn standard_part<P: Process>(
    scope: &Cx<'_, P>,
    out: &mut PromptWriter,
    name: &str,
) -> fmt::Result {
    let written = match scope.parts {
        Some(source) => source.write_part(name, out),
        None => Err(PartError::NoPrompt),
    };
    written.map_err(|error| out.fail(error.to_string()))
}

/// Writes a part of `prompts`: `part(name)` in a template.
///
/// # Errors
///
/// If the part fails.
pub fn own_part<P: Process>(
    scope: &Cx<'_, P>,
    out: &mut PromptWriter,
    name: &str,
    write: Template<P>,
) -> fmt::Result {
    if out.begins_part(name) { write(scope, out) } else { Ok(()) }
}
