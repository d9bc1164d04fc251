//! Loops that end because of a guard that counts.
//!
//! A list field that only grows counts the visits that append to it, and a number field those that add to it. A loop
//! is bounded if each way around it passes a visit that counts, and a guard that holds only while the count is small:
//!
//! ```text
//! task collect -> Item { update: items[], next: { done if state.items.len() >= 12, collect } }
//! task review -> Note { update: { rounds = state.rounds + 1 }, next: { draft if state.rounds < 3, done } }
//! ```

use cot_syntax::{PathSegment, StateField, TaskKind, Write};
use proc_macro2::Ident;
use syn::{BinOp, Expr, ExprBinary, Member, Type};

use super::{
    guards::{CountGuard, number, plain, state_field},
    ways::{Group, Way, Ways},
};
use crate::{
    check::graph::groups::Groups,
    model::{Model, Task},
};

/// Maximum number of fields that are tried for a loop, so that the check stays linear.
const MAX_CANDIDATES: usize = 8;

/// Returns the number of times that a run can pass a group of tasks that lead back to each other, if a guard counts.
pub(super) fn laps(model: &Model<'_>, ways: &Ways, group: &Group<'_>) -> Option<CountedLoop> {
    let mut candidates: Vec<&CountGuard> = Vec::new();
    for guard in group.ways(ways).flat_map(|(_, way)| &way.guards) {
        if candidates.len() < MAX_CANDIDATES && !candidates.iter().any(|other| other.counts(guard))
        {
            candidates.push(guard);
        }
    }
    let loops =
        candidates.into_iter().filter_map(|guard| CountedLoop::find(guard, model, ways, group));
    loops.min_by_key(|counted| counted.laps)
}

/// A loop whose number of laps is bounded.
pub(super) struct CountedLoop {
    pub(super) laps: u64,
    /// Whether each place counts after its success.
    counting: Vec<bool>,
}

impl CountedLoop {
    fn find(guard: &CountGuard, model: &Model<'_>, ways: &Ways, group: &Group<'_>) -> Option<Self> {
        let field = model.state_fields().iter().find(|field| field.name == guard.field)?;
        if !only_grows(model, field, guard.is_length) {
            return None;
        }
        let mut counting = vec![false; ways.by_place.len()];
        for task in group.places.iter().filter_map(|place| model.tasks.get(*place)) {
            counting[task.index] = counts(task, field, guard.is_length);
        }
        let limit_of =
            |way: &Way| way.guards.iter().filter(|it| it.counts(guard)).map(|it| it.limit).min();
        let unguarded = |_: usize, way: &Way| limit_of(way).is_none();
        let uncounted = |place: usize, way: &Way| !(counting[place] && way.is_success);
        if !is_acyclic(ways, group, unguarded) || !is_acyclic(ways, group, uncounted) {
            return None;
        }
        let limit = group.ways(ways).filter_map(|(_, way)| limit_of(way)).max()?;
        // Where each visit that counts is followed by a guard, a lap ends with a guard.
        let are_guarded =
            group.ways(ways).all(|(from, way)| uncounted(from, way) || limit_of(way).is_some());
        let more = if are_guarded { 0 } else { counting.iter().filter(|it| **it).count() };
        let times =
            u64::try_from(counting.iter().filter(|it| **it).count()).ok()?.saturating_add(1);
        if !guard.is_length && !has_room(model, field, limit, times) {
            return None;
        }
        let laps = limit.saturating_add(u64::try_from(more).ok()?).max(1);
        Some(Self { laps, counting })
    }

    /// Returns whether a way is within a lap: it does not follow a visit that counts.
    pub(super) fn is_within_lap(&self, from: usize, way: &Way) -> bool {
        !(self.counting[from] && way.is_success)
    }
}

