//! Parses `for_each: item in list`.

use syn::{
    Expr, Ident, Result, Token,
    parse::{Parse, ParseStream},
};

use crate::diagnostics::error_at;

/// The list over which a for-each task iterates, and the name of its items.
#[derive(Debug)]
pub struct ForEach {
    /// The variable that names an item in expressions.
    pub item: Ident,
    /// The expression of the list.
    pub list: Expr,
}

impl Parse for ForEach {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let span = input.span();
        let help = "write `for_each: item in list`, with a name for each item";
        let unnamed = |_| error_at(span, "expected a name for the item", help);
        let item = input.parse().map_err(unnamed)?;
        input.parse::<Token![in]>()?;
        Ok(Self { item, list: input.parse()? })
    }
}
