//! Generates texts that match a regular expression.

use std::ops::RangeInclusive;

use regex_syntax::hir::{Capture, Class, Hir, HirKind, Look, Repetition};

use super::random::Random;

/// A regular expression in a form from which texts can be generated.
#[derive(Debug)]
pub(super) struct Pattern {
    piece: Piece,
    /// Whether other text can precede and follow the match.
    is_open: (bool, bool),
}

#[derive(Debug)]
enum Piece {
    Text(String),
    Char { plain: Vec<RangeInclusive<char>>, all: Vec<RangeInclusive<char>> },
    Repeat { min: u32, max: Option<u32>, piece: Box<Piece> },
    All(Vec<Piece>),
    OneOf(Vec<Piece>),
}

/// Preferred characters of a class.
const PLAIN: RangeInclusive<char> = ' '..='~';
/// The maximum number of optional repetitions.
const MORE: u32 = 6;
/// The approximate limit of a generated text.
const MAX_BYTES: usize = 100_000;

impl Pattern {
    /// Parses a pattern; `None` if it is invalid or unsupported.
    pub(super) fn parse(pattern: &str) -> Option<Self> {
        let hir = regex_syntax::parse(pattern).ok()?;
        let properties = hir.properties();
        let starts = properties.look_set_prefix().contains(Look::Start);
        let ends = properties.look_set_suffix().contains(Look::End);
        Some(Self { piece: Piece::from_hir(&hir), is_open: (!starts, !ends) })
    }

    /// Generates a matching text. Its length is within the range if possible.
    pub(super) fn text(&self, random: &mut Random, lengths: RangeInclusive<u64>) -> String {
        let mut text = String::new();
        let mut more = u32::try_from(*lengths.start()).unwrap_or(u32::MAX).max(MORE);
        for _ in 0..ATTEMPTS {
            text.clear();
            self.piece.write(random, more, &mut text);
            self.pad(*lengths.start(), &mut text);
            match text.chars().count() as u64 {
                length if lengths.contains(&length) => break,
                length if length < *lengths.start() => more = more.saturating_mul(2),
                _ => more /= 2,
            }
        }
        text
    }

    fn pad(&self, length: u64, text: &mut String) {
        let missing = length.saturating_sub(text.chars().count() as u64);
        let missing = usize::try_from(missing).unwrap_or(usize::MAX).min(MAX_BYTES);
        match self.is_open {
            _ if missing == 0 => {}
            (_, true) => text.extend(std::iter::repeat_n('x', missing)),
            (true, false) => text.insert_str(0, &"x".repeat(missing)),
            (false, false) => {}
        }
    }
}

/// The attempts for a text of the right length.
const ATTEMPTS: u32 = 24;

impl Piece {
    fn from_hir(hir: &Hir) -> Self {
        match hir.kind() {
            HirKind::Empty | HirKind::Look(_) => Self::Text(String::new()),
            HirKind::Literal(literal) => {
                Self::Text(String::from_utf8_lossy(&literal.0).into_owned())
            }
            HirKind::Class(class) => Self::from_class(class),
            HirKind::Repetition(Repetition { min, max, sub, .. }) => {
                Self::Repeat { min: *min, max: *max, piece: Box::new(Self::from_hir(sub)) }
            }
            HirKind::Capture(Capture { sub, .. }) => Self::from_hir(sub),
            HirKind::Concat(parts) => Self::All(parts.iter().map(Self::from_hir).collect()),
            HirKind::Alternation(parts) => Self::from_alternatives(parts),
        }
    }

    /// Parses alternatives. Bare assertions, as in `(,|$)`, are skipped: they don't hold at every position.
    fn from_alternatives(parts: &[Hir]) -> Self {
        let is_text = |part: &&Hir| !matches!(part.kind(), HirKind::Look(_));
        Self::OneOf(parts.iter().filter(is_text).map(Self::from_hir).collect())
    }

    fn from_class(class: &Class) -> Self {
        let all: Vec<_> = match class {
            Class::Unicode(class) => class.iter().map(|r| r.start()..=r.end()).collect(),
            Class::Bytes(class) => {
                class.iter().map(|r| char::from(r.start())..=char::from(r.end())).collect()
            }
        };
        let plain = all.iter().filter_map(|range| {
            let (low, high) = (*range.start().max(PLAIN.start()), *range.end().min(PLAIN.end()));
            (low <= high).then_some(low..=high)
        });
        Self::Char { plain: plain.collect(), all }
    }

    fn write(&self, random: &mut Random, more: u32, text: &mut String) {
        match self {
            Self::Text(literal) => text.push_str(literal),
            Self::Char { plain, all } => {
                let ranges = if plain.is_empty() || random.percent(1) { all } else { plain };
                text.extend(random.pick(ranges).map(|range| one_of(random, range)));
            }
            Self::Repeat { min, max, piece } => {
                let most = min.saturating_add(more);
                let most = max.map_or(most, |max| max.min(most));
                for _ in 0..random.between((*min).into(), most.into()) {
                    if text.len() > MAX_BYTES {
                        return;
                    }
                    piece.write(random, more, text);
                }
            }
            Self::All(pieces) => pieces.iter().for_each(|piece| piece.write(random, more, text)),
            Self::OneOf(pieces) => {
                if let Some(piece) = random.pick(pieces) {
                    piece.write(random, more, text);
                }
            }
        }
    }
}

/// Draws a character of a range.
fn one_of(random: &mut Random, range: &RangeInclusive<char>) -> char {
    let (low, high) = (u32::from(*range.start()), u32::from(*range.end()));
    let code = random.between(low.into(), high.into());
    // The gap of the surrogates contains no characters.
    u32::try_from(code).ok().and_then(char::from_u32).unwrap_or(*range.start())
}
