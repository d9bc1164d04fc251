//! An order with eight fields: nesting, a list of records, options, prices, dates, and members that are often absent.

use cot_core::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Question;

/// An order of a customer.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
pub(crate) struct Order {
    order_number: String,
    customer: Customer,
    /// The day of the order, as YYYY-MM-DD.
    #[schemars(regex(pattern = "^[0-9]{4}-[0-9]{2}-[0-9]{2}$"))]
    placed_on: String,
    priority: Priority,
    currency: Currency,
    #[schemars(length(min = 1))]
    items: Vec<Item>,
    /// Only if the mail names it.
    delivery_cost: Option<f64>,
    /// The day by which it is needed, as YYYY-MM-DD, only if the mail names it.
    #[schemars(regex(pattern = "^[0-9]{4}-[0-9]{2}-[0-9]{2}$"))]
    needed_by: Option<String>,
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
struct Customer {
    name: String,
    /// Only if the mail has it.
    email: Option<String>,
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
struct Item {
    /// In the singular.
    article: String,
    #[schemars(range(min = 1))]
    quantity: u32,
    /// The price of one.
    unit_price: f64,
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Priority {
    /// It can wait.
    Low,
    /// The mail says nothing about it.
    Normal,
    /// It has to be quick.
    Urgent,
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "UPPERCASE")]
enum Currency {
    Eur,
    Gbp,
    Usd,
}

reads!(ReadOrder, Order, "Read the order from this mail.\n${quoted(state.text)}");
