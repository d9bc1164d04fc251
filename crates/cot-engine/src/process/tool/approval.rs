//! The answer of a person to the question whether a tool may be called.

use std::sync::OnceLock;

use cot_schema::{
    CotOutput, OutputSchema,
    internal::{Checker, RulesCollector},
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The answer of a person to the question whether a tool with `approve: person` may be called.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(description = "Whether the tool may be called.")]
#[non_exhaustive]
pub struct Approval {
    /// Whether the call is approved.
    pub approved: bool,
    /// The reason, which the model receives if the call is denied.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

impl Approval {
    /// Approves the call.
    #[must_use]
    pub const fn approve() -> Self {
        Self { approved: true, reason: None }
    }

    /// Denies the call with a reason, which the model receives.
    #[must_use]
    pub fn deny(reason: impl Into<String>) -> Self {
        Self { approved: false, reason: Some(reason.into()) }
    }
}

// Written by hand, since this crate does not depend on the derive.
impl CotOutput for Approval {
    type Partial = Value;

    fn output_schema() -> &'static OutputSchema {
        static SCHEMA: OnceLock<OutputSchema> = OnceLock::new();
        SCHEMA.get_or_init(OutputSchema::for_output::<Self>)
    }

    fn gather_rules(_: &mut RulesCollector) {}

    fn run_checks(&self, _: &mut Checker<'_>) {}
}
