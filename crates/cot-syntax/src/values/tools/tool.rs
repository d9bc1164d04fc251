//! Parses the tools of a process: `tools: { name: function "what it does" { setting: value } if guard, … }`.

use std::cell::Cell;

use quote::ToTokens;
use syn::{
    Expr, Ident, LitStr, Path, Result, Token, braced, ext::IdentExt as _, parse::ParseStream, token,
};

use crate::{
    diagnostics::{Errors, with_default_help},
    items::tool::ToolItems,
    parse::{
        list::{parse_list, parse_mark},
        row::{ItemValue, ValueView},
        value_syntax::ValueSyntax,
    },
    values::{
        found_in::FoundRow,
        plain::parse_function,
        tools::names::{ToolName, ToolSelection},
        with::parse_guard,
    },
};

/// The tools of a process.
#[derive(Debug)]
pub struct Tools {
    /// The tools.
    pub tools: Vec<Tool>,
    /// Whether no entry was skipped, so that all names are known.
    pub is_complete: bool,
}

/// A tool: a function that models can call, or a source of them.
#[derive(Debug)]
pub struct Tool {
    /// The name.
    pub name: Ident,
    /// The function or the source.
    pub work: ToolWork,
    /// The settings.
    pub items: ToolItems,
    /// Whether the settings are invalid, which has been reported.
    pub has_invalid_items: bool,
    /// The guard. The tool is not offered if it does not hold.
    pub guard: Option<Expr>,
}

/// What performs the calls of a tool.
#[derive(Debug)]
pub enum ToolWork {
    /// A function of the program.
    Function {
        /// The function.
        path: Path,
        /// What it does, for the model.
        description: Option<LitStr>,
    },
    /// `source expression`: a source in the context of the process.
    Source(Box<Expr>),
}

const SETTINGS: &str = "write the settings of a tool as `{ key: value, … }`";

const FORM: &str = "name: function \"what it does\" if guard` or `name: source app.tools";

impl ItemValue for Tools {
    const SYNTAX: ValueSyntax = ValueSyntax::Tools;

    fn parse_value(input: ParseStream<'_>, errors: &Errors) -> Result<Self> {
        let content;
        braced!(content in input);
        // The errors of entries that were read all the same.
        let (before, mended) = (errors.len(), Cell::new(0));
        let tools = parse_list(&content, errors, FORM, |input| {
            let before = errors.len();
            let tool = Tool::parse(input, errors)?;
            mended.set(mended.get() + errors.len() - before);
            Ok(tool)
        });
        Ok(Self { tools, is_complete: errors.len() - before == mended.get() })
    }

    fn view(&self) -> ValueView<'_> {
        let retries = self.tools.iter().filter_map(|tool| tool.items.retry.as_ref());
        let numbers = retries.map(|retry| retry.value.view());
        let numbers = numbers.filter_map(|view| match view {
            ValueView::Numbers(numbers) => Some(numbers),
            _ => None,
        });
        ValueView::Numbers(numbers.flatten().collect())
    }
}

impl Tool {
    fn parse(input: ParseStream<'_>, errors: &Errors) -> Result<Self> {
        let name = input.call(Ident::parse_any)?;
        parse_mark::<Token![:]>(input, errors, FORM)?;
        let work = ToolWork::parse(&name, input, errors)?;
        let items = match input.peek(token::Brace) {
            true => ToolItems::parse_settings(input, errors),
            false => Ok(ToolItems::default()),
        };
        let has_invalid_items = items.is_err();
        // The name of the tool is known even if its settings are invalid.
        let items = items.unwrap_or_else(|error| {
            errors.push(with_default_help(error, SETTINGS));
            ToolItems::default()
        });
        Ok(Self { name, work, items, has_invalid_items, guard: parse_guard(input)? })
    }

    /// Returns the names of the tools of a source that can be called, if they are listed.
    pub fn named(&self) -> &[ToolName] {
        match self.items.only.as_ref().map(|item| &item.value) {
            Some(ToolSelection::Named(names)) => names,
            _ => &[],
        }
    }

    /// Returns the arguments of `found_in` with their sources.
    pub fn found_rows(&self) -> &[FoundRow] {
        self.items.found_in.as_ref().map_or(&[], |item| &item.value.rows)
    }

    /// Returns whether the results come from outside: if the tool says so, and those of a source unless it says why not.
    pub fn gives_untrusted(&self) -> bool {
        let is_source = matches!(self.work, ToolWork::Source(_));
        self.items.untrusted.is_some() || is_source && self.items.trusts.is_none()
    }

    /// Returns whether all tools of a source can be called.
    pub fn takes_all(&self) -> bool {
        matches!(&self.items.only, Some(item) if matches!(item.value, ToolSelection::All))
    }
}

impl ToolWork {
    fn parse(name: &Ident, input: ParseStream<'_>, errors: &Errors) -> Result<Self> {
        let has_word = is_source(input);
        if has_word || is_expression(input) {
            let word = input.fork();
            if has_word {
                input.parse::<Ident>()?;
            }
            let expr = Expr::parse_without_eager_brace(input)?;
            if !has_word {
                let code = expr.to_token_stream().to_string().replace(' ', "");
                let help = format!(
                    "write `{name}: source {code}`, or `{name}: function \"what it does\"`"
                );
                errors.add_with_help(word.span(), "expected `source` before an expression", help);
            }
            return Ok(Self::Source(Box::new(expr)));
        }
        let path = parse_function(input)?;
        if input.peek(Token![,]) && input.peek2(LitStr) {
            let function = path.to_token_stream().to_string().replace(' ', "");
            let help = format!("write `{name}: {function} \"what it does\"`");
            errors.add_with_help(input.span(), "unexpected `,` before the description", help);
            input.parse::<Token![,]>()?;
        }
        Ok(Self::Function { path, description: input.parse()? })
    }
}

/// Returns whether the next tokens are an expression that is no name of a function: a source without its word.
fn is_expression(input: ParseStream<'_>) -> bool {
    let fork = input.fork();
    input.peek(Token![&])
        || fork.parse::<Path>().is_ok() && (fork.peek(Token![.]) || fork.peek(token::Paren))
}

/// Returns whether the word `source` follows, and an expression after it. A function can have this name, too.
fn is_source(input: ParseStream<'_>) -> bool {
    let fork = input.fork();
    fork.parse::<Ident>().is_ok_and(|word| word == "source")
        && (fork.peek(Ident) || fork.peek(Token![&]) || fork.peek(token::Paren))
}
