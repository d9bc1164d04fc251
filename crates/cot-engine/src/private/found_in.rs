//! The lookup of `found_in`.

use cot_reader::internal::PassageFinder;
use cot_schema::Issues;

use crate::process::{context::Cx, types::ProcessTypes};

/// Keeps the passages of an output.
///
/// # Errors
///
/// The values that do not stand in their sources.
pub fn record_passages<P: ProcessTypes>(
    cx: &Cx<'_, P>,
    finder: &mut PassageFinder<'_>,
) -> Result<(), Issues> {
    cx.environment().notes().passages = std::mem::take(finder).finish()?;
    Ok(())
}

/// Checks that the arguments of a tool stand in their sources.
///
/// # Errors
///
/// The values that do not.
pub fn check_passages(finder: &mut PassageFinder<'_>) -> Result<(), Issues> {
    std::mem::take(finder).finish().map(drop)
}

/// Returns the results that the model has received from a tool in this visit of the task.
#[must_use]
pub fn tool_results<P: ProcessTypes>(cx: &Cx<'_, P>, tool: &str) -> Vec<String> {
    let notes = cx.environment().notes();
    let own = notes.results.iter().filter(|(name, _)| *name == tool);
    own.map(|(_, result)| result.clone()).collect()
}
