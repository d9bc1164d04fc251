//! Generates texts.

use std::ops::RangeInclusive;

use super::words::{WORDS, word};
use crate::{random::Random, shape::node::Texts};

/// Characters that many programs handle incorrectly.
const ODD: [&str; 16] = [
    "\"",
    "\\",
    "\n",
    "\t",
    "${goal}",
    "{",
    "}",
    "</s>",
    "\u{200d}",
    "\u{202e}",
    "e\u{301}",
    "👩‍🚀",
    "𝒳",
    "\u{feff}",
    "\u{1}",
    "\0",
];
/// The maximum length of a text above its minimum.
const MORE: u64 = 30;
/// The maximum length of a line after its first word.
const MAX_LINE: u64 = 60;
/// The maximum length of a text that is generated at its upper limit.
const MAX_LONGEST: u64 = 2000;
/// The attempts for a text of the right length, where the length can't be chosen.
const ATTEMPTS: u32 = 8;

/// Generates a text that matches.
pub(super) fn generate(texts: &Texts, random: &mut Random) -> String {
    let lengths = texts.min..=texts.max.unwrap_or(u64::MAX);
    match (&texts.pattern, texts.format) {
        (Some(pattern), _) => pattern.text(random, lengths),
        (None, Some(format)) => formatted(format, random, lengths),
        (None, None) => free(random, lengths),
    }
}

fn formatted(
    format: fn(&mut Random) -> String,
    random: &mut Random,
    lengths: RangeInclusive<u64>,
) -> String {
    let mut text = format(random);
    for _ in 0..ATTEMPTS {
        if lengths.contains(&(text.chars().count() as u64)) {
            break;
        }
        text = format(random);
    }
    text
}

/// Generates a line that begins with a word.
pub(crate) fn line(random: &mut Random) -> String {
    let first = word(random);
    format!("{first} {}", free(random, 1..=MAX_LINE).replace('\n', " "))
}

/// Generates words, with occasional odd characters, of a length in characters.
pub(super) fn free(random: &mut Random, lengths: RangeInclusive<u64>) -> String {
    let (min, max) = lengths.into_inner();
    let length = match random.below(50) {
        0 | 1 => min,
        2 if max <= MAX_LONGEST => max,
        _ => random.between(min, max.min(min.saturating_add(MORE))),
    };
    let length = usize::try_from(length).unwrap_or(usize::MAX);
    let is_odd = random.percent(5);
    let mut text = String::with_capacity(length);
    let mut written = 0;
    while written < length {
        let words: &[&str] = if is_odd && random.percent(30) { &ODD } else { &WORDS };
        let word = random.pick(words).copied().unwrap_or(".");
        for c in word.chars().chain([' ']).take(length - written) {
            text.push(c);
            written += 1;
        }
    }
    // Some readers would trim a trailing space.
    if text.ends_with(' ') {
        text.pop();
        text.push('.');
    }
    text
}
