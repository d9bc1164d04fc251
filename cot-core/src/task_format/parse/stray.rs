//! Text between structures.

use super::{
    super::{
        BlockKind, Code,
        diagnostic::shown,
        lex::{CLOSE, OPEN},
    },
    Head, Parser, head,
};
use crate::suggest;

impl Parser<'_> {
    /// Goes over what is no structure, up to the next one.
    pub(super) fn stray(&mut self) {
        let start = self.cursor.at;
        let position = self.cursor.position();
        let mut depths = Depths::default();
        let mut is_word = false;
        while let Some(c) = self.cursor.peek() {
            let was_word = is_word;
            is_word = c.is_alphanumeric() || c == '_';
            if is_word && !was_word && self.cursor.at > start && self.is_next(depths) {
                break;
            }
            if !depths.add(c) {
                self.add(Code::UnmatchedClose, format!("`{c}` closes nothing"));
            }
            self.cursor.at += c.len_utf8();
        }
        let text = self.cursor.text[start..self.cursor.at].trim_end();
        if !text.chars().all(|c| matches!(c, '}' | ']' | CLOSE) || c.is_whitespace()) {
            self.findings.add(Code::StrayText, position, message(text));
        }
    }

    fn is_next(&self, depths: Depths) -> bool {
        head(&self.cursor, self.cursor.at).is_some_and(|head| depths.may_begin(&head))
    }
}

/// How many braces, brackets and special quotes are open in a text between structures.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Depths([usize; 3]);

impl Depths {
    /// Takes the next character; whether it is no sign that closes nothing.
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

    /// Whether a structure can begin here: within what is open, only one that can be nothing else.
    pub(crate) fn may_begin(self, head: &Head) -> bool {
        self.0 == [0; 3] || head.is_certain
    }
}

fn message(text: &str) -> String {
    let line = text.lines().next().unwrap_or_default();
    let word = line.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
    let is_like_block = line[word.len()..].trim_start().starts_with(['{', OPEN]);
    let known = BlockKind::ALL.map(BlockKind::keyword);
    match suggest::closest(word, known).filter(|_| is_like_block) {
        Some(known) => format!("{} is no structure; did you mean `{known}`?", shown(word)),
        None => format!("text between structures is left out: {}", shown(line)),
    }
}
