//! Failed attempts in journals. Their JSON must not change, since journals outlive programs.

use std::time::Duration;

use cot_model::Usage;
use cot_schema::Issues;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::values::outcome::{Attempt, Failure};

/// An attempt without its engine and reply, which other entries of the journal have.
#[derive(Serialize, Deserialize)]
pub(super) struct JournaledAttempt {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    item: Option<usize>,
    #[serde(rename = "attempt")]
    number: u32,
    failure: Failure,
    issues: Issues,
    usage: Usage,
    elapsed: Duration,
}

impl JournaledAttempt {
    pub(super) fn new(attempt: &Attempt) -> Self {
        let Attempt { number, item, failure, ref issues, usage, elapsed, .. } = *attempt;
        Self { item, number, failure, issues: issues.clone(), usage, elapsed }
    }

    pub(super) fn into_attempt(self) -> Attempt {
        let Self { item, number, failure, issues, usage, elapsed } = self;
        let (engine, reply) = (None, String::new());
        Attempt { number, item, engine, failure, reply, issues, usage, elapsed }
    }
}

pub(crate) fn serialize<S: Serializer>(
    attempt: &Attempt,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    JournaledAttempt::new(attempt).serialize(serializer)
}

pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Attempt, D::Error> {
    JournaledAttempt::deserialize(deserializer).map(JournaledAttempt::into_attempt)
}
