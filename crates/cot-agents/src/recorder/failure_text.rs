//! Descriptions of failures in traces.

use cot_engine::Failure;
use cot_schema::Issues;

/// Describes a failed attempt.
pub(super) fn describe_attempt(
    number: u32,
    item: Option<usize>,
    failure: Failure,
    issues: &Issues,
    reply: &str,
) -> String {
    let item = item.map(|item| format!(" at item {item}")).unwrap_or_default();
    let wrong = if issues.is_empty() { reply.to_owned() } else { issues.to_string() };
    let how = failure.predicate();
    let colon = if wrong.is_empty() { "" } else { ": " };
    format!("attempt {number}{item} {how}{colon}{wrong}")
}
