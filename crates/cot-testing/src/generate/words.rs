//! The vocabulary of generated texts.

use crate::random::Random;

/// The vocabulary. None of the words is a key of the engine.
pub(super) const WORDS: [&str; 24] = [
    "order", "parcel", "late", "name", "the", "a", "of", "not", "screen", "cracked", "Ada", "4711",
    "invoice", "paid", "please", "and", "total", "two", "id", "blue", "x", "to", "Größe", "done",
];

/// Draws a word.
pub(super) fn word(random: &mut Random) -> String {
    random.pick(&WORDS).copied().unwrap_or_default().to_owned()
}
