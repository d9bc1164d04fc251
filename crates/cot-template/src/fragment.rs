//! The fragments that a partial prompt can omit.

/// A fragment of a prompt that can be omitted on its own.
///
/// A primer is written only together with the part that it introduces.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Fragment<'a> {
    /// `intro`.
    IntroPrompt,
    /// The goal.
    Goal,
    /// The text before the goal.
    GoalPrimer,
    /// The history.
    History,
    /// The text before the history.
    HistoryPrimer,
    /// The list of transitions.
    Transitions,
    /// The text before the transitions.
    TransitionsPrimer,
    /// The issues of the last reply.
    Errors,
    /// The texts around the errors.
    ErrorsPrimer,
    /// The task's own `prompt` or `full_prompt`. If a full prompt is omitted, the standard parts that it
    /// shows remain, unless they are omitted too.
    TaskPrompt,
    /// The explanation of the reply's format.
    Output,
    /// A part of `prompts`, by name.
    Part(&'a str),
    /// A field of the state, by name.
    State(&'a str),
}

impl Fragment<'_> {
    /// The standard fragments, which every prompt can have.
    pub const STANDARD: [Fragment<'static>; 11] = [
        Fragment::IntroPrompt,
        Fragment::Goal,
        Fragment::GoalPrimer,
        Fragment::History,
        Fragment::HistoryPrimer,
        Fragment::Transitions,
        Fragment::TransitionsPrimer,
        Fragment::Errors,
        Fragment::ErrorsPrimer,
        Fragment::TaskPrompt,
        Fragment::Output,
    ];

    /// Returns the bit of a standard fragment, or 0 for another fragment.
    pub(crate) fn bit(self) -> u16 {
        let position = Fragment::STANDARD.iter().position(|standard| *standard == self);
        position.map_or(0, |position| 1 << position)
    }
}
