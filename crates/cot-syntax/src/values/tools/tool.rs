//! Parses the tools of a process: `tools: { name: function "what it does" { setting: value } if guard, … }`.

use syn::{
    Expr, Ident, LitStr, Path, Result, Token, braced, ext::IdentExt as _, parse::ParseStream, token,
};

use crate::{
    diagnostics::Errors,
    items::tool::ToolItems,
    parse::{
        list::{parse_list, parse_mark},
        row::{ItemValue, ValueView},
        value_syntax::ValueSyntax,
    },
    values::{
        plain::parse_function,
        tools::names::{ToolName, ToolSelection},
        with::parse_guard,
    },
};

/// The tools of a process.
#[derive(Debug)]
pub struct Tools(pub Vec<Tool>);

/// A tool: a function that models can call, or a source of them.
#[derive(Debug)]
pub struct Tool {
    /// The name.
    pub name: Ident,
    /// The function or the source.
    pub work: ToolWork,
    /// The settings.
    pub items: ToolItems,
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

const FORM: &str = "name: function \"what it does\" if guard";

impl ItemValue for Tools {
    const SYNTAX: ValueSyntax = ValueSyntax::Tools;

    fn parse_value(input: ParseStream<'_>, errors: &Errors) -> Result<Self> {
        let content;
        braced!(content in input);
        Ok(Self(parse_list(&content, errors, FORM, |input| Tool::parse(input, errors))))
    }

    fn view(&self) -> ValueView<'_> {
        let retries = self.0.iter().filter_map(|tool| tool.items.retry.as_ref());
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
        let work = ToolWork::parse(input)?;
        let items = match input.peek(token::Brace) {
            true => ToolItems::parse_settings(input, errors)?,
            false => ToolItems::default(),
        };
        Ok(Self { name, work, items, guard: parse_guard(input)? })
    }

    /// Returns the names of the tools of a source that can be called, if they are listed.
    pub fn named(&self) -> &[ToolName] {
        match self.items.only.as_ref().map(|item| &item.value) {
            Some(ToolSelection::Named(names)) => names,
            _ => &[],
        }
    }

    /// Returns whether all tools of a source can be called.
    pub fn takes_all(&self) -> bool {
        matches!(&self.items.only, Some(item) if matches!(item.value, ToolSelection::All))
    }
}

impl ToolWork {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        if is_source(input) {
            input.parse::<Ident>()?;
            return Expr::parse_without_eager_brace(input).map(|it| Self::Source(Box::new(it)));
        }
        Ok(Self::Function { path: parse_function(input)?, description: input.parse()? })
    }
}

/// Returns whether the word `source` follows, and an expression after it. A function can have this name, too.
fn is_source(input: ParseStream<'_>) -> bool {
    let fork = input.fork();
    fork.parse::<Ident>().is_ok_and(|word| word == "source")
        && (fork.peek(Ident) || fork.peek(Token![&]) || fork.peek(token::Paren))
}
