//! Regular expressions that the grammar converter of `llama.cpp` understands.
//!
//! The converter copies a pattern into a grammar of the JSON text. It knows literals, groups, `|`, lists of
//! characters and repetitions. Of escapes it knows those of the characters that have a meaning in patterns, and
//! hands on all others to the parser of grammars, which rejects most of them. A quote, a backslash or a control
//! character in a pattern would end the string, since JSON escapes them and the grammar doesn't.

use std::fmt::Write;

use regex_syntax::ast::{
    AssertionKind, Ast, ClassPerlKind, ClassSet, ClassSetBinaryOpKind, ClassSetItem, Literal,
    RepetitionKind, RepetitionRange, parse::Parser,
};

/// Maximum number of repetitions: the grammar parser rejects more.
pub(super) const MAX_REPETITIONS: u64 = 2000;

/// Returns a pattern from `^` to `$` in the form that the converter understands, or `None` if there is none.
pub(super) fn pattern(pattern: &str) -> Option<String> {
    // In ECMAScript, `a{,3}` is a text.
    if pattern.contains("{,") {
        return None;
    }
    let parsed = Parser::new().parse(pattern).ok()?;
    let Ast::Concat(parts) = &parsed else { return None };
    let [first, inner @ .., last] = parts.asts.as_slice() else { return None };
    if !is_assertion(first, AssertionKind::StartLine)
        || !is_assertion(last, AssertionKind::EndLine)
        || inner.is_empty()
    {
        return None;
    }
    let mut written = "^".to_owned();
    inner.iter().try_for_each(|part| write(part, &mut written))?;
    written.push('$');
    Some(written)
}

fn is_assertion(part: &Ast, kind: AssertionKind) -> bool {
    matches!(part, Ast::Assertion(assertion) if assertion.kind == kind)
}

/// Writes a part of a pattern. Returns `None` if the converter doesn't know it.
fn write(part: &Ast, written: &mut String) -> Option<()> {
    match part {
        Ast::Literal(literal) => character(literal.c, written),
        // ECMAScript knows no such assertions, and reads an escaped bracket.
        Ast::Assertion(assertion) => match assertion.kind {
            AssertionKind::WordBoundaryStartAngle => character('<', written),
            AssertionKind::WordBoundaryEndAngle => character('>', written),
            _ => None,
        },
        Ast::ClassPerl(class) if !class.negated => {
            let _ = write!(written, "[{}]", perl(&class.kind)?);
            Some(())
        }
        Ast::ClassBracketed(class) if !class.negated => list(&class.kind, written),
        Ast::Group(group) if group.flags().is_none_or(|flags| flags.items.is_empty()) => {
            written.push('(');
            write(&group.ast, written)?;
            written.push(')');
            Some(())
        }
        Ast::Alternation(branches) => {
            for (index, branch) in branches.asts.iter().enumerate() {
                written.push_str(if index == 0 { "" } else { "|" });
                write(branch, written)?;
            }
            Some(())
        }
        Ast::Concat(parts) => parts.asts.iter().try_for_each(|part| write(part, written)),
        Ast::Repetition(repetition) => {
            let is_nested = matches!(*repetition.ast, Ast::Repetition(_));
            written.push_str(if is_nested { "(" } else { "" });
            write(&repetition.ast, written)?;
            written.push_str(if is_nested { ")" } else { "" });
            repeat(&repetition.op.kind, written)
        }
        _ => None,
    }
}

/// Writes a character. One with a meaning is written as a list, since the converter applies a repetition after an
/// escape to all of the text before it; so is one of several bytes.
fn character(c: char, written: &mut String) -> Option<()> {
    match c {
        _ if !is_plain(c) => return None,
        '^' => written.push_str(r"(\^)"),
        '[' | ']' => written.extend(['[', '\\', c, ']']),
        '$' | '.' | '(' | ')' | '|' | '{' | '}' | '*' | '+' | '?' => written.extend(['[', c, ']']),
        c if c.is_ascii() => written.push(c),
        c => written.extend(['[', c, ']']),
    }
    Some(())
}

/// Returns whether a character stands for itself in the text of a JSON string.
fn is_plain(c: char) -> bool {
    !c.is_control() && !matches!(c, '"' | '\\')
}

fn perl(kind: &ClassPerlKind) -> Option<&'static str> {
    match kind {
        ClassPerlKind::Digit => Some("0-9"),
        ClassPerlKind::Word => Some("A-Za-z0-9_"),
        // Among them are control characters.
        ClassPerlKind::Space => None,
    }
}

