//! Fields of a declared state that are not set until a task writes them.

use cot_schema::Issues;

/// Gives the type of the value in `field = value`. Never called: it is used in a branch that never runs.
pub fn value_type<T>(_field: &mut Option<T>) -> T {
    unreachable!("only the type is of interest")
}

/// Gives the value of the field in `field.part = value`, as a place. Never called.
pub fn value_slot<T>(_field: &mut Option<T>) -> &mut T {
    unreachable!("only the type is of interest")
}

/// Checks that a field is set, before a part of its value is updated.
///
/// # Errors
///
/// If the field is not set.
pub fn require_set<T>(field: &Option<T>, name: &str) -> Result<(), Issues> {
    if field.is_some() { Ok(()) } else { Err(missing_value_error(name)) }
}

/// Returns the issue of an update that needs a missing value.
#[must_use]
pub fn missing_value_error(what: &str) -> Issues {
    Issues::at("$", format!("`{what}` is not there"))
}

/// Returns the name of the first field that is not set.
#[must_use]
pub fn first_unwritten(fields: &[(&'static str, bool)]) -> Option<&'static str> {
    fields.iter().find(|(_, is_written)| !is_written).map(|(name, _)| *name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_field_that_is_not_written_is_named() {
        assert_eq!(first_unwritten(&[("a", true), ("b", false), ("c", false)]), Some("b"));
        assert_eq!(first_unwritten(&[("a", true)]), None);
    }

    #[test]
    fn an_update_that_needs_a_missing_value_is_refused() {
        assert!(require_set(&Some(1), "plan").is_ok());
        assert!(require_set::<u32>(&None, "plan").unwrap_err().to_string().contains("`plan`"));
    }
}
