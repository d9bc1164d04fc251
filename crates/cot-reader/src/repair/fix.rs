//! A repair as a stage of the reader reports it.

use std::borrow::Cow;

use super::{catalogue::RepairKind, class::RepairClass};

/// One use of a repair: its row of the catalogue, with the sentence filled in.
///
/// It is made from a [`RepairKind`] alone, which is how the catalogue decides on the class, the cost and the
/// wording of everything that is reported.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fix {
    kind: RepairKind,
    cost: u32,
    what: Cow<'static, str>,
}

impl RepairKind {
    /// The name of the repair, which does not change.
    pub const fn id(self) -> &'static str {
        self.row().id
    }

    /// How much the repair takes for granted.
    pub const fn class(self) -> RepairClass {
        self.row().class
    }

    /// How far the repair takes a reading from the reply. Of several readings, the cheapest is meant.
    pub const fn cost(self) -> u32 {
        self.row().cost
    }

    /// What is reported, with `{}` for what the repair is about.
    pub const fn sentence(self) -> &'static str {
        self.row().sentence
    }

    /// A reply that needs this repair.
    pub const fn example(self) -> &'static str {
        self.row().example
    }

    /// The repair with what it is about, for a sentence with a place for it.
    pub fn about(self, subject: &str) -> Fix {
        let row = self.row();
        let what = match row.sentence.split_once("{}") {
            Some((before, after)) => Cow::Owned([before, subject, after].concat()),
            None => Cow::Borrowed(row.sentence),
        };
        Fix { kind: self, cost: row.cost, what }
    }
}

impl From<RepairKind> for Fix {
    fn from(kind: RepairKind) -> Self {
        let row = kind.row();
        Self { kind, cost: row.cost, what: Cow::Borrowed(row.sentence) }
    }
}

impl Fix {
    /// The same at the cost of another repair besides, which is not reported.
    #[must_use]
    pub fn with_cost_of(self, other: RepairKind) -> Self {
        Self { cost: self.cost.saturating_add(other.cost()), ..self }
    }

    /// The same at the cost of several of it.
    #[must_use]
    pub fn times(self, count: u32) -> Self {
        Self { cost: self.cost.saturating_mul(count), ..self }
    }

    /// The kind of the repair.
    pub const fn kind(&self) -> RepairKind {
        self.kind
    }

    /// What it costs.
    pub const fn cost(&self) -> u32 {
        self.cost
    }

    /// What was repaired, in words.
    pub fn what(&self) -> &str {
        &self.what
    }

    pub(super) fn into_what(self) -> String {
        self.what.into_owned()
    }
}
