//! The kinds of tasks.

/// The kind of a task, which its items decide.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TaskKind {
    /// Asks a model.
    Ai,
    /// Asks a model for every item of a list.
    Each,
    /// Runs a function.
    Code,
    /// Asks a person.
    Human,
    /// Runs another process.
    Process,
    /// Only routes.
    Gateway,
    /// Ends the process successfully.
    End,
    /// Ends the process with a failure.
    Fail,
    /// The items decide no kind.
    Unknown,
}

impl TaskKind {
    /// What decides each kind, for messages.
    pub const DECIDED_BY: &str = "an AI task has an output (`-> Output`), `reason` or `transitions`, \
        a code task has `run`, a human task has `ask`, a sub-process has `process`, \
        a gateway has `next`, a terminal has `end` or `fail`";

    /// Names the kind in messages.
    pub const fn describe(self) -> &'static str {
        match self {
            Self::Ai => "an AI task",
            Self::Each => "a for-each task",
            Self::Code => "a code task",
            Self::Human => "a human task",
            Self::Process => "a sub-process",
            Self::Gateway => "a gateway",
            Self::End | Self::Fail => "a terminal",
            Self::Unknown => "a task of no kind",
        }
    }

    /// Names the kind where it has to differ from every other.
    pub const fn describe_exactly(self) -> &'static str {
        match self {
            Self::End => "a terminal that ends well",
            Self::Fail => "a terminal that fails",
            other => other.describe(),
        }
    }

    /// Returns whether the task asks a model.
    pub const fn asks_model(self) -> bool {
        matches!(self, Self::Ai | Self::Each)
    }

    /// Returns whether the task asks a model or a person.
    pub const fn asks(self) -> bool {
        self.asks_model() || matches!(self, Self::Human)
    }

    /// Returns whether the task calls something whose success it waits for.
    pub const fn works(self) -> bool {
        self.asks() || matches!(self, Self::Code | Self::Process)
    }

    /// Returns whether the task ends the process.
    pub const fn is_terminal(self) -> bool {
        matches!(self, Self::End | Self::Fail)
    }

    /// Returns the brackets of the task's shape in a Mermaid flow chart.
    pub const fn mermaid_brackets(self) -> (&'static str, &'static str) {
        match self {
            Self::Ai | Self::Unknown => ("[", "]"),
            Self::Each => ("[/", "/]"),
            Self::Code => ("(", ")"),
            Self::Human => ("[/", "\\]"),
            Self::Process => ("[[", "]]"),
            Self::Gateway => ("{{", "}}"),
            Self::End | Self::Fail => ("([", "])"),
        }
    }
}
