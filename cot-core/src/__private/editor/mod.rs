//! The vocabulary of `cot_process!` as an editor shows it: what stands behind its keys and words.
//!
//! The macro refers to these items only in the expansion for rust-analyzer, which is never compiled.

mod keys;
mod values;
mod words;

pub use keys::*;
pub use values::*;
pub use words::*;

/// Returns a value of any type. Nothing calls this function.
#[expect(
    clippy::empty_loop,
    reason = "there is no other value of any type, and nothing calls this"
)]
pub const fn any<T>() -> T {
    loop {}
}

/// Returns the item of a for-each task.
pub fn item<I: IntoIterator>(_list: I) -> I::Item {
    any()
}

/// The task, the process and the history, which templates can show.
pub type Shown<'a> = (&'a crate::About, &'a crate::About, &'a crate::History);

/// Returns the text that a template shows for a value.
pub const fn shown<T: ?Sized>(_value: &T) -> String {
    String::new()
}

/// The value of a state field that is unset until a task writes it.
pub trait Unset {
    /// The type of the value.
    type Value;

    /// Returns the value, which every path to this place has written.
    fn __set(&self) -> &Self::Value;

    /// Returns the value, to write to a part of it.
    fn __set_mut(&mut self) -> &mut Self::Value;
}

impl<T> Unset for Option<T> {
    type Value = T;

    fn __set(&self) -> &T {
        any()
    }

    fn __set_mut(&mut self) -> &mut T {
        any()
    }
}

/// The place of `a?` in a state path.
pub trait OrDefault {
    /// The type of the value.
    type Value;

    /// Returns the value, created if it is missing.
    fn __or_default(&mut self) -> &mut Self::Value;
}

impl<T> OrDefault for Option<T> {
    type Value = T;

    fn __or_default(&mut self) -> &mut T {
        any()
    }
}
