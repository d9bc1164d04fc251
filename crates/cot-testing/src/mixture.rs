//! How often each kind of reply comes.

use super::random::Random;

/// What kind of reply it is, by what is wrong with it. What they are without a schema,
/// [`Replies::answer`](super::Replies::answer) says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ReplyKind {
    /// JSON that fits the schema.
    Valid,
    /// A valid reply with one mistake: a missing or unknown member, a wrong type, a number out of
    /// range, a name in another case or misspelt, a transition to a task that is not offered.
    NearlyValid,
    /// JSON that is something else altogether, and that the reader takes for nothing else.
    Invalid,
    /// What no program expects: no JSON, cut JSON, prose around it, several objects, keys given
    /// twice, nesting ten thousand levels deep, texts of 100 KB, lone surrogates, control characters,
    /// text that reads like instructions. A lenient reader finds a valid reply in some of them.
    Hostile,
    /// A reply cut off by the limit of tokens: [`FinishReason::Length`](cot_model::FinishReason).
    Truncated,
    /// A refusal: [`FinishReason::Refusal`](cot_model::FinishReason).
    Refused,
    /// No reply: the call ends with a [`ModelError`](cot_model::ModelError).
    Failed,
    /// No reply in time. A [`Monkey`](super::Monkey) lets the time of the call pass, where it is
    /// limited; else it is a call that fails with
    /// [`ModelErrorKind::Timeout`](cot_model::ModelErrorKind).
    TimedOut,
}

impl ReplyKind {
    /// All kinds.
    pub const ALL: [Self; 8] = [
        Self::Valid,
        Self::NearlyValid,
        Self::Invalid,
        Self::Hostile,
        Self::Truncated,
        Self::Refused,
        Self::Failed,
        Self::TimedOut,
    ];
}

/// How often each kind of reply comes, in parts of a whole.
///
/// Unless told otherwise, of 100 replies 80 are valid, 10 nearly valid, 5 invalid and 5 hostile. The
/// parts need not sum up to 100.
///
/// ```
/// use cot_core::testing::{Mixture, ReplyKind};
///
/// let shaky = Mixture::default().with(ReplyKind::Truncated, 3).with(ReplyKind::Failed, 2);
/// assert_eq!(shaky.share(ReplyKind::Failed), 2.0 / 105.0);
///
/// let well_behaved = Mixture::only(ReplyKind::Valid);
/// assert_eq!(well_behaved.share(ReplyKind::Valid), 1.0);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Mixture {
    /// The parts of each kind, in the order of [`ReplyKind::ALL`].
    parts: [u32; ReplyKind::ALL.len()],
}

impl Mixture {
    /// Replies of one kind alone, to add others to.
    #[must_use]
    pub const fn only(kind: ReplyKind) -> Self {
        Self { parts: [0; ReplyKind::ALL.len()] }.with(kind, 1)
    }

    /// The mixture that is meant where none is given.
    pub(super) const fn usual() -> Self {
        Self::only(ReplyKind::Valid)
            .with(ReplyKind::Valid, 80)
            .with(ReplyKind::NearlyValid, 10)
            .with(ReplyKind::Invalid, 5)
            .with(ReplyKind::Hostile, 5)
    }

    /// The same with so many parts of a kind; 0 leaves it out. Where all are left out, replies are
    /// valid.
    #[must_use]
    pub const fn with(mut self, kind: ReplyKind, parts: u32) -> Self {
        self.parts[kind as usize] = parts;
        self
    }

    /// The share of a kind, from 0 to 1.
    #[must_use]
    pub fn share(&self, kind: ReplyKind) -> f64 {
        match self.total() {
            0 => f64::from(u8::from(kind == ReplyKind::Valid)),
            total => f64::from(self.parts[kind as usize]) / total as f64,
        }
    }

    /// A kind, as often as its share says.
    pub(super) fn draw(&self, random: &mut Random) -> ReplyKind {
        let mut drawn = random.below(self.total());
        for (kind, parts) in ReplyKind::ALL.into_iter().zip(self.parts) {
            match drawn.checked_sub(parts.into()) {
                Some(rest) => drawn = rest,
                None => return kind,
            }
        }
        ReplyKind::Valid
    }

    fn total(&self) -> u64 {
        self.parts.iter().map(|parts| u64::from(*parts)).sum()
    }
}

impl Default for Mixture {
    fn default() -> Self {
        Self::usual()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_come_as_often_as_their_shares_say() {
        let mixture = Mixture::default().with(ReplyKind::Refused, 25);
        let random = &mut Random::seeded(7);
        let drawn: Vec<_> = (0..20_000).map(|_| mixture.draw(random)).collect();
        for kind in ReplyKind::ALL {
            let share = drawn.iter().filter(|drawn| **drawn == kind).count() as f64 / 20_000.0;
            assert!((share - mixture.share(kind)).abs() < 0.02, "{kind:?}: {share}");
        }
    }

    #[test]
    fn nothing_at_all_is_valid() {
        let none = Mixture::only(ReplyKind::Failed).with(ReplyKind::Failed, 0);
        assert_eq!(none.draw(&mut Random::seeded(1)), ReplyKind::Valid);
        assert_eq!(none.share(ReplyKind::Valid), 1.0);
        assert_eq!(none.share(ReplyKind::Failed), 0.0);
    }
}
