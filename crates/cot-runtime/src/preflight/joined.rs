//! Writes lists of errors.

use std::fmt;

/// Writes errors, separated by semicolons.
pub(super) fn write_joined<'a>(
    f: &mut fmt::Formatter<'_>,
    errors: impl Iterator<Item = &'a dyn fmt::Display>,
) -> fmt::Result {
    for (index, error) in errors.enumerate() {
        f.write_str(if index == 0 { "" } else { "; " })?;
        error.fmt(f)?;
    }
    Ok(())
}
