//! `for_each: item in list`.

use syn::{
    Expr, Ident, Result, Token,
    parse::{Parse, ParseStream},
};

/// What a task is done for, and the name of one of these.
#[derive(Debug)]
pub(crate) struct ForEach {
    pub(crate) item: Ident,
    pub(crate) list: Expr,
}

impl Parse for ForEach {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let item = input.parse()?;
        input.parse::<Token![in]>()?;
        Ok(Self { item, list: input.parse()? })
    }
}
