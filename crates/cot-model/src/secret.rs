//! Values that are never shown.

use std::fmt;

use serde::{
    Deserialize, Deserializer, Serialize, Serializer,
    de::{DeserializeOwned, Error as _},
};
use serde_json::Value;

/// A value in the state that no prompt, event, capture or snapshot shows, such as a key, a password or
/// personal data.
///
/// Only [`release`](Self::release) returns the value:
///
/// - it has no `Display`, so that `${state.key}` does not compile; `${json(state)}` shows
///   `"[secret]"`;
/// - `Debug` prints `Secret([secret])`;
/// - it serializes as the text `"[secret]"`, whatever its value. A snapshot or a trace of the state does not
///   contain the value;
/// - it has no `JsonSchema`, so that no output of a model can hold one;
/// - a function whose output contains one fails: an output is written as JSON, and the value would be lost. A
///   function whose output *is* one does not compile.
///
/// A secret read from a snapshot is therefore *withheld*: it has no value. The program that resumes a run
/// sets the value again, for instance with `Machine::change_state`. Any other JSON becomes the
/// value, so that configuration can be read; the text `"[secret]"` itself can't be a secret. Formats that are
/// not self-describing (not human-readable, in terms of `serde`) contain only the text and read as a withheld
/// secret. A value of the wrong type is rejected with an error that does not contain it.
///
/// Two secrets are equal if their values are. The comparison is not constant-time: do not expose its duration
/// to untrusted clients. The memory is not wiped when a secret is dropped; a `T` such as the types of the
/// crate `zeroize` can do that.
///
/// ```
/// use cot_core::Secret;
/// use serde::{Deserialize, Serialize};
///
/// #[derive(Debug, Serialize, Deserialize)]
/// struct Account {
///     user: String,
///     key: Secret<String>,
/// }
///
/// let account: Account = serde_json::from_str(r#"{ "user": "ada", "key": "k-123" }"#)?;
/// assert_eq!(account.key.release().map(String::as_str), Some("k-123"));
///
/// let saved = serde_json::to_string(&account)?;
/// assert_eq!(saved, r#"{"user":"ada","key":"[secret]"}"#);
///
/// let mut resumed: Account = serde_json::from_str(&saved)?;
/// assert!(resumed.key.is_withheld());
/// resumed.key = Secret::new("k-123".to_owned());
/// # Ok::<(), serde_json::Error>(())
/// ```
/// A function can't return one:
///
/// ```compile_fail
/// use cot_core::{FunctionError, Secret, prelude::*};
///
/// # #[derive(Debug, Clone, Default, serde::Serialize, serde::Deserialize)]
/// # pub struct Account { key: Secret<String> }
/// async fn fetch(_: &Account) -> Result<Secret<String>, FunctionError> {
///     Ok(Secret::new("k-123".to_owned()))
/// }
///
/// cot_process! {
///     process Login {
///         state: Account,
///         task fetch -> Secret<String> { run: fetch, update: { key = output }, next: done }
///         task done { end }
///     }
/// }
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Secret<T>(Option<T>);

/// The text that replaces every secret.
const SHOWN: &str = "[secret]";

impl<T> Secret<T> {
    /// Creates a secret with a value.
    #[must_use]
    pub const fn new(value: T) -> Self {
        Self(Some(value))
    }

    /// Creates a withheld secret, which has no value.
    #[must_use]
    pub const fn withheld() -> Self {
        Self(None)
    }

    /// Returns whether the secret has no value: it was never set, or was read from a snapshot.
    #[must_use]
    pub const fn is_withheld(&self) -> bool {
        self.0.is_none()
    }

    /// Returns the value, unless it is withheld. The result is no longer protected: use it locally.
    #[must_use]
    pub const fn release(&self) -> Option<&T> {
        self.0.as_ref()
    }

    /// Returns the owned value, unless it is withheld. The result is no longer protected: use it locally.
    #[must_use]
    pub fn into_released(self) -> Option<T> {
        self.0
    }
}

impl<T> Default for Secret<T> {
    /// Creates a withheld secret, which has no value.
    fn default() -> Self {
        Self::withheld()
    }
}

impl<T> From<T> for Secret<T> {
    fn from(value: T) -> Self {
        Self::new(value)
    }
}

impl<T> fmt::Debug for Secret<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The same for a withheld one: whether a value exists is not shown either.
        write!(f, "Secret({SHOWN})")
    }
}

impl<T> Serialize for Secret<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(SHOWN)
    }
}

impl<'de, T: DeserializeOwned> Deserialize<'de> for Secret<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        if !deserializer.is_human_readable() {
            return String::deserialize(deserializer).map(|_| Self::withheld());
        }
        let value = Value::deserialize(deserializer)?;
        if value == SHOWN {
            return Ok(Self::withheld());
        }
        // The error of the type itself may contain the value.
        T::deserialize(value).map(Self::new).map_err(|_| D::Error::custom(WRONG_TYPE))
    }
}

/// Returns whether a value, serialized as JSON, contains a secret.
pub fn contains_secret(value: &Value) -> bool {
    match value {
        Value::String(text) => text == SHOWN,
        Value::Array(items) => items.iter().any(contains_secret),
        Value::Object(members) => members.values().any(contains_secret),
        _ => false,
    }
}

const WRONG_TYPE: &str = "a secret holds a value of another type";

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::{from_str, from_value, json, to_string};

    use super::*;

    proptest! {
        #[test]
        fn is_never_written(value in "[0-9a-zA-Z#\"\\\\ ]{6,40}") {
            let secret = Secret::new(value.clone());
            for text in [to_string(&secret).unwrap(), format!("{secret:?}"), format!("{secret:#?}")] {
                prop_assert!(!text.contains(&value), "{text}");
            }
            let nested = json!({ "deep": [secret] });
            prop_assert_eq!(nested, json!({ "deep": ["[secret]"] }));
        }

        #[test]
        fn configuration_is_read(value in ".{0,40}") {
            let read: Secret<String> = from_value(json!(value)).unwrap();
            prop_assert_eq!(read.release(), (value != SHOWN).then_some(&value));
        }
    }

    #[test]
    fn a_saved_secret_is_withheld() {
        let saved = to_string(&Secret::new(vec![1, 2])).unwrap();
        let read: Secret<Vec<u8>> = from_str(&saved).unwrap();
        assert!(read.is_withheld());
        assert_eq!(read, Secret::default());
        assert_eq!(read.into_released(), None);
    }

    #[test]
    fn a_wrong_type_is_not_repeated() {
        for json in [json!("hunter2"), json!({ "hunter2": 1 }), json!(["hunter2"])] {
            let error = from_value::<Secret<u32>>(json).unwrap_err();
            assert!(!error.to_string().contains("hunter2"), "{error}");
        }
    }
}
