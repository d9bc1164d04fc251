//! The repairs of one reading.

use std::fmt;

use cot_schema::internal::{Step, path_of};
use serde::{Deserialize, Serialize};

use super::{
    catalogue::{OMITTED, RepairKind},
    class::RepairClass,
    fix::Fix,
};

/// One thing that was mended in a reply.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Repair {
    /// JSON path of the value, from the root `$`: `$.fields[0].name`.
    pub path: String,
    /// How much the repair takes for granted.
    pub class: RepairClass,
    /// What was mended, in words.
    pub what: String,
}

impl fmt::Display for Repair {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {} ({})", self.path, self.what, self.class)
    }
}

/// Most repairs of one reading that are told one by one.
const MAX_KEPT: usize = 100;

/// A repair with its place, before it is reported.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PendingRepair {
    path: Vec<Step>,
    fix: Fix,
}

/// The repairs of one reading, with what they cost: of several readings, the cheapest is meant.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Repairs {
    kept: Vec<PendingRepair>,
    /// How many are not kept, by class.
    omitted: [usize; 3],
    cost: u64,
}

impl Repairs {
    /// Adds a repair at a path.
    pub fn add(&mut self, path: &[Step], fix: impl Into<Fix>) {
        let fix = fix.into();
        let class = fix.kind().class();
        self.cost += u64::from(fix.cost());
        if self.has_room(class) {
            self.kept.push(PendingRepair { path: path.to_vec(), fix });
        } else {
            self.omitted[class as usize] += 1;
        }
    }

    /// Whether one more is kept; a loss drives out what is none.
    fn has_room(&mut self, class: RepairClass) -> bool {
        if self.kept.len() < MAX_KEPT {
            return true;
        }
        let is_lesser = |repair: &PendingRepair| repair.class() != RepairClass::Loss;
        let lesser = self.kept.iter().rposition(is_lesser).filter(|_| class == RepairClass::Loss);
        let Some(lesser) = lesser else { return false };
        let omitted = self.kept.remove(lesser);
        self.omitted[omitted.class() as usize] += 1;
        true
    }

    /// Adds the repairs of a later stage.
    pub fn append(&mut self, later: Self) {
        self.cost += later.cost;
        for (omitted, more) in self.omitted.iter_mut().zip(later.omitted) {
            *omitted += more;
        }
        for repair in later.kept {
            let class = repair.class();
            if self.has_room(class) {
                self.kept.push(repair);
            } else {
                self.omitted[class as usize] += 1;
            }
        }
    }

    /// What the repairs cost in all.
    pub const fn cost(&self) -> u64 {
        self.cost
    }

    /// Whether nothing was mended.
    pub const fn is_empty(&self) -> bool {
        self.kept.is_empty()
    }

    /// The repairs that are kept.
    pub fn iter(&self) -> std::slice::Iter<'_, PendingRepair> {
        self.kept.iter()
    }

    /// Whether a kind of repair is among those that are kept.
    pub fn have(&self, kind: RepairKind) -> bool {
        self.of_kind(kind).next().is_some()
    }

    /// The repairs of a kind that are kept.
    pub fn of_kind(&self, kind: RepairKind) -> impl Iterator<Item = &PendingRepair> + Clone {
        self.kept.iter().filter(move |repair| repair.kind() == kind)
    }

    /// How many of a class are not kept.
    pub const fn omitted(&self, class: RepairClass) -> usize {
        self.omitted[class as usize]
    }

    /// The repairs as they are reported; the last one counts those that are left out.
    pub fn into_repairs(self) -> Vec<Repair> {
        let omitted: usize = self.omitted.iter().sum();
        let classes = [RepairClass::Loss, RepairClass::Coercion, RepairClass::Syntax];
        let worst = classes.into_iter().find(|class| self.omitted[*class as usize] > 0);
        let more = worst.map(|class| Repair {
            path: "$".to_owned(),
            class,
            what: format!("{omitted} {OMITTED}"),
        });
        self.kept.into_iter().map(PendingRepair::into_repair).chain(more).collect()
    }
}

impl PendingRepair {
    /// The steps from the root to the value.
    pub fn path(&self) -> &[Step] {
        &self.path
    }

    /// The kind of the repair.
    pub const fn kind(&self) -> RepairKind {
        self.fix.kind()
    }

    /// How much the repair takes for granted.
    pub const fn class(&self) -> RepairClass {
        self.kind().class()
    }

    /// What was repaired, in words.
    pub fn what(&self) -> &str {
        self.fix.what()
    }

    fn into_repair(self) -> Repair {
        let class = self.class();
        Repair { path: path_of(&self.path), class, what: self.fix.into_what() }
    }
}
