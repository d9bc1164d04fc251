//! Parses `sequence name [a, b, c]`.

use syn::{Ident, Result, parse::ParseStream};

use crate::{
    diagnostics::Errors,
    parse::{item::ItemHead, row::Declaration},
    values::plain::TaskList,
};

/// A sequence of tasks, each of which leads to the next.
#[derive(Debug)]
pub struct Sequence {
    /// The name of the sequence.
    pub name: Ident,
    /// The names of its tasks.
    pub members: TaskList,
}

impl Declaration for Sequence {
    fn parse_into(
        declared: &mut Vec<Self>,
        _: ItemHead,
        input: ParseStream<'_>,
        _: &Errors,
    ) -> Result<()> {
        let name = input.parse()?;
        declared.push(Self { name, members: input.parse()? });
        Ok(())
    }
}
