//! The words that texts are made of.

use crate::random::Random;

/// What texts are made of. None is a key that the engine knows.
pub(super) const WORDS: [&str; 24] = [
    "order", "parcel", "late", "name", "the", "a", "of", "not", "screen", "cracked", "Ada", "4711",
    "invoice", "paid", "please", "and", "total", "two", "id", "blue", "x", "to", "Größe", "done",
];

/// A word.
pub(super) fn word(random: &mut Random) -> String {
    random.pick(&WORDS).copied().unwrap_or_default().to_owned()
}
