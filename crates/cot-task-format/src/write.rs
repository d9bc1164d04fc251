//! The usual layout of a trace.

use std::fmt::{self, Write};

use super::{
    block::{Block, Trace},
    lex::{ARROW, BULLET, CLOSE, CONFIDENCE, OPEN, REFERENCE, SATISFIES, TAG, ends_word},
    value::{Entry, Expr, Marks, Named, Value},
};

impl fmt::Display for Trace {
    /// Writes the trace in the usual layout; reading it again gives the same trace.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = String::new();
        for (i, block) in self.blocks.iter().enumerate() {
            if i > 0 {
                text.push('\n');
            }
            write_block(&mut text, block);
        }
        f.write_str(&text)
    }
}

impl fmt::Display for Block {
    /// Writes the structure in the usual layout, with a line feed at its end.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = String::new();
        write_block(&mut text, self);
        f.write_str(&text)
    }
}

fn write_block(text: &mut String, block: &Block) {
    text.push_str(block.kind.keyword());
    match &block.content.value {
        Value::Text(message) if is_balanced(message) && !has_hidden(message) => {
            special(text, message);
        }
        Value::Text(message) => {
            text.push(' ');
            quoted(text, message);
        }
        value => {
            text.push(' ');
            write_value(text, value, 0);
        }
    }
    write_marks(text, &block.content);
    text.push('\n');
}

fn write_expr(text: &mut String, expr: &Expr, indent: usize) {
    write_value(text, &expr.value, indent);
    write_marks(text, expr);
}

fn write_value(text: &mut String, value: &Value, indent: usize) {
    match value {
        Value::Null => text.push_str("null"),
        Value::Bool(true) => text.push_str("true"),
        Value::Bool(false) => text.push_str("false"),
        Value::Number(number) => text.push_str(&number.text()),
        Value::Text(value) => write_text(text, value),
        Value::Array(items) if items.iter().all(is_plain) => write_line(text, items),
        Value::Array(items) => {
            nested(text, ('[', ']'), items, indent, write_expr);
        }
        Value::Object(object) => {
            nested(text, ('{', '}'), &object.entries, indent, write_entry);
        }
    }
}

fn write_entry(text: &mut String, entry: &Entry, indent: usize) {
    if is_key(&entry.key) {
        text.push_str(&entry.key);
    } else {
        write_quotes(text, &entry.key);
    }
    text.push(' ');
    text.push(ARROW);
    text.push(' ');
    write_expr(text, &entry.expr, indent);
}

/// What fits on a line with others.
fn is_plain(item: &Expr) -> bool {
    const MAX_BYTES: usize = 40;
    let is_nested = matches!(item.value, Value::Array(_) | Value::Object(_));
    let is_long = item.as_text().is_some_and(|text| text.len() > MAX_BYTES || text.contains('\n'));
    let is_marked = item.marks().is_some_and(|marks| *marks != Marks::default());
    !is_marked && !is_nested && !is_long
}

fn write_line(text: &mut String, items: &[Expr]) {
    text.push('[');
    for (i, item) in items.iter().enumerate() {
        if i > 0 {
            text.push(' ');
            text.push(BULLET);
        }
        text.push(' ');
        write_value(text, &item.value, 0);
    }
    text.push_str(if items.is_empty() { "]" } else { " ]" });
}

fn nested<T>(
    text: &mut String,
    (open, close): (char, char),
    items: &[T],
    indent: usize,
    write: fn(&mut String, &T, usize),
) {
    text.push(open);
    for (i, item) in items.iter().enumerate() {
        if i > 0 {
            text.push(' ');
            text.push(BULLET);
        }
        new_line(text, indent + 1);
        write(text, item, indent + 1);
    }
    if !items.is_empty() {
        new_line(text, indent);
    }
    text.push(close);
}

fn new_line(text: &mut String, indent: usize) {
    text.push('\n');
    for _ in 0..indent {
        text.push_str("    ");
    }
}

