//! Values that only some may see.

use std::{borrow::Cow, fmt};

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Serialize};

/// A value that is shown to engines that the process lists alone, such as a name or an account.
///
/// Use it for fields of your own types; a field of a state that the process declares is marked with the word `private`. It
/// serializes as its value, so that a run can be resumed, and has the schema of its value. A `Secret` is what no
/// snapshot contains.
///
/// It has no `Display`, and its `Debug` does not show it. [`reveal`](Self::reveal) returns the value.
///
/// ```
/// use cot_schema::Private;
///
/// let name = Private::new("Ada".to_owned());
/// assert_eq!(format!("{name:?}"), "Private([private])");
/// assert_eq!(name.reveal(), "Ada");
/// ```
#[derive(Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Private<T>(T);

impl<T> Private<T> {
    /// Marks a value as private.
    #[must_use]
    pub const fn new(value: T) -> Self {
        Self(value)
    }

    /// Returns the value, which is no longer protected.
    #[must_use]
    pub const fn reveal(&self) -> &T {
        &self.0
    }

    /// Returns the owned value, which is no longer protected.
    #[must_use]
    pub fn into_revealed(self) -> T {
        self.0
    }
}

impl<T> From<T> for Private<T> {
    fn from(value: T) -> Self {
        Self(value)
    }
}

impl<T> fmt::Debug for Private<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Private([private])")
    }
}

impl<T: JsonSchema> JsonSchema for Private<T> {
    fn inline_schema() -> bool {
        T::inline_schema()
    }

    fn schema_name() -> Cow<'static, str> {
        T::schema_name()
    }

    fn schema_id() -> Cow<'static, str> {
        T::schema_id()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        T::json_schema(generator)
    }
}
