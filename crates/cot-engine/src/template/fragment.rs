//! What a partial prompt can leave out.

/// A fragment of a prompt, which can be left out by itself.
///
/// A primer is there only where what it explains is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Fragment<'a> {
    /// `intro`.
    IntroPrompt,
    /// The goal.
    Goal,
    /// The words before the goal.
    GoalPrimer,
    /// The history.
    History,
    /// The words before the history.
    HistoryPrimer,
    /// The list of transitions.
    Transitions,
    /// The words before the transitions.
    TransitionsPrimer,
    /// What was wrong with the last reply.
    Errors,
    /// The words before the errors.
    ErrorsPrimer,
    /// The task's own `prompt`, or its `full_prompt`. Of a full prompt that is left out, the
    /// standard parts that it shows remain, as far as they are kept.
    TaskPrompt,
    /// The explanation of the reply's format.
    Output,
    /// A part of `prompts`, by its name.
    Part(&'a str),
    /// A variable of the state, by its name.
    State(&'a str),
}

impl Fragment<'_> {
    /// The fragments that every prompt can have.
    pub(crate) const STANDARD: [Fragment<'static>; 11] = [
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

    /// One bit for each standard fragment, none for the others.
    pub(crate) fn bit(self) -> u16 {
        let position = Fragment::STANDARD.iter().position(|standard| *standard == self);
        position.map_or(0, |position| 1 << position)
    }
}
