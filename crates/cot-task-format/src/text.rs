//! Reading, checking and formatting texts.

use crate::{
    block::Trace,
    diagnostic::{Code, Diagnostic, ParseErrors, Severity},
    parse::parser,
    position::Position,
    report::Report,
    validate::validate,
};

/// Parses a trace strictly. Text between structures is ignored.
///
/// ```
/// let trace = cot_core::task_format::parse("user「Hello」🏷 usr1").unwrap();
/// assert_eq!(trace.blocks[0].content.as_text(), Some("Hello"));
///
/// let errors = cot_core::task_format::parse("plan {\n  a -> 1 •\n  b ↦ \"x\n}").unwrap_err();
/// let found: Vec<String> = errors.as_slice().iter().map(|error| error.position.to_string()).collect();
/// assert_eq!(found, ["2:5", "3:7"]);
/// ```
///
/// # Errors
///
/// Returns all syntax errors of the text.
pub fn parse(text: &str) -> Result<Trace, ParseErrors> {
    let Recovery { trace, findings } = recover(text);
    let errors: Vec<Diagnostic> =
        findings.into_iter().filter(|finding| finding.severity() == Severity::Error).collect();
    if errors.is_empty() { Ok(trace) } else { Err(ParseErrors(errors)) }
}

/// The result of [`recover`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Recovery {
    /// The trace that was read.
    pub trace: Trace,
    /// The deviations from the grammar, ordered by position.
    pub findings: Vec<Diagnostic>,
}

/// Parses a trace leniently: accepts unclosed quotes and braces, missing separators, and replaced signs
/// such as `->` for `↦`.
///
/// ```
/// let recovered = cot_core::task_format::recover("plan { todo: { 1: \"Look.\", 2: \"Say.");
/// assert_eq!(recovered.trace.blocks[0].todos().count(), 2);
/// assert!(!recovered.findings.is_empty());
/// ```
#[must_use]
pub fn recover(text: &str) -> Recovery {
    let (blocks, findings) = parser::read(text, Position::START);
    Recovery { trace: Trace { blocks }, findings }
}

/// Parses a text leniently and reports all its errors and warnings, in syntax and in meaning.
///
/// ```
/// let report = cot_core::task_format::check("system「Help.」\nuser「Hello」🏷 usr1");
/// let codes: Vec<&str> = report.errors.iter().map(|error| error.code.as_str()).collect();
/// assert_eq!(codes, ["missing_plan", "missing_response"]);
/// ```
#[must_use]
pub fn check(text: &str) -> Report {
    let Recovery { trace, findings } = recover(text);
    validate::validate(&trace, Position::at_end(text), findings)
}

/// Validates a trace. Diagnostics have the positions where the parts were read; for a trace that was
/// not read from a text, all positions are the start.
#[must_use]
pub fn validate(trace: &Trace) -> Report {
    let end = trace.blocks.last().map_or(Position::START, |block| block.position);
    validate::validate(trace, end, Vec::new())
}

/// Formats a text in the standard layout. Text between structures is removed; [`recover`] reports it as
/// [`Code::StrayText`].
///
/// # Errors
///
/// Returns all syntax errors of the text.
pub fn format(text: &str) -> Result<String, ParseErrors> {
    Ok(parse(text)?.to_string())
}

/// Decodes the bytes of a text.
///
/// # Errors
///
/// Returns an error with the position of the first byte that is not UTF-8.
pub fn decode(bytes: &[u8]) -> Result<&str, ParseErrors> {
    std::str::from_utf8(bytes).map_err(|error| {
        let (before, _) = bytes.split_at(error.valid_up_to());
        let before = std::str::from_utf8(before).unwrap_or_default();
        let message = "the text is not UTF-8".to_owned();
        let position = Position::at_end(before);
        ParseErrors(vec![Diagnostic { code: Code::InvalidUtf8, message, position }])
    })
}
