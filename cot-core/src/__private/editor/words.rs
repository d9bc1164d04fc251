//! The words of `cot_process!`. A test of `cot-macros` writes this file from the tables of the parser.

#![allow(non_upper_case_globals, reason = "constants have the names of words")]

/// A word of the language.
#[derive(Debug, Clone, Copy)]
pub struct StandardPart;

impl StandardPart {
    /// The word `intro`.
    pub const intro: Self = Self;
    /// The word `goal`.
    pub const goal: Self = Self;
    /// The word `history`.
    pub const history: Self = Self;
    /// The word `errors`.
    pub const errors: Self = Self;
    /// The word `prompt`.
    pub const prompt: Self = Self;
    /// The word `transitions`.
    pub const transitions: Self = Self;
    /// The word `output`.
    pub const output: Self = Self;
}

/// A word of the language.
#[derive(Debug, Clone, Copy)]
pub struct Trust;

impl Trust {
    /// The word `strict`.
    pub const strict: Self = Self;
    /// The word `warn`.
    pub const warn: Self = Self;
}

/// A word of the language.
#[derive(Debug, Clone, Copy)]
pub struct ToolHistory;

impl ToolHistory {
    /// The word `names`.
    pub const names: Self = Self;
    /// The word `all`.
    pub const all: Self = Self;
}

/// A word of the language.
#[derive(Debug, Clone, Copy)]
pub struct UntrustedHistory;

impl UntrustedHistory {
    /// The word `omit`.
    pub const omit: Self = Self;
    /// The word `quoted`.
    pub const quoted: Self = Self;
}

/// A word of the language.
#[derive(Debug, Clone, Copy)]
pub struct NoHistory;

impl NoHistory {
    /// The word `none`.
    pub const none: Self = Self;
}

/// A word of the language.
#[derive(Debug, Clone, Copy)]
pub struct Effort;

impl Effort {
    /// The word `minimal`.
    pub const minimal: Self = Self;
    /// The word `low`.
    pub const low: Self = Self;
    /// The word `medium`.
    pub const medium: Self = Self;
    /// The word `high`.
    pub const high: Self = Self;
}

/// A word of the language.
#[derive(Debug, Clone, Copy)]
pub struct Collect;

impl Collect {
    /// The word `all`.
    pub const all: Self = Self;
    /// The word `ok`.
    pub const ok: Self = Self;
}

/// A word of the language.
#[derive(Debug, Clone, Copy)]
pub struct Join;

impl Join {
    /// The word `all`.
    pub const all: Self = Self;
    /// The word `any`.
    pub const any: Self = Self;
    /// The word `settled`.
    pub const settled: Self = Self;
}

/// A word of the language.
#[derive(Debug, Clone, Copy)]
pub struct Effect;

impl Effect {
    /// The word `once`.
    pub const once: Self = Self;
    /// The word `repeatable`.
    pub const repeatable: Self = Self;
    /// The word `transaction`.
    pub const transaction: Self = Self;
    /// The word `none`.
    pub const none: Self = Self;
}

/// A word of the language.
#[derive(Debug, Clone, Copy)]
pub struct Clears;

impl Clears {
    /// The word `untrusted`.
    pub const untrusted: Self = Self;
    /// The word `private`.
    pub const private: Self = Self;
}

/// A word of the language.
#[derive(Debug, Clone, Copy)]
pub struct Approver;

impl Approver {
    /// The word `person`.
    pub const person: Self = Self;
}

/// A word of the language.
#[derive(Debug, Clone, Copy)]
pub struct RoutedFailure;

impl RoutedFailure {
    /// The word `exhausted`.
    pub const exhausted: Self = Self;
    /// The word `truncated`.
    pub const truncated: Self = Self;
    /// The word `refused`.
    pub const refused: Self = Self;
    /// The word `timeout`.
    pub const timeout: Self = Self;
    /// The word `unreachable`.
    pub const unreachable: Self = Self;
    /// The word `budget`.
    pub const budget: Self = Self;
    /// The word `interrupted`.
    pub const interrupted: Self = Self;
}

/// A word of the language.
#[derive(Debug, Clone, Copy)]
pub struct Primer;

impl Primer {
    /// The word `goal`.
    pub const goal: Self = Self;
    /// The word `history`.
    pub const history: Self = Self;
    /// The word `errors`.
    pub const errors: Self = Self;
    /// The word `after_errors`.
    pub const after_errors: Self = Self;
    /// The word `transitions`.
    pub const transitions: Self = Self;
    /// The word `tasks`.
    pub const tasks: Self = Self;
    /// The word `transition`.
    pub const transition: Self = Self;
    /// The word `output`.
    pub const output: Self = Self;
    /// The word `choice`.
    pub const choice: Self = Self;
    /// The word `or_choice`.
    pub const or_choice: Self = Self;
    /// The word `go_to`.
    pub const go_to: Self = Self;
    /// The word `inputs`.
    pub const inputs: Self = Self;
    /// The word `no_inputs`.
    pub const no_inputs: Self = Self;
    /// The word `intent`.
    pub const intent: Self = Self;
    /// The word `step_after`.
    pub const step_after: Self = Self;
}
