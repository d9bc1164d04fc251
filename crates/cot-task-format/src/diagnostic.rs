//! Diagnostics: errors and warnings of a trace with their positions.

use std::fmt;

use serde_json::{Value, json};

use super::position::Position;

/// The severity of a diagnostic.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Severity {
    /// The trace is still valid.
    Warning,
    /// The trace is invalid.
    Error,
}

/// An error or warning about a trace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// The machine-readable kind.
    pub code: Code,
    /// The human-readable description.
    pub message: String,
    /// The position in the text.
    pub position: Position,
}

impl Diagnostic {
    /// Returns the severity, which the code determines.
    #[must_use]
    pub const fn severity(&self) -> Severity {
        self.code.severity()
    }

    /// Converts the diagnostic to JSON: `{"code", "message", "line", "column"}`.
    #[must_use]
    pub fn to_json(&self) -> Value {
        json!({
            "code": self.code.as_str(),
            "message": self.message,
            "line": self.position.line,
            "column": self.position.column,
        })
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let severity = match self.severity() {
            Severity::Warning => "warning",
            Severity::Error => "error",
        };
        write!(f, "{}: {severity}[{}]: {}", self.position, self.code, self.message)
    }
}

macro_rules! codes {
    ($($(#[$doc:meta])* $variant:ident = $severity:ident $word:literal,)+) => {
        /// The kind of a [`Diagnostic`]. The words ([`as_str`](Self::as_str)) are stable.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum Code { $($(#[$doc])* $variant,)+ }

        impl Code {
            /// All codes.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// Returns the stable word of this code, such as `missing_plan`.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $word,)+ }
            }

            /// Returns the severity of diagnostics with this code.
            #[must_use]
            pub const fn severity(self) -> Severity {
                match self { $(Self::$variant => Severity::$severity,)+ }
            }
        }
    };
}

codes! {
    /// The text is not UTF-8.
    InvalidUtf8 = Error "invalid_utf8",
    /// A text has no closing quote.
    UnclosedString = Error "unclosed_string",
    /// An object has no `}`.
    UnclosedObject = Error "unclosed_object",
    /// An array has no `]`.
    UnclosedArray = Error "unclosed_array",
    /// A `}`, `]` or `」` has no matching opening sign.
    UnmatchedClose = Error "unmatched_close",
    /// A quote within a quoted text is not escaped with a backslash.
    UnescapedQuote = Error "unescaped_quote",
    /// A text with spaces is not quoted.
    UnquotedText = Error "unquoted_text",
    /// The `•` between two entries or items is missing.
    MissingSeparator = Error "missing_separator",
    /// The `↦` after a key is missing.
    MissingArrow = Error "missing_arrow",
    /// A value is missing.
    MissingValue = Error "missing_value",
    /// The operand of an operator is missing or invalid.
    BadOperand = Error "bad_operand",
    /// A sign of the format is replaced by another one, such as `↦` by `->`.
    StandIn = Error "stand_in",
    /// A sign or value is at a place where the grammar does not allow it.
    Unexpected = Error "unexpected",
    /// Objects and arrays are nested deeper than [`MAX_DEPTH`](crate::MAX_DEPTH).
    TooDeep = Error "too_deep",
    /// A message structure has an object as its content, or another structure a text.
    WrongContent = Error "wrong_content",
    /// A quoted text has an unknown escape, which is kept unchanged.
    BadEscape = Warning "bad_escape",
    /// A structure has an unknown keyword.
    UnknownStructure = Error "unknown_structure",
    /// Text between structures, which is ignored.
    StrayText = Warning "stray_text",
    /// The text has more errors than the limit; the rest is omitted.
    TooMany = Error "too_many",
    /// The text has more warnings than the limit; the rest is omitted.
    TooManyWarnings = Warning "too_many_warnings",

    /// The trace has no system message.
    MissingSystem = Error "missing_system",
    /// The trace has no user message.
    MissingUser = Error "missing_user",
    /// A turn has no plan.
    MissingPlan = Error "missing_plan",
    /// A turn has no response.
    MissingResponse = Error "missing_response",
    /// A structure is not at its place in the sequence.
    WrongOrder = Error "wrong_order",
    /// Two plans follow each other directly.
    ConsecutivePlans = Warning "consecutive_plans",
    /// The nth user message is not tagged `usrN`.
    UserId = Error "user_id",
    /// A tag is defined twice.
    DuplicateTag = Warning "duplicate_tag",
    /// A reference to a tag that is not defined before it.
    UndefinedReference = Warning "undefined_reference",
    /// A todo item whose key is not a whole number.
    BadTodoId = Warning "bad_todo_id",
    /// A todo item that occurs twice in one list.
    DuplicateTodo = Warning "duplicate_todo",
    /// A todo item that no expression satisfies.
    UnsatisfiedTodo = Warning "unsatisfied_todo",
    /// An expression satisfies a todo item that is not defined before it.
    UndefinedTodo = Warning "undefined_todo",
    /// A confidence that is not between 0 and 1.
    ConfidenceOutOfRange = Error "confidence_out_of_range",
    /// A key occurs twice in an object that allows it once.
    DuplicateKey = Warning "duplicate_key",

    /// A tool has no name, or its name has spaces.
    BadToolName = Error "bad_tool_name",
    /// A tool is defined twice.
    DuplicateTool = Warning "duplicate_tool",
    /// The parameters of a tool are malformed.
    BadParameter = Error "bad_parameter",
    /// A call is not an object or has no tool name.
    BadCall = Error "bad_call",
    /// A call of a tool that is not defined.
    UndefinedTool = Error "undefined_tool",
    /// A call lacks a required argument.
    MissingArgument = Error "missing_argument",
    /// A call has an argument that the tool does not define.
    UnknownArgument = Error "unknown_argument",
    /// An argument does not match the parameter's schema.
    WrongArgument = Error "wrong_argument",
    /// A call without an id.
    MissingCallId = Warning "missing_call_id",
    /// A call has the same id as an earlier call without a result.
    DuplicateCallId = Error "duplicate_call_id",
    /// A result whose tags match no earlier call.
    UnmatchedResult = Error "unmatched_result",
    /// A result without a tag.
    UntaggedResult = Warning "untagged_result",
    /// A call without a result.
    MissingResult = Warning "missing_result",

    /// A reply in a session exceeds the session's limit on length or on calls per reply.
    OverLimit = Error "over_limit",
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The syntax errors of a text.
#[derive(Clone, PartialEq, Eq)]
pub struct ParseErrors(pub(super) Vec<Diagnostic>);

cot_schema::debug_as_sentence!(ParseErrors);

impl ParseErrors {
    /// Returns the errors, ordered by position. Never empty.
    #[must_use]
    pub fn as_slice(&self) -> &[Diagnostic] {
        &self.0
    }
}

impl fmt::Display for ParseErrors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, error) in self.0.iter().enumerate() {
            let line = if i == 0 { "" } else { "\n" };
            write!(f, "{line}{error}")?;
        }
        Ok(())
    }
}

