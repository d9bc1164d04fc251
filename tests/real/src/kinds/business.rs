//! Numbers as people write them, and facts in long texts.

use cot_core::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Question;

/// The figures of a bill.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
pub(crate) struct Bill {
    /// The sum without tax.
    net: f64,
    /// 0 if there is no tax.
    #[schemars(range(min = 0, max = 100))]
    vat_percent: f64,
    /// The sum with tax.
    total: f64,
    /// The number of days to pay, only if the bill names them.
    due_in_days: Option<u32>,
    /// Whether it is paid already.
    paid: bool,
}

reads!(ReadBill, Bill, "Read the figures of this bill.\n${quoted(state.text)}");

/// An outage of a system.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
pub(crate) struct Incident {
    /// The name of the system, without an article, as the report has it.
    system: String,
    /// As YYYY-MM-DD.
    #[schemars(regex(pattern = "^[0-9]{4}-[0-9]{2}-[0-9]{2}$"))]
    began_on: String,
    /// How long the system could not be used.
    minutes_down: u32,
    customers_affected: u32,
    cause: Cause,
    /// Whether something was lost for ever.
    data_lost: bool,
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Cause {
    /// A new version or setting.
    Deployment,
    /// Machines and disks.
    Hardware,
    /// Lines and cables.
    Network,
    /// More requests than the system can serve.
    Overload,
    /// A mistake of a person, apart from a deployment.
    HumanError,
    /// The report does not know it.
    Unknown,
}

reads!(
    ReadIncident,
    Incident,
    "Extract the facts of the outage from this report.\n${quoted(state.text)}"
);