fn write_marks(text: &mut String, expr: &Expr) {
    let Some(Marks { confidence, references, tags, satisfies }) = expr.marks() else { return };
    if let Some(confidence) = confidence {
        // Writing to a string can't fail.
        _ = write!(text, " {CONFIDENCE} {}", confidence.text.text());
    }
    write_names(text, REFERENCE, references, |text, name| write_name(text, name));
    for tag in tags {
        text.push(' ');
        text.push(TAG);
        text.push(' ');
        write_name(text, &tag.text);
    }
    write_names(text, SATISFIES, satisfies, |text, number| write_name(text, &number.text()));
}

/// One name, or an array of them.
fn write_names<T>(
    text: &mut String,
    sign: char,
    names: &[Named<T>],
    write: impl Fn(&mut String, &T),
) {
    let Some((first, others)) = names.split_first() else { return };
    text.push(' ');
    text.push(sign);
    text.push_str(if others.is_empty() { " " } else { " [" });
    write(text, &first.text);
    for name in others {
        text.push(' ');
        text.push(BULLET);
        text.push(' ');
        write(text, &name.text);
    }
    if !others.is_empty() {
        text.push(']');
    }
}

fn write_name(text: &mut String, name: &str) {
    if is_key(name) { text.push_str(name) } else { write_quotes(text, name) }
}

fn write_text(text: &mut String, value: &str) {
    let is_literal = matches!(value, "true" | "false" | "null");
    if is_key(value) && !value.starts_with(|c: char| c.is_ascii_digit()) && !is_literal {
        text.push_str(value);
    } else {
        write_quotes(text, value);
    }
}

/// Quotes of the kind that needs no escapes, if there is one.
fn write_quotes(text: &mut String, value: &str) {
    let is_simple = memchr::memchr3(b'"', b'\\', b'\n', value.as_bytes()).is_none();
    if is_simple || !is_balanced(value) || has_hidden(value) {
        quoted(text, value);
    } else {
        special(text, value);
    }
}

fn special(text: &mut String, value: &str) {
    text.push(OPEN);
    text.push_str(value);
    text.push(CLOSE);
}

fn quoted(text: &mut String, value: &str) {
    text.push('"');
    for (at, c) in value.char_indices() {
        match c {
            '"' | '\\' => text.extend(['\\', c]),
            '\n' => text.push_str("\\n"),
            // Even before a line end, which is two characters here.
            '\r' => text.push_str("\\r"),
            _ if is_hidden(value, at, c) => text.extend(c.escape_unicode()),
            _ => text.push(c),
        }
    }
    text.push('"');
}

/// Whether a text has characters that are escaped wherever it is written: only regular quotes have escapes.
fn has_hidden(value: &str) -> bool {
    value.char_indices().any(|(at, c)| is_hidden(value, at, c))
}

/// Whether a character steers a terminal, turns the direction of writing, or is not seen. Tabs, line ends,
/// joiners and variation selectors, which belong to the spelling of some scripts and of emoji, do not count.
fn is_hidden(value: &str, at: usize, c: char) -> bool {
    match c {
        '\n' | '\t' => false,
        // Alone it goes back to the start of the line, over which the rest is then shown.
        '\r' => !value[at + 1..].starts_with('\n'),
        c => c.is_control() || is_invisible(c),
    }
}

fn is_invisible(c: char) -> bool {
    matches!(
        c,
        '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{feff}'
            | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{e0000}'..='\u{e007f}'
            // Fillers and blanks, which count as letters or signs.
            | '\u{115f}' | '\u{1160}' | '\u{2800}' | '\u{3164}' | '\u{ffa0}'
    )
}

/// Whether the special quotes in a text come in pairs, so that it can stand between two.
fn is_balanced(text: &str) -> bool {
    let mut depth = 0_usize;
    for (_, sign) in super::parse::specials(text) {
        if sign == OPEN {
            depth += 1;
        } else if let Some(less) = depth.checked_sub(1) {
            depth = less;
        } else {
            return false;
        }
    }
    depth == 0
}

/// Whether a key or name needs no quotes, and no other reader could doubt it.
fn is_key(word: &str) -> bool {
    let is_inner = |c: char| {
        c.is_ascii_alphanumeric()
            || matches!(c, '_' | '-')
            || (!c.is_ascii() && c.is_alphanumeric() && !ends_word(c) && !is_invisible(c))
    };
    !word.is_empty() && !word.starts_with('-') && word.chars().all(is_inner)
}
