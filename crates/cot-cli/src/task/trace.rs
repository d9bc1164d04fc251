//! Reading of traces, and messages about them.

use std::path::Path;

use annotate_snippets::Level;
use cot_task_format::{Code, Diagnostic, Recovery, Severity, Trace};

use crate::{
    input::{self, InputError},
    message::{self, Source},
};

/// A trace with its text.
#[derive(Debug)]
pub(super) struct ReadTrace {
    pub(super) text: String,
    pub(super) trace: Trace,
    /// The warnings about text between structures.
    pub(super) stray: Vec<Diagnostic>,
}

/// Reads a trace strictly. Prints syntax errors and returns `None` for them.
pub(super) fn read(path: &Path) -> Result<Option<ReadTrace>, InputError> {
    let text = input::text(path)?;
    let Recovery { trace, mut findings } = cot_task_format::recover(&text);
    if findings.iter().any(|finding| finding.severity() == Severity::Error) {
        show(path, &text, &findings);
        return Ok(None);
    }
    findings.retain(|finding| finding.code == Code::StrayText);
    Ok(Some(ReadTrace { text, trace, stray: findings }))
}

/// Prints the findings with their lines, and a summary.
pub(super) fn show(path: &Path, text: &str, findings: &[Diagnostic]) {
    let (name, origin) = (input::name_of(path), input::origin_of(path));
    let source = Source { origin: &origin, text };
    for finding in findings {
        let level = level(finding.severity());
        source.show(level, Some(finding.code.as_str()), &finding.message, finding.position);
    }
    let errors = findings.iter().filter(|finding| finding.severity() == Severity::Error).count();
    let warnings = findings.len() - errors;
    let (level, counted) = match (errors, warnings) {
        (0, 0) => return,
        (0, _) => (Level::WARNING, counted(warnings, "warning")),
        (_, 0) => (Level::ERROR, counted(errors, "error")),
        _ => {
            let (errors, warnings) = (counted(errors, "error"), counted(warnings, "warning"));
            (Level::ERROR, format!("{errors} and {warnings}"))
        }
    };
    message::print(level, format!("{name} has {counted}"));
}

fn level(severity: Severity) -> Level<'static> {
    match severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    }
}

fn counted(number: usize, word: &str) -> String {
    let ending = if number == 1 { "" } else { "s" };
    format!("{number} {word}{ending}")
}
