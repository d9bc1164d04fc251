//! Descriptions of attempts in traces.

use cot_engine::Failure;
use cot_reader::Repair;
use cot_schema::Issues;

/// Describes a failed attempt: its number, its item, and its engine.
pub(super) fn describe_attempt(
    (number, item, engine): (u32, Option<usize>, Option<&str>),
    failure: Failure,
    issues: &Issues,
    reply: &str,
) -> String {
    let item = item.map(|item| format!(" at item {item}")).unwrap_or_default();
    let engine = engine.map(|engine| format!(" by {engine}")).unwrap_or_default();
    let wrong = if issues.is_empty() { reply.to_owned() } else { issues.to_string() };
    let how = failure.predicate();
    let colon = if wrong.is_empty() { "" } else { ": " };
    format!("attempt {number}{item}{engine} {how}{colon}{wrong}")
}

/// Describes the repairs of a reply: the number of its attempt, and its item.
pub(super) fn describe_repairs((number, item): (u32, Option<usize>), repairs: &[Repair]) -> String {
    let item = item.map(|item| format!(" at item {item}")).unwrap_or_default();
    let repairs: Vec<String> = repairs.iter().map(ToString::to_string).collect();
    format!("the reply of attempt {number}{item} was repaired: {}", repairs.join("; "))
}
