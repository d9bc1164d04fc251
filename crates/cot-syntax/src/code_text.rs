//! Formats Rust expressions on one line, for flowcharts and for prompts.

use proc_macro2::{Delimiter, Spacing, TokenStream, TokenTree};

/// Formats an expression and truncates it to 60 characters.
pub fn code_text(tokens: TokenStream) -> String {
    truncate(&whole_text(tokens), MAX_CHARACTERS)
}

/// Formats an expression.
pub fn whole_text(tokens: TokenStream) -> String {
    let mut text = String::new();
    write(&mut text, tokens);
    text
}

/// The maximum length of an expression in a flowchart.
const MAX_CHARACTERS: usize = 60;

/// Formats a type.
pub fn type_text(ty: TokenStream) -> String {
    whole_text(ty).replace(" < ", "<").replace(" >", ">")
}

/// Truncates a text to a number of characters, and marks the cut with `…`.
pub fn truncate(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// The token before the current one, which determines the spacing.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Previous {
    /// No token, or an operator. An operand follows.
    Operator,
    /// A name, a literal or a group.
    Operand,
    /// A mark that is written without a space after it.
    Clinging,
}

fn write(text: &mut String, tokens: TokenStream) {
    let mut before = Previous::Clinging;
    let mut joint = false;
    for token in tokens {
        match token {
            TokenTree::Punct(mark) => {
                before = write_mark(text, mark.as_char(), before, joint);
                joint = mark.spacing() == Spacing::Joint;
                if !joint && before == Previous::Operator {
                    text.push(' ');
                    before = Previous::Clinging;
                }
                continue;
            }
            TokenTree::Group(group) => write_group(text, &group, before),
            word => {
                if before == Previous::Operand {
                    text.push(' ');
                }
                text.push_str(&word.to_string());
            }
        }
        (before, joint) = (Previous::Operand, false);
    }
    text.truncate(text.trim_end().len());
}

fn write_mark(text: &mut String, mark: char, before: Previous, joint: bool) -> Previous {
    let binary = before == Previous::Operand && !joint && !".,;?:!".contains(mark);
    if binary {
        text.push(' ');
    }
    text.push(mark);
    match mark {
        '.' | ':' if joint => Previous::Clinging,
        '.' => Previous::Clinging,
        ':' => Previous::Clinging,
        '?' => Previous::Operand,
        ',' | ';' => Previous::Operator,
        _ if binary || before == Previous::Operator || joint => Previous::Operator,
        // `!x`, `&x`, `-x`, `*x`, or `m!`.
        _ => Previous::Clinging,
    }
}

fn write_group(text: &mut String, group: &proc_macro2::Group, before: Previous) {
    let (open, close) = match group.delimiter() {
        Delimiter::Parenthesis => ("(", ")"),
        Delimiter::Bracket => ("[", "]"),
        Delimiter::Brace if before == Previous::Operand => (" { ", " }"),
        Delimiter::Brace => ("{ ", " }"),
        Delimiter::None => ("", ""),
    };
    text.push_str(open);
    write(text, group.stream());
    text.push_str(close);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expressions_read_as_they_are_written() {
        for code in [
            "state.notes.len() < 50",
            "state.a.is_empty() && !goal.is_empty()",
            "matches!(output.kind, Kind::A | Kind::B)",
            "f(&state.x, -1)[0] >= 2",
            "state.plan?.is_some()",
            "a == b || x..y",
        ] {
            assert_eq!(code_text(code.parse().unwrap()), code);
        }
        assert_eq!(type_text("Vec<(u8, a::B<C>)>".parse().unwrap()), "Vec<(u8, a::B<C>)>");
        assert_eq!(code_text("a + ".repeat(30).parse().unwrap()).chars().count(), 61);
    }
}
