//! Parses `sequence name [a, b, c]`.

use syn::{Ident, Result, parse::ParseStream};

use crate::{
    diagnostics::{Errors, with_default_help},
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
        errors: &Errors,
    ) -> Result<()> {
        let name = input.parse()?;
        let explain = |error| with_default_help(error, "write `sequence name [task, task]`");
        declared.push(Self { name, members: TaskList::parse(input, errors, explain)? });
        Ok(())
    }
}
