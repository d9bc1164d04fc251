//! Values that can be shown in a fence.

use std::fmt::{self, Display, Formatter};

use super::untrusted::Untrusted;

/// A value that `quoted(…)` can show.
#[diagnostic::on_unimplemented(
    message = "`{Self}` can't be shown in a fence [COT0260]",
    label = "does not implement `Display`",
    note = "show it as JSON in the fence: `${{quoted(json(…))}}`"
)]
pub trait Quotable {
    /// Writes the value as it stands in the fence.
    ///
    /// # Errors
    ///
    /// If the `Display` of the value fails.
    fn write_quoted(&self, f: &mut Formatter<'_>) -> fmt::Result;
}

#[diagnostic::do_not_recommend]
impl<T: Display + ?Sized> Quotable for T {
    fn write_quoted(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.fmt(f)
    }
}

/// Implements the trait for untrusted values and references to them.
macro_rules! untrusted {
    ($($value:ty),*) => {$(
        #[diagnostic::do_not_recommend]
        impl<T: Display> Quotable for $value {
            fn write_quoted(&self, f: &mut Formatter<'_>) -> fmt::Result {
                self.look().fmt(f)
            }
        }
    )*};
}
untrusted!(Untrusted<T>, &Untrusted<T>, &&Untrusted<T>, &&&Untrusted<T>);
