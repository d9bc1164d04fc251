//! The repairs of a reading.

use std::fmt;

use cot_schema::internal::{PathSegment, format_path};
use serde::{Deserialize, Serialize};

use super::{
    catalogue::{OMITTED, RepairKind},
    class::RepairClass,
    fix::Fix,
};

/// A repair that was made to a reply.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Repair {
    /// The JSON path of the repaired value, from the root `$`: `$.fields[0].name`.
    pub path: String,
    /// The class of the repair.
    pub class: RepairClass,
    /// A description of the repair.
    #[serde(rename = "what")]
    pub description: String,
}

impl fmt::Display for Repair {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {} ({})", self.path, self.description, self.class)
    }
}

/// Maximum number of repairs that are recorded individually.
const MAX_RECORDED: usize = 100;

/// A repair with its path, before it is reported.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PendingRepair {
    path: Vec<PathSegment>,
    fix: Fix,
}

/// The repairs of a reading, with their total cost. Of several readings of a reply, the cheapest is chosen.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Repairs {
    recorded: Vec<PendingRepair>,
    /// The number of omitted repairs of each class.
    omitted: [usize; 3],
    cost: u64,
}

impl Repairs {
    /// Adds a repair at a path.
    pub fn add(&mut self, path: &[PathSegment], fix: impl Into<Fix>) {
        let fix = fix.into();
        let class = fix.kind().class();
        self.cost += u64::from(fix.cost());
        if self.make_room(class) {
            self.recorded.push(PendingRepair { path: path.to_vec(), fix });
        } else {
            self.omitted[class as usize] += 1;
        }
    }

    /// Makes room for a repair of a class and returns whether there is any. A loss replaces a repair that is
    /// none.
    fn make_room(&mut self, class: RepairClass) -> bool {
        if self.recorded.len() < MAX_RECORDED {
            return true;
        }
        let is_lesser = |repair: &PendingRepair| repair.class() != RepairClass::Loss;
        let lesser =
            self.recorded.iter().rposition(is_lesser).filter(|_| class == RepairClass::Loss);
        let Some(lesser) = lesser else { return false };
        let omitted = self.recorded.remove(lesser);
        self.omitted[omitted.class() as usize] += 1;
        true
    }

    /// Appends the repairs of a later stage.
    pub fn append(&mut self, later: Self) {
        self.cost += later.cost;
        for (omitted, more) in self.omitted.iter_mut().zip(later.omitted) {
            *omitted += more;
        }
        for repair in later.recorded {
            let class = repair.class();
            if self.make_room(class) {
                self.recorded.push(repair);
            } else {
                self.omitted[class as usize] += 1;
            }
        }
    }

    /// Returns the total cost.
    pub const fn cost(&self) -> u64 {
        self.cost
    }

    /// Returns whether there are no repairs.
    pub const fn is_empty(&self) -> bool {
        self.recorded.is_empty()
    }

    /// Returns an iterator over the recorded repairs.
    pub fn iter(&self) -> std::slice::Iter<'_, PendingRepair> {
        self.recorded.iter()
    }

    /// Returns whether a repair of a kind is recorded.
    pub fn contains(&self, kind: RepairKind) -> bool {
        self.iter_kind(kind).next().is_some()
    }

    /// Returns an iterator over the recorded repairs of a kind.
    pub fn iter_kind(&self, kind: RepairKind) -> impl Iterator<Item = &PendingRepair> + Clone {
        self.recorded.iter().filter(move |repair| repair.kind() == kind)
    }

    /// Returns whether a text that ended too early was completed, within a value under at least so many keys.
    pub fn complete_under(&self, keys: usize) -> bool {
        let is_key = |step: &&PathSegment| matches!(step, PathSegment::Key(_));
        let is_under = |repair: &PendingRepair| {
            RepairKind::COMPLETIONS.contains(&repair.kind())
                && repair.path.iter().filter(is_key).count() >= keys
        };
        self.recorded.iter().any(is_under) || self.omitted(RepairClass::Syntax) > 0
    }

    /// Returns the number of omitted repairs of a class.
    pub const fn omitted(&self, class: RepairClass) -> usize {
        self.omitted[class as usize]
    }

    /// Converts the repairs to reported ones. If some were omitted, the last one states their number.
    pub fn into_repairs(self) -> Vec<Repair> {
        let omitted: usize = self.omitted.iter().sum();
        let classes = [RepairClass::Loss, RepairClass::Coercion, RepairClass::Syntax];
        let worst = classes.into_iter().find(|class| self.omitted[*class as usize] > 0);
        let more = worst.map(|class| Repair {
            path: "$".to_owned(),
            class,
            description: format!("{omitted} {OMITTED}"),
        });
        self.recorded.into_iter().map(PendingRepair::into_repair).chain(more).collect()
    }
}

impl PendingRepair {
    /// Returns the path of the repaired value.
    pub fn path(&self) -> &[PathSegment] {
        &self.path
    }

    /// Returns the kind of the repair.
    pub const fn kind(&self) -> RepairKind {
        self.fix.kind()
    }

    /// Returns the class of the repair.
    pub const fn class(&self) -> RepairClass {
        self.kind().class()
    }

    /// Returns the description of the repair.
    pub fn description(&self) -> &str {
        self.fix.description()
    }

    fn into_repair(self) -> Repair {
        let class = self.class();
        Repair { path: format_path(&self.path), class, description: self.fix.into_description() }
    }
}
