//! What is wrong with a trace, and where.

use std::fmt;

use serde_json::{Value, json};

use super::position::Position;

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Severity {
    /// The trace is valid all the same.
    Warning,
    /// The trace is not valid.
    Error,
}

/// Something that is wrong with a trace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// What it is, as a word for programs.
    pub code: Code,
    /// What it is, for people.
    pub message: String,
    /// Where it is.
    pub position: Position,
}

impl Diagnostic {
    /// How bad it is; the code says it.
    #[must_use]
    pub const fn severity(&self) -> Severity {
        self.code.severity()
    }

    /// `{"code", "message", "line", "column"}`.
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
        /// What a [`Diagnostic`] is about. The words ([`as_str`](Self::as_str)) are stable.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum Code { $($(#[$doc])* $variant,)+ }

        impl Code {
            /// All codes.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// The word for it.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $word,)+ }
            }

            /// How bad it is.
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
    /// A `}`, `]` or `」` closes nothing.
    UnmatchedClose = Error "unmatched_close",
    /// A quote within a quoted text has no backslash.
    UnescapedQuote = Error "unescaped_quote",
    /// A text with spaces has no quotes.
    UnquotedText = Error "unquoted_text",
    /// There is no `•` between two entries or items.
    MissingSeparator = Error "missing_separator",
    /// There is no `↦` after a key.
    MissingArrow = Error "missing_arrow",
    /// There is no value.
    MissingValue = Error "missing_value",
    /// An operator has nothing after it, or not what it takes.
    BadOperand = Error "bad_operand",
    /// Another sign stands for one of the format, such as `->` for `↦`.
    StandIn = Error "stand_in",
    /// Something stands where it can't.
    Unexpected = Error "unexpected",
    /// Objects and arrays lie too deep in one another.
    TooDeep = Error "too_deep",
    /// A message has an object, or a structure that needs an object has a text.
    WrongContent = Error "wrong_content",
    /// An escape in a quoted text means nothing; it stays as it is.
    BadEscape = Warning "bad_escape",
    /// Something like a structure whose keyword is none of the format's.
    UnknownStructure = Error "unknown_structure",
    /// Text between structures; it is left out.
    StrayText = Warning "stray_text",
    /// There are more errors than are reported.
    TooMany = Error "too_many",
    /// There are more warnings than are reported.
    TooManyWarnings = Warning "too_many_warnings",

    /// The trace has no system message.
    MissingSystem = Error "missing_system",
    /// The trace has no user message.
    MissingUser = Error "missing_user",
    /// A turn has no plan.
    MissingPlan = Error "missing_plan",
    /// A turn has no response.
    MissingResponse = Error "missing_response",
    /// A structure stands where the sequence has another.
    WrongOrder = Error "wrong_order",
    /// Two plans in a row.
    ConsecutivePlans = Warning "consecutive_plans",
    /// The nth user message is not tagged `usrN`.
    UserId = Error "user_id",
    /// A tag is defined twice.
    DuplicateTag = Warning "duplicate_tag",
    /// A reference to a tag that is not defined before it.
    UndefinedReference = Warning "undefined_reference",
    /// A todo item whose key is not a whole number.
    BadTodoId = Warning "bad_todo_id",
    /// A todo item that is given twice.
    DuplicateTodo = Warning "duplicate_todo",
    /// A todo item that nothing satisfies.
    UnsatisfiedTodo = Warning "unsatisfied_todo",
    /// A todo item is satisfied that is not defined before.
    UndefinedTodo = Warning "undefined_todo",
    /// A confidence that is not between 0 and 1.
    ConfidenceOutOfRange = Error "confidence_out_of_range",
    /// A key is given twice where it can't be.
    DuplicateKey = Warning "duplicate_key",

    /// A tool without a name, or whose name has spaces.
    BadToolName = Error "bad_tool_name",
    /// A tool is defined twice.
    DuplicateTool = Warning "duplicate_tool",
    /// A tool's parameters are not what parameters are.
    BadParameter = Error "bad_parameter",
    /// A call that is not an object, or names no tool.
    BadCall = Error "bad_call",
    /// A call of a tool that is not defined.
    UndefinedTool = Error "undefined_tool",
    /// A call lacks an argument that the tool needs.
    MissingArgument = Error "missing_argument",
    /// A call has an argument that the tool does not know.
    UnknownArgument = Error "unknown_argument",
    /// An argument is not of the parameter's type, or none of its values.
    WrongArgument = Error "wrong_argument",
    /// A call without an id.
    MissingCallId = Warning "missing_call_id",
    /// A call has the id of one that still waits for its result.
    DuplicateCallId = Error "duplicate_call_id",
    /// A result whose tag is the id of no call before it.
    UnmatchedResult = Error "unmatched_result",
    /// A result without a tag.
    UntaggedResult = Warning "untagged_result",
    /// A call without a result.
    MissingResult = Warning "missing_result",

    /// A reply in a session is longer, or calls more tools at once, than the session takes.
    OverLimit = Error "over_limit",
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// All that is wrong with the syntax of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseErrors(pub(super) Vec<Diagnostic>);

impl ParseErrors {
    /// The errors by their place; at least one.
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

/// Diagnostics as they are found, so many of each severity and no more.
#[derive(Debug, Default)]
pub(super) struct Findings {
    list: Vec<Diagnostic>,
    errors: usize,
    warnings: usize,
}

/// A hostile text can hold as many mistakes as bytes.
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

    /// Whether one more of this kind is kept.
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

/// The start of a text from outside, for a message.
pub(super) fn shown(text: &str) -> String {
    const MAX_CHARS: usize = 40;
    match text.char_indices().nth(MAX_CHARS) {
        Some((end, _)) => format!("`{}…`", &text[..end]),
        None => format!("`{text}`"),
    }
}
