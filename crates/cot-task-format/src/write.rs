//! The standard layout of a trace.

use std::fmt::{self, Write};

use super::{
    block::{Block, Trace},
    lex::{ARROW, BULLET, CLOSE, CONFIDENCE, OPEN, REFERENCE, SATISFIES, TAG, ends_word},
    value::{Entry, Expr, Located, Marks, Value},
};

impl fmt::Display for Trace {
    /// Writes the trace in the standard layout. Parsing the output returns an equal trace.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = String::new();
        for (i, block) in self.blocks.iter().enumerate() {
            text.clear();
            if i > 0 {
                text.push('\n');
            }
            write_block(&mut text, block);
            f.write_str(&text)?;
        }
        Ok(())
    }
}

impl fmt::Display for Block {
    /// Writes the structure in the standard layout, with a line feed at its end.
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
            write_special(text, message);
        }
        Value::Text(message) => {
            text.push(' ');
            write_quoted(text, message);
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
        Value::Array(items) if items.iter().all(fits_on_line) => write_line(text, items),
        Value::Array(items) => {
            write_nested(text, ('[', ']'), items, indent, write_expr);
        }
        Value::Object(object) => {
            write_nested(text, ('{', '}'), &object.entries, indent, write_entry);
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

/// Returns whether an array item is short enough to share a line with others.
fn fits_on_line(item: &Expr) -> bool {
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

fn write_nested<T>(
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
        write_new_line(text, indent + 1);
        write(text, item, indent + 1);
    }
    if !items.is_empty() {
        write_new_line(text, indent);
    }
    text.push(close);
}

fn write_new_line(text: &mut String, indent: usize) {
    text.push('\n');
    for _ in 0..indent {
        text.push_str("    ");
    }
}

fn write_marks(text: &mut String, expr: &Expr) {
    let Some(Marks { confidence, references, tags, satisfies }) = expr.marks() else { return };
    if let Some(confidence) = confidence {
        // Writing to a `String` never fails.
        _ = write!(text, " {CONFIDENCE} {}", confidence.value.text());
    }
    write_names(text, REFERENCE, references, |text, name| write_name(text, name));
    for tag in tags {
        text.push(' ');
        text.push(TAG);
        text.push(' ');
        write_name(text, &tag.value);
    }
    write_names(text, SATISFIES, satisfies, |text, number| write_name(text, &number.text()));
}

/// Writes one name, or an array of several.
fn write_names<T>(
    text: &mut String,
    sign: char,
    names: &[Located<T>],
    write: impl Fn(&mut String, &T),
) {
    let Some((first, others)) = names.split_first() else { return };
    text.push(' ');
    text.push(sign);
    text.push_str(if others.is_empty() { " " } else { " [" });
    write(text, &first.value);
    for name in others {
        text.push(' ');
        text.push(BULLET);
        text.push(' ');
        write(text, &name.value);
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

/// Writes a text between quotes, preferring the kind that needs no escapes.
fn write_quotes(text: &mut String, value: &str) {
    let is_simple = memchr::memchr3(b'"', b'\\', b'\n', value.as_bytes()).is_none();
    if is_simple || !is_balanced(value) || has_hidden(value) {
        write_quoted(text, value);
    } else {
        write_special(text, value);
    }
}

fn write_special(text: &mut String, value: &str) {
    text.push(OPEN);
    text.push_str(value);
    text.push(CLOSE);
}

fn write_quoted(text: &mut String, value: &str) {
    text.push('"');
    for (at, c) in value.char_indices() {
        match c {
            '"' | '\\' => text.extend(['\\', c]),
            '\n' => text.push_str("\\n"),
            // Escaped even before a line feed, where the two are one line end.
            '\r' => text.push_str("\\r"),
            _ if is_hidden(value, at, c) => text.extend(c.escape_unicode()),
            _ => text.push(c),
        }
    }
    text.push('"');
}

/// Returns whether a text has characters that must be escaped. Only regular quotes have escapes.
fn has_hidden(value: &str) -> bool {
    value.char_indices().any(|(at, c)| is_hidden(value, at, c))
}

/// Returns whether a character controls a terminal, changes the writing direction, or is invisible.
/// Tabs, line ends, joiners and variation selectors do not count, since some scripts and emoji need
/// them.
fn is_hidden(value: &str, at: usize, c: char) -> bool {
    match c {
        '\n' | '\t' => false,
        // Without a line feed it returns to the start of the line, and the rest is displayed over it.
        '\r' => !value[at + 1..].starts_with('\n'),
        c => c.is_control() || is_invisible(c),
    }
}

fn is_invisible(c: char) -> bool {
    matches!(
        c,
        '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{feff}'
            | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{e0000}'..='\u{e007f}'
            // Fillers and blanks that are classified as letters or symbols.
            | '\u{115f}' | '\u{1160}' | '\u{2800}' | '\u{3164}' | '\u{ffa0}'
    )
}

/// Returns whether the special quotes in a text are balanced, so that the text can be put between
/// special quotes.
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

/// Returns whether a key or name needs no quotes in this or any other parser.
fn is_key(word: &str) -> bool {
    let is_inner = |c: char| {
        c.is_ascii_alphanumeric()
            || matches!(c, '_' | '-')
            || (!c.is_ascii() && c.is_alphanumeric() && !ends_word(c) && !is_invisible(c))
    };
    !word.is_empty() && !word.starts_with('-') && word.chars().all(is_inner)
}
