//! Fields of a declared state that are unset until a task writes them.

use cot_schema::Issues;

/// `field = value`: the type of the value. Never called: it stands in a branch that is never taken.
pub fn set<T>(_field: &mut Option<T>) -> T {
    unreachable!("only the type is of interest")
}

/// `field.part = value`: the field's value, as a place. Never called.
pub fn value_in<T>(_field: &mut Option<T>) -> &mut T {
    unreachable!("only the type is of interest")
}

/// Makes sure that a field is written, before something is written into its value.
///
/// # Errors
///
/// When it is not.
pub fn needed<T>(field: &Option<T>, name: &str) -> Result<(), Issues> {
    if field.is_some() { Ok(()) } else { Err(absent(name)) }
}

/// What is said when an update needs what is not there.
#[must_use]
pub fn absent(what: &str) -> Issues {
    Issues::at("$", format!("`{what}` is not there"))
}

/// The first of some fields that is not written.
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
        assert!(needed(&Some(1), "plan").is_ok());
        assert!(needed::<u32>(&None, "plan").unwrap_err().to_string().contains("`plan`"));
    }
}
