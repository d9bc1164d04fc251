//! Shares of the kinds of replies.

use super::random::Random;

/// The kind of a generated reply. For requests without a schema, see
/// [`Replies::answer`](super::Replies::answer).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ReplyKind {
    /// JSON that matches the schema.
    Valid,
    /// A valid reply with one mistake: a missing or unknown member, a wrong type, a number out of range, a
    /// wrong_name name or one in another case, a transition to a task that is not offered.
    NearlyValid,
    /// JSON of another structure, which the reader can't repair into a valid reply.
    Invalid,
    /// An adversarial or broken reply: not JSON, truncated JSON, prose around JSON, several objects,
    /// duplicate keys, ten thousand levels of nesting, texts of 100 KB, lone surrogates, control characters,
    /// or text that resembles instructions. A lenient reader finds a valid reply in some of them.
    Hostile,
    /// A reply cut off by the token limit: [`FinishReason::Length`](cot_model::FinishReason).
    Truncated,
    /// A refusal: [`FinishReason::Refusal`](cot_model::FinishReason).
    Refused,
    /// No reply: the call fails with a [`ModelError`](cot_model::ModelError).
    Failed,
    /// No reply in time. A [`Monkey`](super::Monkey) lets the time limit of the call elapse if it has one;
    /// otherwise the call fails with [`ModelErrorKind::Timeout`](cot_model::ModelErrorKind).
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

/// The share of each kind of reply, in parts of their sum.
///
/// By default, of 100 replies 80 are valid, 10 nearly valid, 5 invalid and 5 hostile. The sum of the parts
/// can be any number.
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
    /// Creates a mixture of a single kind. Add others with [`with`](Self::with).
    #[must_use]
    pub const fn only(kind: ReplyKind) -> Self {
        Self { parts: [0; ReplyKind::ALL.len()] }.with(kind, 1)
    }

    /// The default mixture.
    pub(super) const fn usual() -> Self {
        Self::only(ReplyKind::Valid)
            .with(ReplyKind::Valid, 80)
            .with(ReplyKind::NearlyValid, 10)
            .with(ReplyKind::Invalid, 5)
            .with(ReplyKind::Hostile, 5)
    }

    /// Sets the parts of a kind; 0 excludes it. If all kinds are excluded, replies are valid.
    #[must_use]
    pub const fn with(mut self, kind: ReplyKind, parts: u32) -> Self {
        self.parts[kind as usize] = parts;
        self
    }

    /// Returns the share of a kind, from 0 to 1.
    #[must_use]
    pub fn share(&self, kind: ReplyKind) -> f64 {
        match self.total() {
            0 => f64::from(u8::from(kind == ReplyKind::Valid)),
            total => f64::from(self.parts[kind as usize]) / total as f64,
        }
    }

    /// Draws a kind with the probability of its share.
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
