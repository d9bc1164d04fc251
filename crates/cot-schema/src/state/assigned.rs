//! Values of writes. An `Option` for a field that is none is refused in words of its own: rustc would propose `expect`.

/// The value of a write. For an `Option`, `into_field` is the inherent method, which takes precedence over that of
/// [`PlainValue`].
#[derive(Debug)]
pub struct Assigned<T>(pub T);

/// A type to which an `Option<T>` can be written.
#[diagnostic::on_unimplemented(
    message = "an `Option<{T}>` can't be written to a `{Self}` [COT0235]",
    label = "has no value if it is `None`",
    note = "write it only if there is a value, with a condition: `… = value if let Some(value) = …`",
    note = "or make the field an `Option`, too"
)]
pub trait TakesOption<T> {
    /// Converts the value.
    fn from_option(value: Option<T>) -> Self;
}

#[diagnostic::do_not_recommend]
impl<T> TakesOption<T> for Option<T> {
    fn from_option(value: Self) -> Self {
        value
    }
}

impl<T> Assigned<Option<T>> {
    /// Returns the value.
    pub fn into_field<F: TakesOption<T>>(self) -> F {
        F::from_option(self.0)
    }
}

/// The fallback for values that are no `Option`.
pub trait PlainValue {
    /// The type of the value.
    type Value;

    /// Returns the value.
    fn into_field(self) -> Self::Value;
}

impl<T> PlainValue for Assigned<T> {
    type Value = T;

    fn into_field(self) -> T {
        self.0
    }
}
