//! The kinds of tasks.

/// The kind of a task, determined by its items.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TaskKind {
    /// Asks a model.
    Ai,
    /// Asks a model once for each item of a list.
    Each,
    /// Runs an async function once for each item of a list.
    EachCode,
    /// Runs another process once for each item of a list.
    EachProcess,
    /// Runs an async function.
    Code,
    /// Performs tool calls that the state holds.
    Calls,
    /// Asks a person.
    Human,
    /// Runs another process.
    Process,
    /// Runs branches at the same time.
    Parallel,
    /// Chooses the next task and does nothing else.
    Gateway,
    /// Ends the process successfully.
    End,
    /// Ends the process with a failure.
    Fail,
    /// The items do not determine a kind.
    Unknown,
}

impl TaskKind {
    /// The items that determine each kind, as the help text of an error.
    pub const DECIDED_BY: &str = "an AI task has an output (`-> Output`), `reason` or `transitions`, \
        a code task has `run`, a task of tool calls has `calls`, a task for a person has `ask`, \
        a sub-process has `process`, a gateway has `next`, a terminal has `end` or `fail`";

    /// Returns the name of the kind, with its article, for messages.
    pub const fn describe(self) -> &'static str {
        match self {
            Self::Ai => "an AI task",
            Self::Each => "a for-each task",
            Self::EachCode => "a for-each task that runs a function",
            Self::EachProcess => "a for-each task that runs a sub-process",
            Self::Code => "a code task",
            Self::Calls => "a task of tool calls",
            Self::Human => "a task for a person",
            Self::Process => "a sub-process",
            Self::Parallel => "a parallel task",
            Self::Gateway => "a gateway",
            Self::End | Self::Fail => "a terminal",
            Self::Unknown => "a task of unknown kind",
        }
    }

    /// Returns a name that differs between all kinds: it tells the two kinds of terminals apart, and for-each
    /// tasks that ask a model from the others.
    pub const fn describe_exactly(self) -> &'static str {
        match self {
            Self::End => "a terminal that succeeds",
            Self::Fail => "a terminal that fails",
            Self::Each => "a for-each task that asks a model",
            other => other.describe(),
        }
    }

    /// Returns whether the task does its work for each item of a list.
    pub const fn is_each(self) -> bool {
        matches!(self, Self::Each | Self::EachCode | Self::EachProcess)
    }

    /// Returns whether the task runs a function.
    pub const fn runs_function(self) -> bool {
        matches!(self, Self::Code | Self::EachCode)
    }

    /// Returns whether the task runs a sub-process.
    pub const fn runs_process(self) -> bool {
        matches!(self, Self::Process | Self::EachProcess)
    }

    /// Returns whether the task asks a model.
    pub const fn asks_model(self) -> bool {
        matches!(self, Self::Ai | Self::Each)
    }

    /// Returns whether the task asks a model or a person.
    pub const fn asks_model_or_person(self) -> bool {
        self.asks_model() || matches!(self, Self::Human)
    }

    /// Returns whether the task performs work that can fail: all kinds except gateways and terminals.
    pub const fn performs_work(self) -> bool {
        self.asks_model_or_person()
            || self.runs_function()
            || self.runs_process()
            || matches!(self, Self::Calls | Self::Parallel)
    }

    /// Returns whether the task ends the process.
    pub const fn is_terminal(self) -> bool {
        matches!(self, Self::End | Self::Fail)
    }

    /// Returns the brackets that select the shape of the task in a Mermaid flowchart.
    pub const fn mermaid_brackets(self) -> (&'static str, &'static str) {
        match self {
            Self::Ai | Self::Unknown => ("[", "]"),
            Self::Each | Self::EachCode | Self::EachProcess => ("[/", "/]"),
            Self::Code | Self::Calls => ("(", ")"),
            Self::Human => ("[/", "\\]"),
            Self::Process => ("[[", "]]"),
            Self::Parallel => ("[\\", "\\]"),
            Self::Gateway => ("{{", "}}"),
            Self::End | Self::Fail => ("([", "])"),
        }
    }
}
