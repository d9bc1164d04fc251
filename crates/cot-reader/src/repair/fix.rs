//! A repair, as reported by a stage of the reader.

use std::borrow::Cow;

use super::{catalogue::RepairKind, class::RepairClass};

/// An instance of a repair: its row in the catalogue, with the placeholder of the sentence filled in.
///
/// It can be created only from a [`RepairKind`], so that the catalogue determines the class, cost and
/// wording of all repairs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fix {
    kind: RepairKind,
    cost: u32,
    description: Cow<'static, str>,
}

impl RepairKind {
    /// Returns the stable name of the repair.
    pub const fn id(self) -> &'static str {
        self.row().id
    }

    /// Returns the class of the repair.
    pub const fn class(self) -> RepairClass {
        self.row().class
    }

    /// Returns the cost of the repair. Of several readings of a reply, the cheapest is chosen.
    pub const fn cost(self) -> u32 {
        self.row().cost
    }

    /// Returns the sentence that is reported, with `{}` as a placeholder for the subject.
    pub const fn sentence(self) -> &'static str {
        self.row().sentence
    }

    /// Returns a reply that needs this repair.
    pub const fn example(self) -> &'static str {
        self.row().example
    }

    /// Creates a repair with a subject that replaces the placeholder in the sentence.
    pub fn with_subject(self, subject: &str) -> Fix {
        let row = self.row();
        let description = match row.sentence.split_once("{}") {
            Some((before, after)) => Cow::Owned([before, subject, after].concat()),
            None => Cow::Borrowed(row.sentence),
        };
        Fix { kind: self, cost: row.cost, description }
    }
}

impl From<RepairKind> for Fix {
    fn from(kind: RepairKind) -> Self {
        let row = kind.row();
        Self { kind, cost: row.cost, description: Cow::Borrowed(row.sentence) }
    }
}

impl Fix {
    /// Adds the cost of another repair, which is not reported.
    #[must_use]
    pub fn with_cost_of(self, other: RepairKind) -> Self {
        Self { cost: self.cost.saturating_add(other.cost()), ..self }
    }

    /// Multiplies the cost.
    #[must_use]
    pub fn times(self, count: u32) -> Self {
        Self { cost: self.cost.saturating_mul(count), ..self }
    }

    /// Returns the kind of the repair.
    pub const fn kind(&self) -> RepairKind {
        self.kind
    }

    /// Returns the cost.
    pub const fn cost(&self) -> u32 {
        self.cost
    }

    /// Returns the sentence that is reported.
    pub fn description(&self) -> &str {
        &self.description
    }

    pub(super) fn into_description(self) -> String {
        self.description.into_owned()
    }
}
