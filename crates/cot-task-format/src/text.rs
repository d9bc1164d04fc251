//! Reading, checking and laying out texts of the format.

use crate::{
    block::Trace,
    diagnostic::{Code, Diagnostic, ParseErrors, Severity},
    parse::parser,
    position::Position,
    report::Report,
    validate::validate,
};

/// Reads a trace strictly. Text between structures is no part of it.
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
/// Everything in the text that departs from the grammar.
pub fn parse(text: &str) -> Result<Trace, ParseErrors> {
    let Recovered { trace, findings } = recover(text);
    let errors: Vec<Diagnostic> =
        findings.into_iter().filter(|finding| finding.severity() == Severity::Error).collect();
    if errors.is_empty() { Ok(trace) } else { Err(ParseErrors(errors)) }
}

/// What [`recover`] made of a text.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Recovered {
    /// The trace.
    pub trace: Trace,
    /// Where the text departs from the grammar, by place.
    pub findings: Vec<Diagnostic>,
}

/// Reads a trace as it was likely meant: unclosed quotes and braces, missing separators, and other
/// signs for those of the format, such as `->` for `↦`.
///
/// ```
/// let recovered = cot_core::task_format::recover("plan { todo: { 1: \"Look.\", 2: \"Say.");
/// assert_eq!(recovered.trace.blocks[0].todos().count(), 2);
/// assert!(!recovered.findings.is_empty());
/// ```
#[must_use]
pub fn recover(text: &str) -> Recovered {
    let (blocks, findings) = parser::read(text, Position::START);
    Recovered { trace: Trace { blocks }, findings }
}

/// Reads a text and says all that is wrong with it, in syntax and in meaning.
///
/// ```
/// let report = cot_core::task_format::check("system「Help.」\nuser「Hello」🏷 usr1");
/// let codes: Vec<&str> = report.errors.iter().map(|error| error.code.as_str()).collect();
/// assert_eq!(codes, ["missing_plan", "missing_response"]);
/// ```
#[must_use]
pub fn check(text: &str) -> Report {
    let Recovered { trace, findings } = recover(text);
    validate::validate(&trace, Position::at_end(text), findings)
}

/// Says what is wrong with a trace. Places are where its parts were read; the missing ones of a
/// trace that was not read are at its start.
#[must_use]
pub fn validate(trace: &Trace) -> Report {
    let end = trace.blocks.last().map_or(Position::START, |block| block.position);
    validate::validate(trace, end, Vec::new())
}

/// Writes a text anew in the usual layout. Text between structures is left out; [`recover`] finds it, as
/// [`Code::StrayText`].
///
/// # Errors
///
/// Everything in the text that departs from the grammar.
pub fn format(text: &str) -> Result<String, ParseErrors> {
    Ok(parse(text)?.to_string())
}

/// The text of bytes from outside.
///
/// # Errors
///
/// Where the bytes are not UTF-8.
pub fn decode(bytes: &[u8]) -> Result<&str, ParseErrors> {
    std::str::from_utf8(bytes).map_err(|error| {
        let (before, _) = bytes.split_at(error.valid_up_to());
        let before = std::str::from_utf8(before).unwrap_or_default();
        let message = "the text is not UTF-8".to_owned();
        let position = Position::at_end(before);
        ParseErrors(vec![Diagnostic { code: Code::InvalidUtf8, message, position }])
    })
}
