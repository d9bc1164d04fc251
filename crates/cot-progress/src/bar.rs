//! Bars of the program itself.

use std::{fmt, sync::Arc};

use crate::{
    display::Display,
    text::{clean, fit},
};

/// The columns of the name of a bar.
const MAX_NAME: usize = 40;

/// A bar of work that the program counts itself, such as the trials of an eval. It is shown above the runs, and leaves a line
/// when all is done. When it is dropped before that, it leaves nothing.
///
/// ```
/// use cot_core::progress::Progress;
///
/// let bar = Progress::stderr().bar("pages");
/// for page in 1..=3 {
///     bar.set(page, 3, "");
/// }
/// ```
pub struct Bar {
    display: Arc<Display>,
    name: String,
    number: usize,
}

impl Bar {
    pub(crate) fn new(display: Arc<Display>, name: &str) -> Self {
        let number = display.new_bar();
        Self { display, name: fit(&clean(name), MAX_NAME), number }
    }

    /// Shows how much is done of all, and a note such as `2 failed`.
    pub fn set(&self, done: usize, total: usize, note: impl AsRef<str>) {
        self.display.set_bar((self.number, &self.name), (done, total), &clean(note.as_ref()));
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        self.display.remove_bar(self.number);
    }
}

impl fmt::Debug for Bar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Bar").field("name", &self.name).finish_non_exhaustive()
    }
}
