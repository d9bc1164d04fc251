//! Parses the parts and primers of prompts: `{ name: "template", … }`.

use proc_macro2::TokenTree;
use syn::{Ident, Result, Token, braced, ext::IdentExt, parse::ParseStream};

use crate::{
    diagnostics::{Errors, join_names, suggest, with_default_help},
    parse::{
        list::{parse_list, parse_mark},
        row::ItemValue,
        value_syntax::{ValueSyntax, WordSet},
    },
    template::syntax::Template,
    values::keyword::report_keyword,
};

/// A named template.
#[derive(Debug)]
pub struct Part {
    /// The name.
    pub name: Ident,
    /// The template.
    pub template: Template,
}

/// The value of `prompts`: named texts that prompts can show.
#[derive(Debug)]
pub struct Prompts(pub Vec<Part>);

/// The value of `primers`: texts in place of the default ones around the standard parts of prompts.
#[derive(Debug)]
pub struct Primers(pub Vec<Part>);

/// The names of primers.
pub static PRIMERS: WordSet = WordSet {
    name: "Primer",
    words: &[
        "goal",
        "history",
        "errors",
        "after_errors",
        "transitions",
        "tasks",
        "transition",
        "output",
        "choice",
        "or_choice",
        "go_to",
        "inputs",
        "no_inputs",
        "intent",
        "step_after",
    ],
};

const FORM: &str = "name: \"template\"";

impl ItemValue for Prompts {
    const SYNTAX: ValueSyntax = ValueSyntax::Parts;
    const SHOWS_TEMPLATES: bool = true;

    fn parse_value(input: ParseStream<'_>, errors: &Errors) -> Result<Self> {
        let mut parts = parse_parts(input, errors)?;
        parts.retain(|part| !report_keyword(&part.name, errors));
        Ok(Self(parts))
    }
}

impl ItemValue for Primers {
    const SYNTAX: ValueSyntax = ValueSyntax::Primers;
    const SHOWS_TEMPLATES: bool = true;

    fn parse_value(input: ParseStream<'_>, errors: &Errors) -> Result<Self> {
        let mut parts = parse_parts(input, errors)?;
        parts.retain(|part| {
            let known = PRIMERS.words.iter().any(|name| part.name == name);
            if !known {
                report_unknown(&part.name, errors);
            }
            known
        });
        Ok(Self(parts))
    }
}

fn report_unknown(name: &Ident, errors: &Errors) {
    let names = || PRIMERS.words.iter().copied();
    let help = match suggest(&name.to_string(), names()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("the primers are {}", join_names(names())),
    };
    errors.add_with_help(name.span(), format!("unknown primer `{name}`"), help);
}

fn parse_parts(input: ParseStream<'_>, errors: &Errors) -> Result<Vec<Part>> {
    let content;
    braced!(content in input);
    Ok(parse_list(&content, errors, FORM, |input| Part::parse(input, errors)))
}

impl Part {
    fn parse(input: ParseStream<'_>, errors: &Errors) -> Result<Self> {
        let name = input.call(Ident::parse_any)?;
        let mark = parse_mark::<Token![:]>(input, errors, FORM);
        let template = match mark.and_then(|()| input.parse()) {
            Ok(template) => template,
            Err(error) => {
                // The part is declared even if its text is invalid, so that its uses are not reported too.
                errors.push(with_default_help(error, &format!("write `{FORM}`")));
                while !input.is_empty() && !input.peek(Token![,]) {
                    input.parse::<TokenTree>()?;
                }
                Template::placeholder(name.span())
            }
        };
        Ok(Self { name, template })
    }
}
