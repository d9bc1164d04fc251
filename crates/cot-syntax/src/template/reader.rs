//! Templates: text with `${ expression }` in it, a file of such text, or a function.

use std::{fmt, path::PathBuf, str::FromStr};

use proc_macro2::{Group, Span, TokenStream, TokenTree};
use syn::{
    Expr, LitStr, Path, Result, Token,
    ext::IdentExt,
    parse::{Parse, ParseStream},
};

use crate::diagnostics::error_at;
use crate::template::brackets::{Unbalanced, closing_brace};

/// What stands where text is wanted.
#[derive(Debug)]
pub enum Template {
    Text(TemplateText),
    /// `fn(&Scope<P>) -> String`.
    Function(Path),
}

/// The text of a template, taken apart.
#[derive(Debug)]
pub struct TemplateText {
    /// The text itself, or the name of the included file: where errors point.
    pub literal: LitStr,
    /// Whether `literal` names a file.
    pub included: bool,
    pub source: String,
    pub pieces: Vec<Piece>,
    /// What could not be read.
    pub flaws: Vec<Flaw>,
}

/// A piece of a template.
#[derive(Debug)]
pub enum Piece {
    Text(String),
    /// `${ … }`.
    Shown {
        expr: Box<Expr>,
        code: String,
        at: Position,
    },
}

/// Something in a template that could not be read.
#[derive(Debug)]
pub struct Flaw {
    pub at: Position,
    pub code: String,
    pub message: String,
    pub help: String,
}

/// Line and column inside a template, from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Position {
    pub line: usize,
    pub column: usize,
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}", self.line, self.column)
    }
}

impl Parse for Template {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        if input.peek(LitStr) {
            let literal: LitStr = input.parse()?;
            let source = literal.value();
            let text = TemplateText::read(literal, source, false);
            return if text.is_cut_off(input) { Err(cut_off(&text)) } else { Ok(Self::Text(text)) };
        }
        let fork = input.fork();
        if fork.call(syn::Ident::parse_any).is_ok_and(|word| word == "include") && fork.peek(LitStr)
        {
            input.call(syn::Ident::parse_any)?;
            let literal: LitStr = input.parse()?;
            let source = include(&literal)?;
            return Ok(Self::Text(TemplateText::read(literal, source, true)));
        }
        if input.fork().parse::<Path>().is_ok() {
            return input.parse().map(Self::Function);
        }
        Err(error_at(
            input.span(),
            "expected a template",
            "write a string, `include \"file\"`, or the name of a function `fn(&Scope<P>) -> String`",
        ))
    }
}

impl Template {
    /// In the place of a template with a mistake that has been reported.
    pub(crate) fn unreadable(span: Span) -> Self {
        Self::Text(TemplateText::read(LitStr::new("", span), String::new(), false))
    }
}

/// A `"` inside of `${ … }` has ended the string.
fn cut_off(text: &TemplateText) -> syn::Error {
    error_at(
        text.literal.span(),
        "this string ends inside of `${ … }`",
        "write `\\\"` for a quote inside of it, or the template as a raw string: `r#\"…\"#`",
    )
}

fn include(literal: &LitStr) -> Result<String> {
    let path = beside(literal.span(), &literal.value());
    std::fs::read_to_string(&path).map_err(|error| {
        error_at(
            literal.span(),
            format!("can't read `{}`: {error}", literal.value()),
            "the path is relative to this source file, as in `include_str!`",
        )
    })
}

/// The path of a file that is named relative to the source file of a token.
fn beside(span: Span, name: &str) -> PathBuf {
    // Outside a compiler (in this crate's own tests) there are no source files.
    let file = if proc_macro::is_available() { span.unwrap().local_file() } else { None };
    let source = file.or_else(|| {
        // Without a source file (an editor's expansion), the package is the best guess.
        std::env::var_os("CARGO_MANIFEST_DIR").map(|root| PathBuf::from(root).join("src/lib.rs"))
    });
    source.unwrap_or_default().with_file_name(name)
}

impl TemplateText {
    fn read(literal: LitStr, source: String, included: bool) -> Self {
        // Tokens that seem to be the user's own would draw suggestions of rustc that replace the
        // whole template with one word.
        let span = Span::call_site().located_at(literal.span());
        let mut reader = Reader { span, own: literal.span(), ..Reader::default() };
        reader.read(&source);
        let Reader { pieces, flaws, .. } = reader;
        Self { literal, included, source, pieces, flaws }
    }
}

