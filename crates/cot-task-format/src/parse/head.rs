//! The start of a structure: its keyword and the beginning of its content.

use crate::{
    block::BlockKind,
    lex::{Cursor, OPEN, Postfix},
};

/// The keyword of a structure and the start of its content.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Head {
    pub(crate) kind: BlockKind,
    /// Whether the keyword is in lower case.
    pub(crate) is_exact: bool,
    /// The offset of the content.
    pub(crate) body: usize,
    /// Whether the content is a word without quotes.
    pub(crate) is_word: bool,
    /// Whether the text can only be the head of a structure. Such a head also ends an unclosed
    /// structure before it.
    pub(crate) is_certain: bool,
}

/// The length of the longest keyword.
const MAX_KEYWORD: usize = 8;

/// Parses the head of a structure at an offset where a word begins.
///
/// Within a line, only forms like `plan {` and `user「` count, since prose can contain the keywords.
pub(crate) fn head(cursor: &Cursor<'_>, at: usize) -> Option<Head> {
    let bytes = &cursor.text.as_bytes()[at..];
    let length = bytes.iter().take(MAX_KEYWORD + 1).take_while(|b| b.is_ascii_alphabetic()).count();
    let kind = BlockKind::from_keyword(&cursor.text[at..at + length])?;
    let next = cursor.text[at + length..].chars().next()?;
    if next.is_alphanumeric() || next == '_' {
        return None;
    }
    let is_exact = bytes.starts_with(kind.keyword().as_bytes());
    let line_start = cursor.begins_line(at);
    let after = cursor.after_blanks(at + length);
    let mut behind = cursor.clone();
    behind.at = after;
    behind.skip_space();
    let body = behind.at;
    let fits = match behind.peek()? {
        '{' => !kind.is_message(),
        OPEN => kind.is_message(),
        '"' | '“' | '『' | '｢' if line_start => false,
        _ => {
            return one_word_head(cursor, kind, (at + length, body))
                .filter(|_| line_start && is_exact);
        }
    };
    let is_certain = fits && line_start && is_exact;
    ((fits && is_exact) || line_start).then_some(Head {
        kind,
        is_exact,
        body,
        is_word: false,
        is_certain,
    })
}

/// Parses the head of `user Hello`: a one-word message, alone on its line or followed by marks.
fn one_word_head(
    cursor: &Cursor<'_>,
    kind: BlockKind,
    (from, body): (usize, usize),
) -> Option<Head> {
    let end = cursor.word_end(body);
    let text = &cursor.text[body..end];
    let is_apart = from < body && !cursor.text[from..body].contains('\n');
    let after = cursor.after_blanks(end);
    let next = cursor.text[after..].chars().next();
    let is_alone = next.is_none_or(|c| c == '\n' || Postfix::from_char(c).is_some());
    let is_plain =
        text.starts_with(char::is_alphanumeric) && BlockKind::from_keyword(text).is_none();
    (kind.is_message() && is_apart && is_alone && is_plain).then_some(Head {
        kind,
        is_exact: true,
        body,
        is_word: true,
        is_certain: false,
    })
}