/// Returns whether no place of a group leads back to itself by these ways alone.
fn is_acyclic(ways: &Ways, group: &Group<'_>, keeps: impl Fn(usize, &Way) -> bool) -> bool {
    let kept = |place: usize| -> Vec<usize> {
        group.ways_from(ways, place).filter(|way| keeps(place, way)).map(|way| way.to).collect()
    };
    let groups = Groups::new(ways.by_place.len(), group.places.iter().copied(), kept);
    groups.count == group.places.len()
        && group.places.iter().all(|place| !kept(*place).contains(place))
}

/// Returns whether all writes of a field add to it.
fn only_grows(model: &Model<'_>, field: &StateField, is_length: bool) -> bool {
    let is_open = |task: &Task<'_>| task.syntax.items.process_output.is_some();
    if model.tasks.iter().any(is_open) || model.mirror_limit().is_some() && field.name == "history"
    {
        return false;
    }
    let is_of_type = match is_length {
        true => has_type(&field.ty, &["Vec", "VecDeque"]),
        false => has_type(&field.ty, &NUMBERS.map(|(name, _)| name)),
    };
    let writes = model.tasks.iter().flat_map(|task| &task.syntax.items.update);
    let mut writes =
        writes.flat_map(|item| &item.value.writes).filter(|write| begins_with(write, &field.name));
    is_of_type && writes.all(|write| adds(write, &field.name, is_length))
}

/// The types of numbers that count, with the largest number that fits on every system.
const NUMBERS: [(&str, u64); 6] = [
    ("u8", u8::MAX as u64),
    ("u16", u16::MAX as u64),
    ("u32", u32::MAX as u64),
    ("usize", u16::MAX as u64),
    ("u64", u64::MAX - 1),
    ("u128", u64::MAX - 1),
];

/// Returns whether a task adds to a field with each success.
fn counts(task: &Task<'_>, field: &StateField, is_length: bool) -> bool {
    let writes = task.syntax.items.update.iter().flat_map(|item| &item.value.writes);
    task.kind != TaskKind::Gateway
        && writes.into_iter().any(|write| {
            write.guard.is_none()
                && begins_with(write, &field.name)
                && adds(write, &field.name, is_length)
        })
}

fn begins_with(write: &Write, field: &Ident) -> bool {
    let first = write.path.segments.first();
    matches!(first, Some(PathSegment::Field { member: Member::Named(name), .. }) if name == field)
}

/// Returns whether a write appends to a list, or adds to a number.
fn adds(write: &Write, field: &Ident, is_length: bool) -> bool {
    match is_length {
        true => matches!(&write.path.segments[..], [_, PathSegment::Append(_)]),
        false => increment(write, field).is_some(),
    }
}

/// Returns how much a write adds to a number: 1 for `count = state.count + 1`.
fn increment(write: &Write, field: &Ident) -> Option<u64> {
    let value = write.value.as_ref().map(plain);
    let Some(Expr::Binary(ExprBinary { left, op: BinOp::Add(_), right, .. })) = value else {
        return None;
    };
    let is_count = |side: &Expr| state_field(side).is_some_and(|name| name == field);
    let more = match (is_count(left), is_count(right)) {
        (true, false) => number(right),
        (false, true) => number(left),
        _ => None,
    };
    more.filter(|more| *more > 0 && write.path.segments.len() == 1)
}

/// Returns whether a number can pass a limit a few times without wrapping around, as it would in a release build.
fn has_room(model: &Model<'_>, field: &StateField, limit: u64, times: u64) -> bool {
    let writes = model.tasks.iter().flat_map(|task| &task.syntax.items.update);
    let writes = writes.flat_map(|item| &item.value.writes);
    let writes = writes.filter(|write| begins_with(write, &field.name));
    let more = writes.filter_map(|write| increment(write, &field.name)).max().unwrap_or_default();
    let largest = NUMBERS.iter().find(|(name, _)| has_type(&field.ty, &[name]));
    let largest = largest.map_or(0, |(_, largest)| *largest);
    more.saturating_mul(times).saturating_add(limit) <= largest
}

fn has_type(ty: &Type, names: &[&str]) -> bool {
    matches!(ty, Type::Path(path) if path.path.segments.last().is_some_and(|last| {
        names.iter().any(|name| last.ident == name)
    }))
}