impl TemplateText {
    /// Whether something is left open, and what follows is no way to go on behind a template.
    fn is_cut_off(&self, input: ParseStream<'_>) -> bool {
        let goes_on = |word: syn::Ident| word == "with" || word == "if";
        let follows = input.is_empty()
            || input.peek(Token![,])
            || input.fork().call(syn::Ident::parse_any).is_ok_and(goes_on);
        let open = self.flaws.last().is_some_and(|flaw| flaw.message == UNCLOSED);
        // A word right behind the quote has become a suffix of the string.
        open && (!follows || !self.literal.suffix().is_empty())
    }
}

const UNCLOSED: &str = "`${` is never closed";

struct Reader {
    span: Span,
    /// The user's own place.
    own: Span,
    text: String,
    pieces: Vec<Piece>,
    flaws: Vec<Flaw>,
}

impl Default for Reader {
    fn default() -> Self {
        let span = Span::call_site();
        Self { span, own: span, text: String::new(), pieces: vec![], flaws: vec![] }
    }
}

impl Reader {
    fn read(&mut self, source: &str) {
        let mut rest = source;
        while let Some(dollar) = rest.find('$') {
            self.text.push_str(&rest[..dollar]);
            rest = &rest[dollar..];
            if let Some(after) = rest.strip_prefix("$${") {
                self.text.push_str("${");
                rest = after;
            } else if let Some(inside) = rest.strip_prefix("${") {
                let at = position(source, source.len() - rest.len());
                rest = self.read_shown(inside, at);
            } else {
                self.text.push('$');
                rest = &rest[1..];
            }
        }
        self.text.push_str(rest);
        self.end_text();
    }

    /// Reads an expression up to its `}`; the result is what follows.
    fn read_shown<'a>(&mut self, inside: &'a str, at: Position) -> &'a str {
        let Some(end) = closing_brace(inside) else {
            let line = inside.lines().next().unwrap_or_default();
            self.flaws.push(Flaw {
                at,
                code: format!("${{{line}"),
                message: UNCLOSED.to_owned(),
                help: never_closed(inside),
            });
            return "";
        };
        let code = format!("${{{}}}", &inside[..end]);
        match self.expression(&inside[..end]) {
            Ok(expr) => {
                self.end_text();
                self.pieces.push(Piece::Shown { expr: Box::new(expr), code, at });
            }
            Err(error) => {
                let (message, help) = no_expression(&inside[..end], &error);
                self.flaws.push(Flaw { at, code, message, help });
            }
        }
        &inside[end + 1..]
    }

    fn expression(&self, code: &str) -> Result<Expr> {
        let tokens = LitStr::new(code, self.span).parse::<TokenStream>()?;
        syn::parse2(in_edition(tokens, self.span.resolved_at(self.own)))
    }

    fn end_text(&mut self) {
        if !self.text.is_empty() {
            self.pieces.push(Piece::Text(std::mem::take(&mut self.text)));
        }
    }
}

/// Words that are keywords in the edition of this crate and may be none in the user's own.
pub const NEW_KEYWORDS: [&str; 1] = ["gen"];

/// The same tokens, with words that are keywords in some editions alone as the user's own edition has them.
fn in_edition(tokens: TokenStream, own: Span) -> TokenStream {
    let place = |token| match token {
        TokenTree::Group(group) => {
            let mut placed = Group::new(group.delimiter(), in_edition(group.stream(), own));
            placed.set_span(group.span());
            TokenTree::Group(placed)
        }
        TokenTree::Ident(mut word) if NEW_KEYWORDS.iter().any(|keyword| word == keyword) => {
            word.set_span(own);
            TokenTree::Ident(word)
        }
        token => token,
    };
    tokens.into_iter().map(place).collect()
}

/// How to close `${`.
fn never_closed(inside: &str) -> String {
    match Unbalanced::find(inside) {
        Some(Unbalanced::Text) => {
            "a string inside of it is not closed: write `\"` at its end".to_owned()
        }
        Some(Unbalanced::Mismatch { open, close }) => {
            format!("`{open}` inside of it meets `{close}`: close it before that")
        }
        _ => "close it with `}`; a literal `${` is written `$${`".to_owned(),
    }
}

