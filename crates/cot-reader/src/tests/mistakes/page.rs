//! JSON as a list of tokens, in the layouts of models.

use fastrand::Rng;
use serde_json::Value;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Is {
    Open,
    Close,
    Colon,
    Comma,
    Key,
    Text,
    /// A number or a literal.
    Word,
    Blank,
}

#[derive(Debug, Clone)]
pub(super) struct Token {
    pub(super) is: Is,
    pub(super) text: String,
    /// Whether the innermost bracket around the token is that of a list.
    pub(super) in_list: bool,
    pub(super) depth: usize,
    /// Whether the token is a value or key of the map of texts.
    pub(super) raw: String,
}

/// A document that is being written.
#[derive(Debug, Clone)]
pub(super) struct Page {
    pub(super) tokens: Vec<Token>,
    pub(super) is_pretty: bool,
}

struct Writer {
    tokens: Vec<Token>,
    colon: &'static str,
    comma: &'static str,
    indent: Option<usize>,
    depth: usize,
    in_list: bool,
}

impl Page {
    pub(super) fn new(value: &Value, rng: &mut Rng) -> Self {
        let (colon, comma, indent) = match rng.u8(..4) {
            0 => ("", "", None),
            1 => (" ", " ", None),
            2 => (" ", "", Some(2)),
            _ => (" ", "", Some(4)),
        };
        let mut writer =
            Writer { tokens: Vec::new(), colon, comma, indent, depth: 0, in_list: false };
        writer.value(value);
        Self { tokens: writer.tokens, is_pretty: indent.is_some() }
    }

    pub(super) fn json(&self) -> String {
        self.tokens.iter().map(|token| token.text.as_str()).collect()
    }

    /// Returns the position of a random token of a kind.
    pub(super) fn any(&self, rng: &mut Rng, fits: impl Fn(&Token) -> bool) -> Option<usize> {
        let places: Vec<usize> =
            (0..self.tokens.len()).filter(|at| fits(&self.tokens[*at])).collect();
        rng.choice(places)
    }

    pub(super) fn one(&self, rng: &mut Rng, is: Is) -> Option<usize> {
        self.any(rng, |token| token.is == is)
    }

    /// Replaces one token.
    pub(super) fn with(&self, at: usize, text: impl Into<String>) -> String {
        let mut page = self.clone();
        page.tokens[at].text = text.into();
        page.json()
    }

    /// Replaces all tokens of a kind.
    pub(super) fn each(&self, write: impl Fn(&Token) -> String) -> String {
        self.tokens.iter().map(write).collect()
    }

    /// Returns the next token in a direction that is not blank.
    pub(super) fn beside(&self, at: usize, step: isize) -> Option<usize> {
        let mut at = at.checked_add_signed(step)?;
        while self.tokens.get(at)?.is == Is::Blank {
            at = at.checked_add_signed(step)?;
        }
        Some(at)
    }

    /// Returns the end of the value at a position.
    pub(super) fn end(&self, at: usize) -> usize {
        let open = &self.tokens[at];
        if open.is != Is::Open {
            return at;
        }
        let closes = |token: &Token| token.is == Is::Close && token.depth == open.depth;
        at + self.tokens[at..].iter().position(closes).unwrap()
    }

    pub(super) fn slice(&self, from: usize, to: usize) -> String {
        self.tokens[from..to].iter().map(|token| token.text.as_str()).collect()
    }
}

impl Writer {
    fn push(&mut self, is: Is, text: impl Into<String>, raw: &str) {
        let (text, raw) = (text.into(), raw.to_owned());
        self.tokens.push(Token { is, text, in_list: self.in_list, depth: self.depth, raw });
    }

    fn blank(&mut self, text: impl Into<String>) {
        let text = text.into();
        if !text.is_empty() {
            self.push(Is::Blank, text, "");
        }
    }

    fn line(&mut self) {
        if let Some(indent) = self.indent {
            self.blank(format!("\n{}", " ".repeat(indent * self.depth)));
        }
    }

    fn value(&mut self, value: &Value) {
        match value {
            Value::String(text) => self.push(Is::Text, value.to_string(), text),
            Value::Array(items) => {
                self.parts("[", "]", items.iter().map(|item| (None, item)), true);
            }
            Value::Object(members) => {
                let members = members.iter().map(|(key, value)| (Some(key), value));
                self.parts("{", "}", members, false);
            }
            _ => self.push(Is::Word, value.to_string(), &value.to_string()),
        }
    }

    fn parts<'v>(
        &mut self,
        open: &str,
        close: &str,
        parts: impl Iterator<Item = (Option<&'v String>, &'v Value)>,
        is_list: bool,
    ) {
        self.push(Is::Open, open, "");
        let outer = std::mem::replace(&mut self.in_list, is_list);
        self.depth += 1;
        let mut is_first = true;
        for (key, value) in parts {
            if !is_first {
                self.push(Is::Comma, ",", "");
                self.blank(self.comma);
            }
            is_first = false;
            self.line();
            if let Some(key) = key {
                self.push(Is::Key, Value::from(key.as_str()).to_string(), key);
                self.push(Is::Colon, ":", "");
                self.blank(self.colon);
            }
            self.value(value);
        }
        self.depth -= 1;
        self.in_list = outer;
        if !is_first {
            self.line();
        }
        self.push(Is::Close, close, "");
    }
}
