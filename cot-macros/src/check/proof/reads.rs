//! Finds the state fields that each task reads.

use syn::Expr;

use super::{
    sites::{ReadTime, Site, Sites},
    writes::{is_whole, writes_to},
};
use crate::{
    check::fields,
    model::{FieldUse, Model, StateUses, Task},
};
use cot_syntax::StatePath;

/// A read of a field by a task.
#[derive(Debug, Clone, Copy)]
pub(super) struct Read<'a> {
    pub(super) field: usize,
    /// The task that reads; `None` for the goal, which is rendered before any task.
    pub(super) task: Option<usize>,
    pub(super) when: ReadTime,
    pub(super) site: ReadSite<'a>,
}

/// The place of a read in the source.
#[derive(Debug, Clone, Copy)]
pub(super) enum ReadSite<'a> {
    /// An expression that a task evaluates.
    Site(Site<'a>),
    /// A state path that writes to a part of the field.
    Path(&'a StatePath),
}

impl ReadSite<'_> {
    /// Returns whether both are the same place in the source.
    pub(super) fn is_same_place(self, other: Self) -> bool {
        match (self, other) {
            (Self::Site(site), Self::Site(other)) => match (site.expr(), other.expr()) {
                (Some(expr), Some(other)) => std::ptr::eq(expr, other),
                _ => false,
            },
            (Self::Path(path), Self::Path(other)) => std::ptr::eq(path, other),
            _ => false,
        }
    }
}

/// The reads of a process, in the order of declaration.
pub(super) struct Reads<'a>(Vec<Read<'a>>);

impl<'a> Reads<'a> {
    pub(super) fn from_model(model: &Model<'a>) -> Self {
        let sites = Sites::from_model(model);
        let mut reads = Self(Vec::new());
        sites.goal.into_iter().for_each(|site| reads.add_site(model, None, ReadTime::Before, site));
        for (task, sites) in model.tasks.iter().zip(sites.tasks) {
            for (when, site) in sites {
                reads.add_site(model, Some(task.index), when, site);
            }
            reads.add_partial_writes(model, task);
        }
        reads
    }

    pub(super) fn for_field(&self, field: usize) -> impl Iterator<Item = &Read<'a>> {
        self.0.iter().filter(move |read| read.field == field)
    }

    fn add_site(&mut self, model: &Model<'a>, task: Option<usize>, when: ReadTime, site: Site<'a>) {
        let fields = site.expr().map(|expr| fields_in(model, expr)).unwrap_or_default().into_iter();
        let site = ReadSite::Site(site);
        self.0.extend(fields.map(|field| Read { field, task, when, site }));
    }

    /// Adds the writes to parts of fields, which read the field unless the same update writes it first.
    fn add_partial_writes(&mut self, model: &Model<'a>, task: &Task<'a>) {
        let mut whole = Vec::new();
        let mut uses = Vec::new();
        for write in task.syntax.items.update.iter().flat_map(|item| &item.value.writes) {
            if is_whole(write) {
                // A write with a guard may not happen.
                let proves = write.guard.is_none();
                whole.extend(writes_to(model, write).filter(|_| proves));
                continue;
            }
            // A misspelled name is reported by another check.
            let named = fields::root_field(&write.path);
            let field = named.and_then(|name| model.field(name));
            let needed = field.filter(|field| !whole.contains(field));
            uses.extend(needed.map(|field| (field, ReadSite::Path(&write.path))));
        }
        let (task, when) = (Some(task.index), ReadTime::Before);
        self.0.extend(uses.into_iter().map(|(field, site)| Read { field, task, when, site }));
    }
}

/// Returns the fields that an expression reads, without duplicates.
fn fields_in(model: &Model<'_>, expr: &Expr) -> Vec<usize> {
    let mut fields = Vec::new();
    for used in StateUses::from_expr(expr).reads {
        fields.extend(model.field(&used.field).filter(|it| !fields.contains(it)));
    }
    fields
}

/// Finds the first use of a field in an expression.
pub(super) fn first_use(model: &Model<'_>, expr: &Expr, field: usize) -> Option<FieldUse> {
    let mut uses = StateUses::from_expr(expr).reads.into_iter();
    uses.find(|used| model.field(&used.field) == Some(field))
}
