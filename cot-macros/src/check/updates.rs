//! State writes.

use crate::{
    diagnostics::Errors,
    model::{Model, same_tokens},
};

/// One update writes a path once; appends may repeat.
pub(super) fn check_writes_are_distinct(model: &Model<'_>, errors: &Errors) {
    for update in model.tasks.iter().filter_map(|task| task.syntax.items.update.as_ref()) {
        let writes = &update.value.writes;
        for (index, write) in writes.iter().enumerate() {
            let again = writes[..index].iter().any(|other| same_tokens(&other.path, &write.path));
            if again && !write.path.appends() {
                errors.error_over_with_help(
                    &write.path,
                    "this path is written twice in one update",
                    "the second write would hide the first: remove one of the two",
                );
            }
        }
    }
}
