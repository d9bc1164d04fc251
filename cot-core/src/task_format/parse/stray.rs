//! Text between structures.

use super::{
    super::{
        BlockKind, Code,
        diagnostic::shown,
        lex::{CLOSE, OPEN},
    },
    Parser, head,
};
use crate::suggest;

impl Parser<'_> {
    /// Goes over what is no structure, up to the next one.
    pub(super) fn stray(&mut self) {
        let start = self.cursor.at;
        let position = self.cursor.position();
        let mut depths = [0_usize; 3];
        let mut is_word = false;
        while let Some(c) = self.cursor.peek() {
            let was_word = is_word;
            is_word = c.is_alphanumeric() || c == '_';
            if is_word && !was_word && self.cursor.at > start && self.is_next(&depths) {
                break;
            }
            match c {
                '{' => depths[0] += 1,
                '[' => depths[1] += 1,
                OPEN => depths[2] += 1,
                '}' => self.close(&mut depths[0], c),
                ']' => self.close(&mut depths[1], c),
                CLOSE => self.close(&mut depths[2], c),
                _ => {}
            }
            self.cursor.at += c.len_utf8();
        }
        let text = self.cursor.text[start..self.cursor.at].trim_end();
        if !text.chars().all(|c| matches!(c, '}' | ']' | CLOSE) || c.is_whitespace()) {
            self.findings.add(Code::StrayText, position, message(text));
        }
    }

    fn is_next(&self, depths: &[usize; 3]) -> bool {
        let is_outside = depths.iter().all(|depth| *depth == 0);
        head(&self.cursor, self.cursor.at).is_some_and(|head| is_outside || head.is_certain)
    }

    fn close(&mut self, depth: &mut usize, sign: char) {
        if *depth == 0 {
            self.add(Code::UnmatchedClose, format!("`{sign}` closes nothing"));
        }
        *depth = depth.saturating_sub(1);
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