impl std::error::Error for ParseErrors {}

/// Collects diagnostics, up to a limit for each severity.
#[derive(Debug, Default)]
pub(super) struct Findings {
    list: Vec<Diagnostic>,
    errors: usize,
    warnings: usize,
}

/// The limit on diagnostics of each severity: a hostile text can have an error per byte.
const MAX_FINDINGS: usize = 1_000;

impl Findings {
    pub(super) fn add(&mut self, code: Code, position: Position, message: impl Into<String>) {
        let has_room = self.has_room(code);
        let (count, more) = match code.severity() {
            Severity::Error => (&mut self.errors, Code::TooMany),
            Severity::Warning => (&mut self.warnings, Code::TooManyWarnings),
        };
        *count += 1;
        if has_room {
            self.list.push(Diagnostic { code, message: message.into(), position });
        } else if *count == MAX_FINDINGS + 1 {
            let message = "there is more; it is left out".to_owned();
            self.list.push(Diagnostic { code: more, message, position });
        }
    }

    /// Returns whether the limit for the severity of this code is not reached.
    pub(super) fn has_room(&self, code: Code) -> bool {
        let count = match code.severity() {
            Severity::Error => self.errors,
            Severity::Warning => self.warnings,
        };
        count < MAX_FINDINGS
    }

    pub(super) fn into_sorted(mut self) -> Vec<Diagnostic> {
        self.list.sort_by_key(|diagnostic| diagnostic.position);
        self.list
    }
}

/// Formats the first 40 characters of an external text in backticks, for messages.
pub(super) fn quote_excerpt(text: &str) -> String {
    const MAX_CHARS: usize = 40;
    match text.char_indices().nth(MAX_CHARS) {
        Some((end, _)) => format!("`{}…`", &text[..end]),
        None => format!("`{text}`"),
    }
}
