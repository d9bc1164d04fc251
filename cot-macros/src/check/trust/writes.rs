//! The writes of a task, as untrusted values pass through them.

use cot_syntax::{FoundRow, PathSegment, Write};
use syn::{Expr, ExprField, Member};

use super::facts::{Fact, facts_in};
use crate::{
    check::fields,
    model::{Model, Task},
};

/// A write of a task.
pub(super) struct NodeWrite {
    pub(super) field: usize,
    /// The facts that the value is made of.
    pub(super) reads: Vec<Fact>,
    /// The facts of the guard and of the keys, which decide whether and where it is written.
    pub(super) decides: Vec<Fact>,
    /// Whether `found_in` covers what is written.
    pub(super) is_found: bool,
}

/// Returns what a write does, if its field is known.
pub(super) fn node_write(model: &Model<'_>, task: &Task<'_>, write: &Write) -> Option<NodeWrite> {
    let field = fields::resolve_field(model, fields::root_field(&write.path)?)?;
    let reads = match &write.value {
        None => vec![Fact::Output],
        Some(value) => facts_in(model, Some(task), value),
    };
    let is_found = write.value.as_ref().is_some_and(|value| is_found(task, value));
    let decides = write.guard.iter().chain(write.path.keys());
    let decides = decides.flat_map(|expr| facts_in(model, Some(task), expr)).collect();
    Some(NodeWrite { field, reads, decides, is_found })
}

/// Returns whether `found_in` covers a member of the output.
fn is_found(task: &Task<'_>, value: &Expr) -> bool {
    let Some(member) = member_of_output(value) else { return false };
    let covers = |row: &FoundRow| {
        let names = row.member.segments.iter().filter_map(|segment| match segment {
            PathSegment::Field { member: Member::Named(name), .. } => Some(name.to_string()),
            _ => None,
        });
        let names: Vec<_> = names.collect();
        names.len() == row.member.segments.len() && member.starts_with(&names)
    };
    task.syntax.items.found_in.iter().flat_map(|item| &item.value.rows).any(covers)
}

fn member_of_output(expr: &Expr) -> Option<Vec<String>> {
    match expr {
        Expr::Path(path) if path.path.is_ident("output") => Some(Vec::new()),
        Expr::Field(ExprField { base, member: Member::Named(name), .. }) => {
            let mut members = member_of_output(base)?;
            members.push(name.to_string());
            Some(members)
        }
        _ => None,
    }
}