/// What is wrong with `${code}`, and what to write instead.
fn no_expression(code: &str, error: &syn::Error) -> (String, String) {
    if code.trim().is_empty() {
        let help = "write an expression in it; a literal `${` is written `$${`";
        return ("nothing is shown here".to_owned(), help.to_owned());
    }
    let reads = |code: &str| syn::parse_str::<Expr>(code).is_ok();
    if TokenStream::from_str(code).is_err() {
        return no_tokens(code, reads);
    }
    let help = match code.rsplit_once(':') {
        Some((value, format)) if !value.ends_with(':') && reads(value) => {
            format!("to format a value write `${{format!(\"{{:{format}}}\", {value})}}`")
        }
        _ if reads(&format!("{{{code}}}")) => {
            format!("write a block: `${{{{ {} }}}}`", code.trim())
        }
        _ => "`${ … }` holds one Rust expression; a literal `${` is written `$${`".to_owned(),
    };
    (format!("this is not a Rust expression: {error}"), help)
}

/// The same where the code can't even be taken apart into tokens.
fn no_tokens(code: &str, reads: impl Fn(&str) -> bool) -> (String, String) {
    match Unbalanced::find(code) {
        Some(Unbalanced::Open { open, closing }) => {
            let closed = format!("{}{closing}", code.trim_end());
            let help = match reads(&closed) {
                true => format!("did you mean `${{{closed}}}`?"),
                false => format!("write `{closing}` where it ends"),
            };
            (format!("`{open}` is not closed"), help)
        }
        Some(Unbalanced::Mismatch { open, close }) => {
            let message = format!("`{open}` is not closed: `{close}` comes first");
            (message, format!("close `{open}` before that, or remove `{close}`"))
        }
        Some(Unbalanced::Close(close)) => {
            (format!("`{close}` closes nothing"), "remove it, or open it before".to_owned())
        }
        Some(Unbalanced::Text) | None => (
            "this is no Rust: a quote, a number or a character in it can't be read".to_owned(),
            "a text stands in `\"…\"`, one character in `'…'`; a literal `${` is written `$${`"
                .to_owned(),
        ),
    }
}

fn position(source: &str, offset: usize) -> Position {
    let before = &source[..offset];
    let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
    Position {
        line: before.matches('\n').count() + 1,
        column: before[line_start..].chars().count() + 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(source: &str) -> TemplateText {
        let literal = LitStr::new(source, Span::call_site());
        TemplateText::read(literal, source.to_owned(), false)
    }

    fn outline(source: &str) -> Vec<String> {
        let pieces = read(source).pieces;
        let outline = pieces.into_iter().map(|piece| match piece {
            Piece::Text(text) => text,
            Piece::Shown { code, at, .. } => format!("{code} at {at}"),
        });
        outline.collect()
    }

    #[test]
    fn plain_braces_are_text() {
        assert_eq!(outline(r#"{"a": {}} $5 $"#), [r#"{"a": {}} $5 $"#]);
    }

    #[test]
    fn expressions_end_at_their_own_brace() {
        assert_eq!(
            outline("a\n ${f(\"}\", '}', { 1 })}b$${x}"),
            ["a\n ", "${f(\"}\", '}', { 1 })} at line 2, column 2", "b${x}"]
        );
    }

    #[test]
    fn braces_in_literals_and_comments_do_not_close() {
        for code in [
            r##"f(r"\", "}")"##,
            r###"r#"a"}"#"###,
            r#"f('\"', '}', '\'', '{')"#,
            "1 /* } */ + 2",
            "f::<'a>(b'}')",
            "br\"}\".len()",
        ] {
            let template = format!("${{{code}}}!");
            assert_eq!(read(&template).pieces.len(), 2, "{code}: {:?}", read(&template).flaws);
        }
    }

    #[test]
    fn columns_count_characters() {
        assert_eq!(outline("é ${x}"), ["é ", "${x} at line 1, column 3"]);
    }

    #[test]
    fn an_open_expression_and_a_bad_one_are_flaws() {
        let flaws = read("${a b} ${c").flaws;
        let outline: Vec<_> = flaws.iter().map(|flaw| (&*flaw.code, flaw.at.column)).collect();
        assert_eq!(outline, [("${a b}", 1), ("${c", 8)]);
    }
}
