//! Values for outputs: coerced, checked, and taken out of the object around them.

use cot_schema::{
    Issues, OutputSchema,
    internal::{Plain, PlainJson, is_wrapped, wrap},
};
use serde_json::Value;

use crate::{
    coerce::{shape::Shape, target::AnySchema},
    target::{Fit, Target},
    written::fit_with_digits,
};

/// The text of the value of the type itself, out of a reply that is right as it stands. `None` where it
/// may be wrong, or may have to be brought into form.
pub fn take_plain<'t>(output: &OutputSchema, json: &'t str, reply: &Plain<'_>) -> Option<&'t str> {
    if !Shape::new(output.graph()).takes_as_is::<PlainJson>(&reply) {
        return None;
    }
    output.valid_text(json, reply)
}

/// A value of the type itself, out of what was given for it: coerced and checked.
///
/// # Errors
///
/// What does not fit, or would be lost.
pub fn take(output: &OutputSchema, given: Value) -> Result<Value, Issues> {
    let given = if given.is_object() { given } else { output.wrap(given) };
    accepted(output, output.fit(given)).map(|value| output.unwrap(value))
}

/// As [`take`], of a value that stands in a reply, whose digits are kept.
///
/// # Errors
///
/// As of [`take`], and numbers whose digits are not clear.
pub fn take_from_reply(output: &OutputSchema, given: Value, reply: &str) -> Result<Value, Issues> {
    let given = if given.is_object() { given } else { output.wrap(given) };
    let (mut fit, unclear) = fit_with_digits(output, given, reply);
    fit.issues.extend(unclear);
    accepted(output, fit).map(|value| output.unwrap(value))
}

/// Checks an answer against the schema of an output, as [`take`] does where the type is known. A schema that
/// can't be compiled refuses nothing.
///
/// # Errors
///
/// As of [`take`].
pub fn fits(schema: &Value, answer: &Value) -> Result<(), Issues> {
    let Ok(target) = AnySchema::new(schema.clone()) else { return Ok(()) };
    let is_bare = is_wrapped(schema) && !answer.is_object();
    let answer = if is_bare { wrap(answer.clone()) } else { answer.clone() };
    accepted(&target, target.fit(answer)).map(|_| ())
}

/// A value that was brought into the expected form. What does not fit, or would be lost, is an issue.
fn accepted(target: &dyn Target, fit: Fit) -> Result<Value, Issues> {
    let Fit { value, repairs, mut issues, .. } = fit;
    issues.extend(target.refused_losses(&repairs));
    issues.into_result().map(|()| value)
}
