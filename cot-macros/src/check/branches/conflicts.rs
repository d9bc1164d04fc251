//! Compares what the branches of a parallel task read and write.

use std::collections::{BTreeMap, BTreeSet};

use cot_syntax::diagnostics::Errors;

use super::{
    members::Parallel,
    places::{PlaceUse, SharedTexts, uses_of},
};
use crate::model::Model;

/// The writes of branches to a place of the state, and to the parts of it.
#[derive(Default)]
struct WrittenPlace<'u> {
    /// The first write of each of two branches to the place itself.
    own: Vec<BranchUse<'u>>,
    /// The first write of each of two branches to a part of the place.
    within: Vec<BranchUse<'u>>,
    parts: BTreeMap<&'u str, WrittenPlace<'u>>,
}

/// A use of a place by a branch.
#[derive(Clone, Copy)]
struct BranchUse<'u> {
    branch: usize,
    used: &'u PlaceUse,
}

impl<'u> WrittenPlace<'u> {
    fn add(&mut self, write: BranchUse<'u>) {
        let mut place = self;
        remember(&mut place.within, write);
        for name in &write.used.place {
            place = place.parts.entry(name).or_default();
            remember(&mut place.within, write);
        }
        remember(&mut place.own, write);
    }

    /// Finds a write of another branch to a place, to a part of it or to a place that contains it.
    fn find_other(&self, used: BranchUse<'u>) -> Option<BranchUse<'u>> {
        let other = |writes: &[BranchUse<'u>]| {
            writes.iter().find(|write| write.branch != used.branch).copied()
        };
        let mut place = self;
        for name in &used.used.place {
            place = place.parts.get(name.as_str())?;
            if let Some(write) = other(&place.own) {
                return Some(write);
            }
        }
        other(&place.within)
    }
}

/// Remembers the first write of each of two branches. For any branch, one of them is of another one.
fn remember<'u>(writes: &mut Vec<BranchUse<'u>>, write: BranchUse<'u>) {
    if writes.len() < 2 && writes.iter().all(|known| known.branch != write.branch) {
        writes.push(write);
    }
}

/// Reports each place that a branch writes and another one reads or writes.
pub(super) fn report(
    model: &Model<'_>,
    parallel: &Parallel<'_, '_>,
    shared: &SharedTexts,
    errors: &Errors,
) {
    let branches = parallel.branches.iter();
    let uses: Vec<_> = branches.map(|branch| uses_of(model, &branch.tasks, shared)).collect();
    let all = uses
        .iter()
        .enumerate()
        .flat_map(|(branch, uses)| uses.iter().map(move |used| BranchUse { branch, used }));
    let mut written = WrittenPlace::default();
    all.clone().filter(|it| it.used.writes).for_each(|write| written.add(write));
    let mut reported = BTreeSet::new();
    // Writes first, so that a place that both write is reported as such.
    let (writes, reads): (Vec<_>, Vec<_>) = all.partition(|it| it.used.writes);
    for used in writes.into_iter().chain(reads) {
        // The history is added to by all branches.
        if used.used.is_mirror {
            continue;
        }
        let Some(write) = written.find_other(used) else { continue };
        // Of two writes, the one of the later branch is reported.
        if used.used.writes && used.branch < write.branch {
            continue;
        }
        let pair = (used.branch.min(write.branch), used.branch.max(write.branch));
        if reported.insert((pair, used.used.place.first())) {
            report_conflict(model, parallel, used, write, errors);
        }
    }
}

fn report_conflict(
    model: &Model<'_>,
    parallel: &Parallel<'_, '_>,
    used: BranchUse<'_>,
    write: BranchUse<'_>,
    errors: &Errors,
) {
    let name = parallel.task.name();
    let first = |branch: usize| parallel.branches[branch].edge.syntax;
    let (one, other) = (first(used.branch), first(write.branch));
    let (place, written) = (used.used.name(), write.used.name());
    let verb = if used.used.writes { "writes" } else { "reads" };
    let what = match place == written {
        true if used.used.writes => "it too".to_owned(),
        true => "it".to_owned(),
        false => written,
    };
    let message =
        format!("branch `{one}` of `{name}` {verb} {place}, and branch `{other}` writes {what}");
    let task = |used: &PlaceUse| used.task.map(|task| model.tasks[task].name());
    let by = match task(used.used) {
        Some(task) => format!("task `{task}` {verb} it in `{one}`"),
        None => format!("every prompt of `{one}` shows it"),
    };
    let writer = task(write.used).unwrap_or(other);
    let note = format!("{by}, task `{writer}` writes in `{other}`, and both run at the same time");
    let help = match used.used.writes {
        true => "write to a field of its own in each branch, and combine the fields after the join",
        false if used.used.place.is_empty() => {
            "name the fields that it needs, or read the state after the join"
        }
        false => "read it after the join, or write to another field",
    };
    errors.add_over_with_notes(
        &used.used.tokens,
        &message,
        &[("note", note.as_str()), ("help", help)],
    );
}
