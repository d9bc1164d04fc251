//! `for_each: item in list`.

use syn::{
    Expr, Ident, Result, Token,
    parse::{Parse, ParseStream},
};

use crate::diagnostics::error_at;

/// What a task is done for, and the name of one of these.
#[derive(Debug)]
pub struct ForEach {
    /// The name of an item in expressions.
    pub item: Ident,
    /// The list.
    pub list: Expr,
}

impl Parse for ForEach {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let span = input.span();
        let help = "write `for_each: item in list`, with a name for one of its items";
        let unnamed = |_| error_at(span, "expected a name for the item", help);
        let item = input.parse().map_err(unnamed)?;
        input.parse::<Token![in]>()?;
        Ok(Self { item, list: input.parse()? })
    }
}
