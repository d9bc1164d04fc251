//! Parses `found_in: source` and `found_in: { member: source, … }`.

use syn::{Expr, Result, Token, braced, parse::ParseStream, token};

use crate::{
    diagnostics::{Errors, error_at},
    parse::{list::parse_list, row::ItemValue, value_syntax::ValueSyntax},
    values::path::{PathSegment, StatePath},
};

/// The sources in which the values of an output have to stand.
#[derive(Debug)]
pub struct FoundIn {
    /// The members with their sources.
    pub rows: Vec<FoundRow>,
    /// Whether the braces are empty.
    pub is_empty: bool,
}

/// A member of an output with its source.
#[derive(Debug)]
pub struct FoundRow {
    /// The path of the member, in which `[]` stands for each item of a list; empty for the whole output.
    pub member: StatePath,
    /// The text in which the member has to stand.
    pub source: Expr,
}

const FORM: &str = "member: state.source";

impl ItemValue for FoundIn {
    const SYNTAX: ValueSyntax = ValueSyntax::Sources;

    fn parse_value(input: ParseStream<'_>, errors: &Errors) -> Result<Self> {
        if !input.peek(token::Brace) {
            let member = StatePath { segments: Vec::new() };
            return Ok(Self {
                rows: vec![FoundRow { member, source: input.parse()? }],
                is_empty: false,
            });
        }
        let content;
        braced!(content in input);
        let is_empty = content.is_empty();
        Ok(Self { rows: parse_list(&content, errors, FORM, FoundRow::parse), is_empty })
    }
}

impl FoundRow {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let member = parse_member(input)?;
        input.parse::<Token![:]>()?;
        Ok(Self { member, source: input.parse()? })
    }
}

fn parse_member(input: ParseStream<'_>) -> Result<StatePath> {
    let mut segments = Vec::new();
    if !input.peek(token::Bracket) {
        segments.push(PathSegment::Field { dot: None, member: input.parse()? });
    }
    while let Some(next) = PathSegment::parse_next(input)? {
        if let Some(PathSegment::Insert(bracket, _)) = next.first() {
            return Err(error_at(
                bracket.span.join(),
                "a member of `found_in` names no single item",
                "write `items[].name` for the members of all items",
            ));
        }
        segments.extend(next);
    }
    Ok(StatePath { segments })
}
