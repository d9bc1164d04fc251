//! Coerces and checks values for output types.

use cot_schema::{
    Issues, OutputSchema,
    internal::{
        BorrowedJson, BorrowedJsonFormat, TOO_DEEP, is_deep, is_deep_text, is_wrapped, wrap,
    },
};
use serde_json::Value;

use crate::{
    coerce::{shape::CoercionGraph, target::AnySchema},
    notation::fit_keeping_digits,
    target::{CoercionResult, Target},
};

/// Returns the JSON text of the value in a reply that is valid without repairs. Returns `None` if the reply
/// may be invalid or may need coercion.
pub fn valid_text<'t>(
    output: &OutputSchema,
    json: &'t str,
    reply: &BorrowedJson<'_>,
) -> Option<&'t str> {
    let graph = CoercionGraph::new(output.graph());
    if !graph.needs_no_coercion::<BorrowedJsonFormat>(&reply) || is_deep_text(json) {
        return None;
    }
    output.valid_text(json, reply)
}

/// Coerces and checks a value, wrapped or not, and returns the value of the type.
///
/// # Errors
///
/// Returns issues for errors and for disallowed losses.
pub fn coerce_output(output: &OutputSchema, given: Value) -> Result<Value, Issues> {
    let given = if given.is_object() { given } else { output.wrap(given) };
    accepted(output, output.fit(given)).map(|value| output.unwrap(value))
}

/// Like [`coerce_output`] for a value that was parsed from `reply`. Numbers that become strings keep their digits.
///
/// # Errors
///
/// Returns the issues of [`coerce_output`], and issues for numbers with ambiguous digits.
pub fn coerce_output_from_reply(
    output: &OutputSchema,
    given: Value,
    reply: &str,
) -> Result<Value, Issues> {
    let given = if given.is_object() { given } else { output.wrap(given) };
    let (mut fit, unclear) = fit_keeping_digits(output, given, reply);
    fit.issues.extend(unclear);
    accepted(output, fit).map(|value| output.unwrap(value))
}

/// Coerces and checks an answer by a schema alone, as [`coerce_output`] does by a type.
///
/// A schema that can't be compiled accepts everything.
///
/// # Errors
///
/// Returns the issues of [`coerce_output`].
pub fn check_answer(schema: &Value, answer: &Value) -> Result<(), Issues> {
    let Ok(target) = AnySchema::new(schema.clone()) else { return Ok(()) };
    let is_bare = is_wrapped(schema) && !answer.is_object();
    let answer = if is_bare { wrap(answer.clone()) } else { answer.clone() };
    accepted(&target, target.fit(answer)).map(|_| ())
}

/// Returns the coerced value, or issues for errors, disallowed losses and a depth that can't be stored.
fn accepted(target: &dyn Target, fit: CoercionResult) -> Result<Value, Issues> {
    let CoercionResult { value, repairs, mut issues, .. } = fit;
    issues.extend(target.disallowed_losses(&repairs));
    if is_deep(&value) {
        issues.push("$", TOO_DEEP);
    }
    issues.into_result().map(|()| value)
}
