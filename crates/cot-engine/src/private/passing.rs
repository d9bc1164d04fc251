//! Compares the marks of values with those of a sub-process, at compile time.

use crate::process::process::Process;

/// Returns whether one of these arguments of `new` of the state of a process does not have the mark. A process that
/// only warns does not count where the other is strict.
#[must_use]
pub const fn passes_unmarked<P: Process>(
    arguments: &[usize],
    is_private: bool,
    is_strict: bool,
) -> bool {
    let trust = P::DEFINITION.trust;
    let mut index = 0;
    while index < arguments.len() {
        let argument = arguments[index];
        if argument >= trust.inputs.len() || !trust.inputs[argument][is_private as usize] {
            return true;
        }
        index += 1;
    }
    !is_private && is_strict && !trust.is_strict
}
