//! The formats of replies.

/// The format of the replies to a task that asks a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReplyFormat {
    /// JSON: an output, or the choice of a transition.
    Json,
    /// Numbered reasoning: text that is parsed into a [`Reasoning`](cot_reader::Reasoning).
    Reasoning,
    /// A format of the program's own, which the function of this name reads.
    Own(&'static str),
}

impl ReplyFormat {
    /// Returns whether replies are text that is not constrained to the schema of the output.
    pub(crate) const fn is_text(self) -> bool {
        !matches!(self, Self::Json)
    }

    /// Returns whether replies are numbered reasoning.
    #[must_use]
    pub const fn is_reasoning(self) -> bool {
        matches!(self, Self::Reasoning)
    }

    /// Returns the name of the function that reads a format of the program's own.
    #[must_use]
    pub const fn reader(self) -> Option<&'static str> {
        match self {
            Self::Own(name) => Some(name),
            Self::Json | Self::Reasoning => None,
        }
    }
}
