use proc_macro2::Span;
use syn::LitStr;

use crate::template::{
    piece::{Piece, TemplateText},
    reader::read_text,
};

fn read(source: &str) -> TemplateText {
    let literal = LitStr::new(source, Span::call_site());
    read_text(literal, source.to_owned(), false)
}

fn outline(source: &str) -> Vec<String> {
    let pieces = read(source).pieces;
    let outline = pieces.into_iter().map(|piece| match piece {
        Piece::Text(text) => text,
        Piece::Expr { code, at, .. } => format!("{code} at {at}"),
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