/// Writes a list of characters.
fn list(set: &ClassSet, written: &mut String) -> Option<()> {
    let mut items = Vec::new();
    match set {
        ClassSet::Item(ClassSetItem::Union(union)) => items.extend(&union.items),
        ClassSet::Item(item) => items.push(item),
        ClassSet::BinaryOp(operation) => match operation.kind {
            ClassSetBinaryOpKind::Intersection
            | ClassSetBinaryOpKind::Difference
            | ClassSetBinaryOpKind::SymmetricDifference => return None,
        },
    }
    let (mut inside, mut has_dash, mut has_caret) = (String::new(), false, false);
    for item in items {
        match item {
            ClassSetItem::Literal(Literal { c: '-', .. }) => has_dash = true,
            ClassSetItem::Literal(Literal { c: '^', .. }) => has_caret = true,
            ClassSetItem::Literal(literal) => listed(literal.c, &mut inside)?,
            ClassSetItem::Range(range) => {
                let (start, end) = (range.start.c, range.end.c);
                if !(start..=end).all(is_plain) {
                    return None;
                }
                listed(start, &mut inside)?;
                inside.push('-');
                listed(end, &mut inside)?;
            }
            ClassSetItem::Perl(class) if !class.negated => inside.push_str(perl(&class.kind)?),
            _ => return None,
        }
    }
    match (inside.is_empty(), has_caret, has_dash) {
        (true, true, false) => return character('^', written),
        // A caret at the beginning has another meaning, and so has a dash between characters.
        (true, true, true) => return None,
        (_, true, _) => inside.push('^'),
        (true, false, false) => return None,
        _ => {}
    }
    inside.push_str(if has_dash { "-" } else { "" });
    let _ = write!(written, "[{inside}]");
    Some(())
}

fn listed(c: char, inside: &mut String) -> Option<()> {
    if matches!(c, '[' | ']') {
        inside.push('\\');
    }
    inside.push(c);
    is_plain(c).then_some(())
}

fn repeat(kind: &RepetitionKind, written: &mut String) -> Option<()> {
    let (least, most) = match kind {
        RepetitionKind::ZeroOrOne => return push(written, "?"),
        RepetitionKind::ZeroOrMore => return push(written, "*"),
        RepetitionKind::OneOrMore => return push(written, "+"),
        RepetitionKind::Range(RepetitionRange::Exactly(count)) => {
            return counted(*count, &format!("{{{count}}}"), written);
        }
        RepetitionKind::Range(RepetitionRange::AtLeast(least)) => {
            return counted(*least, &format!("{{{least},}}"), written);
        }
        RepetitionKind::Range(RepetitionRange::Bounded(least, most)) => (least, most),
    };
    counted(*most, &format!("{{{least},{most}}}"), written)
}

fn counted(count: u32, text: &str, written: &mut String) -> Option<()> {
    (u64::from(count) <= MAX_REPETITIONS).then(|| written.push_str(text))
}

fn push(written: &mut String, text: &str) -> Option<()> {
    written.push_str(text);
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_are_written_as_the_converter_knows_them() {
        for (source, expected) in [
            ("^[a-z][A-Za-z0-9]*$", "^[a-z][A-Za-z0-9]*$"),
            (r"^\d{4}\-\d{2}$", "^[0-9]{4}-[0-9]{2}$"),
            (r"^a\/b$", "^a/b$"),
            (r"^\@x\ y$", "^@x y$"),
            (r"^hello there indeed\!$", "^hello there indeed!$"),
            (r"^[\w]+$", "^[A-Za-z0-9_]+$"),
            (r"^[\w.-]+@\w+\.[a-z]{2,}$", "^[A-Za-z0-9_.-]+@[A-Za-z0-9_]+[.][a-z]{2,}$"),
            (r"^a\:b\,c\;\#\%\&\=\~\'\<k\>l\_m$", "^a:b,c;#%&=~'<k>l_m$"),
            (r"^\u0041\x42$", "^AB$"),
            ("^(a|b){2,3}$", "^(a|b){2,3}$"),
            ("^(?:a|b)$", "^(a|b)$"),
            (r"^ab\.+\^+\[é?$", r"^ab[.]+(\^)+[\[][é]?$"),
            (r"^[\]a^-]$", r"^[\]a^-]$"),
            ("^(a{2}){3}a+?$", "^(a{2}){3}a+$"),
        ] {
            assert_eq!(pattern(source).as_deref(), Some(expected), "{source}");
        }
    }

    #[test]
    fn what_the_converter_can_not_express_is_none() {
        for source in [
            "^$",
            "[a-z]+",
            "^a|b$",
            "^(^a)$",
            "^(?i)a$",
            r"^\w+\s\S$",
            r"^\p{L}+$",
            "^a{,3}$",
            r#"^\@x\ y\"z$"#,
            r"^[^\-\/]+$",
            r"^a\\b$",
            "^.*$",
            "^[ -~]$",
            r"^\t$",
            r"^\ba$",
            "^(?=a)b$",
            r"^(a)\1$",
            "^a{3000}$",
            "^(a|)$",
            "(",
        ] {
            assert_eq!(pattern(source), None, "{source}");
        }
    }
}
