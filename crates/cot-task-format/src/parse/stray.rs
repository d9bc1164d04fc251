//! Text between structures.

use cot_schema::internal::closest_name;

use super::{
    head::{Head, head},
    parser::Parser,
};
use crate::{
    block::BlockKind,
    diagnostic::{Code, quote_excerpt},
    lex::{CLOSE, OPEN},
};

/// The keys of an `act`.
const ACT_KEYS: [&str; 2] = ["call", "think"];

impl Parser<'_> {
    /// Skips text between structures, up to the next structure, and reports it.
    pub(super) fn stray(&mut self) {
        let start = self.cursor.at;
        let position = self.cursor.position();
        let mut unknown: Option<usize> = None;
        let mut depths = Depths::default();
        let (mut is_word, mut begins_line) = (false, true);
        while let Some(c) = self.cursor.peek() {
            let was_word = is_word;
            is_word = c.is_alphanumeric() || c == '_';
            if is_word && !was_word && self.cursor.at > start && self.is_next(depths) {
                break;
            }
            if begins_line && depths == Depths::default() && self.report_unknown_structure() {
                unknown = unknown.or(Some(self.cursor.at));
            }
            begins_line = c == '\n' || begins_line && c.is_whitespace();
            if !depths.add(c) {
                self.add(Code::UnmatchedClose, format!("`{c}` closes nothing"));
            }
            self.cursor.at += c.len_utf8();
        }
        let text = self.cursor.text[start..unknown.unwrap_or(self.cursor.at)].trim_end();
        if !text.chars().all(|c| matches!(c, '}' | ']' | CLOSE) || c.is_whitespace()) {
            let line = text.lines().next().unwrap_or_default();
            let message = format!("text between structures is left out: {}", quote_excerpt(line));
            self.findings.add(Code::StrayText, position, message);
        }
    }

    /// Returns whether a structure with an unknown keyword begins here; reports it.
    fn report_unknown_structure(&mut self) -> bool {
        let rest = self.cursor.rest();
        let word =
            rest.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default();
        let is_like_block =
            rest[word.len()..].trim_start_matches([' ', '\t']).starts_with(['{', OPEN]);
        if word.is_empty() || !is_like_block {
            return false;
        }
        let hint = if ACT_KEYS.contains(&word) {
            format!("; write `act {{ {word} ↦ … }}`")
        } else {
            let likely = closest_name(word, BlockKind::ALL.map(BlockKind::keyword));
            likely.map(|known| format!("; did you mean `{known}`?")).unwrap_or_default()
        };
        let message = format!("{} is no structure{hint}", quote_excerpt(word));
        self.add(Code::UnknownStructure, message);
        true
    }

    fn is_next(&self, depths: Depths) -> bool {
        head(&self.cursor, self.cursor.at).is_some_and(|head| depths.may_begin(&head))
    }
}

/// The numbers of braces, brackets and special quotes that are open in a text between structures.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Depths([usize; 3]);

impl Depths {
    /// Counts the next character. Returns false if it closes a sign that is not open.
    pub(crate) fn add(&mut self, c: char) -> bool {
        let [braces, brackets, quotes] = &mut self.0;
        let (depth, is_open) = match c {
            '{' => (braces, true),
            '[' => (brackets, true),
            OPEN => (quotes, true),
            '}' => (braces, false),
            ']' => (brackets, false),
            CLOSE => (quotes, false),
            _ => return true,
        };
        let is_right = is_open || *depth > 0;
        *depth = if is_open { *depth + 1 } else { depth.saturating_sub(1) };
        is_right
    }

    /// Returns whether a structure can begin here: where signs are open, only a certain one.
    pub(crate) fn may_begin(self, head: &Head) -> bool {
        self.0 == [0; 3] || head.is_certain
    }
}
