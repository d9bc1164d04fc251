//! What was mended in a reply, where, and how much it takes for granted.

use std::{borrow::Cow, fmt};

use cot_schema::internal::{Step, path_of};
use serde::{Deserialize, Serialize};

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

/// How much a repair takes for granted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RepairClass {
    /// The text is no JSON, but can only mean this value: a comment, a trailing comma, single quotes.
    Syntax,
    /// The value was of another form than the schema says, but means the same: a number in a string,
    /// a key in another case, one value where a list is expected.
    Coercion,
    /// Something of the reply is gone, or was made up: an item of a list that can't be read, a missing
    /// value. Refused, unless the output allows it.
    Loss,
}

impl fmt::Display for RepairClass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Syntax => "syntax",
            Self::Coercion => "coercion",
            Self::Loss => "loss",
        })
    }
}

impl fmt::Display for Repair {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {} ({})", self.path, self.what, self.class)
    }
}

/// Most repairs of one reading that are told one by one.
const MAX_KEPT: usize = 100;

/// A repair, before it is told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mended {
    /// The steps from the root to the value.
    pub path: Vec<Step>,
    /// How much the repair takes for granted.
    pub class: RepairClass,
    /// What was mended, in words.
    pub what: Cow<'static, str>,
}

/// The repairs of one reading, with what they cost: of several readings, the cheapest is meant.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Repairs {
    kept: Vec<Mended>,
    /// How many are not kept, by class.
    omitted: [usize; 3],
    cost: u64,
}

impl Repairs {
    /// Adds a repair at a path. A cost of 1 is that of what hardly needs a thought, as a trailing comma.
    pub fn add(
        &mut self,
        path: &[Step],
        class: RepairClass,
        cost: u32,
        what: impl Into<Cow<'static, str>>,
    ) {
        self.cost += u64::from(cost);
        if self.has_room(class) {
            self.kept.push(Mended { path: path.to_vec(), class, what: what.into() });
        } else {
            self.omitted[class as usize] += 1;
        }
    }

    /// Whether one more is kept; a loss drives out what is none.
    fn has_room(&mut self, class: RepairClass) -> bool {
        if self.kept.len() < MAX_KEPT {
            return true;
        }
        let is_lesser = |mended: &Mended| mended.class != RepairClass::Loss;
        let lesser = self.kept.iter().rposition(is_lesser).filter(|_| class == RepairClass::Loss);
        let Some(lesser) = lesser else { return false };
        let omitted = self.kept.remove(lesser);
        self.omitted[omitted.class as usize] += 1;
        true
    }

    /// Adds the repairs of a later stage.
    pub fn append(&mut self, later: Self) {
        self.cost += later.cost;
        for (omitted, more) in self.omitted.iter_mut().zip(later.omitted) {
            *omitted += more;
        }
        for mended in later.kept {
            if self.has_room(mended.class) {
                self.kept.push(mended);
            } else {
                self.omitted[mended.class as usize] += 1;
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
    pub fn iter(&self) -> std::slice::Iter<'_, Mended> {
        self.kept.iter()
    }

    /// How many of a class are not kept.
    pub const fn omitted(&self, class: RepairClass) -> usize {
        self.omitted[class as usize]
    }

    /// The repairs as they are told; the last one counts those that are left out.
    pub fn into_told(self) -> Vec<Repair> {
        let omitted: usize = self.omitted.iter().sum();
        let classes = [RepairClass::Loss, RepairClass::Coercion, RepairClass::Syntax];
        let worst = classes.into_iter().find(|class| self.omitted[*class as usize] > 0);
        let more = worst.map(|class| Repair {
            path: "$".to_owned(),
            class,
            what: format!("{omitted} more repairs"),
        });
        self.kept.into_iter().map(Mended::told).chain(more).collect()
    }
}

impl Mended {
    fn told(self) -> Repair {
        Repair { path: path_of(&self.path), class: self.class, what: self.what.into_owned() }
    }
}
