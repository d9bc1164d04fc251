//! The operators after an expression and their operands.

use super::{parser::Parser, stand_in};
use crate::{
    diagnostic::{Code, quote_excerpt},
    lex::{BULLET, OPEN, PICTURE, Postfix},
    number::Number,
    value::{Expr, Located},
};

impl Parser<'_> {
    /// Parses the marks after an expression and the whitespace after them.
    pub(super) fn marks(&mut self, expr: &mut Expr) {
        while let Some(postfix) = self.postfix() {
            match postfix {
                Postfix::Tag => {
                    let tags = self.names(postfix);
                    expr.marks_mut().tags.extend(tags);
                }
                Postfix::Reference => {
                    let references = self.names(postfix);
                    expr.marks_mut().references.extend(references);
                }
                Postfix::Satisfies => self.satisfied(expr),
                Postfix::Confidence => self.confidence(expr),
            }
        }
    }

    fn postfix(&mut self) -> Option<Postfix> {
        let blanks = self.cursor.after_blanks(self.cursor.at);
        self.cursor.skip_space();
        let c = self.cursor.peek()?;
        if let Some(postfix) = Postfix::from_char(c) {
            self.cursor.skip();
            self.cursor.eat(PICTURE);
            return Some(postfix);
        }
        if blanks != self.cursor.at {
            return None;
        }
        let (postfix, length) = stand_in::postfix(self.cursor.rest())?;
        let sign = quote_excerpt(self.cursor.rest()[..length].trim_end());
        self.add(Code::StandIn, format!("write `{}` for {sign}", postfix.sign()));
        self.cursor.at += length;
        self.cursor.eat(PICTURE);
        Some(postfix)
    }

    fn satisfied(&mut self, expr: &mut Expr) {
        for Located { value: text, position } in self.names(Postfix::Satisfies) {
            match Number::parse_item(&text) {
                Some(number) => {
                    expr.marks_mut().satisfies.push(Located { value: number, position });
                }
                None => {
                    let message = "`⊨` takes the number of a todo item";
                    self.findings.add(Code::BadOperand, position, message);
                }
            }
        }
    }

    fn confidence(&mut self, expr: &mut Expr) {
        self.cursor.skip_space();
        let Some(Located { value: text, position }) = self.name(Postfix::Confidence) else {
            return;
        };
        let number = Number::parse(&text);
        if number.is_none() {
            let message = "`𝑝` takes a number from 0 to 1";
            self.findings.add(Code::BadOperand, position, message);
        }
        let percent = || Number::parse(text.strip_suffix('%')?).map(|number| number.as_f64());
        let number = number.or_else(|| Number::from_f64(percent()? / 100.0));
        let Some(number) = number else { return };
        let marks = expr.marks_mut();
        if marks.confidence.is_some() {
            self.findings.add(Code::BadOperand, position, "there is a confidence already");
        } else {
            marks.confidence = Some(Located { value: number, position });
        }
    }

    /// Parses one name, several separated by commas, or an array of names.
    fn names(&mut self, postfix: Postfix) -> Vec<Located<String>> {
        self.cursor.skip_space();
        if self.cursor.peek() == Some('[') {
            return self.list(postfix);
        }
        let mut names: Vec<_> = self.name(postfix).into_iter().collect();
        while !names.is_empty() && self.skip_name_comma() {
            names.extend(self.name(postfix));
        }
        names
    }

    /// Skips a comma between names; returns false at a comma that separates entries.
    fn skip_name_comma(&mut self) -> bool {
        let comma = self.cursor.after_blanks(self.cursor.at);
        if !self.cursor.text[comma..].starts_with(',') {
            return false;
        }
        let next = self.cursor.after_blanks(comma + 1);
        let c = self.cursor.text[next..].chars().next();
        if !c.is_some_and(begins_name) || self.key_follows(next) {
            return false;
        }
        self.cursor.at = next;
        true
    }

    fn list(&mut self, postfix: Postfix) -> Vec<Located<String>> {
        let start = self.cursor.position();
        self.cursor.skip();
        let mut names = Vec::new();
        let mut is_separated = true;
        loop {
            self.cursor.skip_space();
            match self.cursor.peek() {
                Some(']') => {
                    self.cursor.skip();
                    return names;
                }
                Some(c @ (BULLET | ',' | ';')) => {
                    if is_separated {
                        self.add(Code::Unexpected, format!("there is nothing before `{c}`"));
                    } else if c == ';' {
                        self.add(Code::StandIn, "write `•` for `;`");
                    }
                    is_separated = true;
                    self.cursor.skip();
                }
                Some(c) if is_name_start(c) => {
                    if !is_separated {
                        self.add(Code::MissingSeparator, "there is no `•` before this");
                    }
                    is_separated = false;
                    names.extend(self.name(postfix));
                }
                _ => {
                    self.findings.add(Code::UnclosedArray, start, "the array has no `]`");
                    return names;
                }
            }
        }
    }

    fn name(&mut self, postfix: Postfix) -> Option<Located<String>> {
        let position = self.cursor.position();
        let text = match self.cursor.peek() {
            Some('"') => self.quoted(position),
            Some(OPEN) => self.special(position),
            _ => {
                let start = self.cursor.at;
                self.cursor.at = self.cursor.part_end(start);
                unquoted(&self.cursor.text[start..self.cursor.at]).to_owned()
            }
        };
        if text.is_empty() {
            let message = format!("there is nothing after `{}`", postfix.sign());
            self.findings.add(Code::BadOperand, position, message);
            return None;
        }
        Some(Located { value: text, position })
    }
}

/// Removes the single quotes around a name.
fn unquoted(word: &str) -> &str {
    word.strip_prefix('\'').and_then(|rest| rest.strip_suffix('\'')).unwrap_or(word)
}

/// Returns whether a character after a comma begins another name.
pub(crate) fn begins_name(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '"' | '_' | OPEN)
}

fn is_name_start(c: char) -> bool {
    matches!(c, '"' | OPEN) || !super::super::lex::ends_word(c)
}
