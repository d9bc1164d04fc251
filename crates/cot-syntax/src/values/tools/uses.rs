//! Parses the tools of a task: `tools: [search, price if guard]`.

use syn::{Expr, Ident, Result, bracketed, ext::IdentExt as _, parse::ParseStream};

use crate::{
    diagnostics::Errors,
    parse::{list::parse_list, row::ItemValue, value_syntax::ValueSyntax},
    values::with::parse_guard,
};

/// The use of a tool in a task.
#[derive(Debug)]
pub struct ToolUse {
    /// The name of the tool.
    pub name: Ident,
    /// The guard. The tool is not offered if it does not hold.
    pub guard: Option<Expr>,
}

impl ItemValue for Vec<ToolUse> {
    const SYNTAX: ValueSyntax = ValueSyntax::ToolUses;

    fn parse_value(input: ParseStream<'_>, errors: &Errors) -> Result<Self> {
        let content;
        bracketed!(content in input);
        Ok(parse_list(&content, errors, "tools: [search, price if guard]", ToolUse::parse))
    }
}

impl ToolUse {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        Ok(Self { name: input.call(Ident::parse_any)?, guard: parse_guard(input)? })
    }
}
