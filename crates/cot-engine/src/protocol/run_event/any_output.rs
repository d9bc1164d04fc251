//! Type-erased outputs.

use std::{any::Any, fmt, sync::Arc};

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Value, value::RawValue};

/// An output whose type is not known, such as one of a sub-process or of a stored event.
///
/// Every output has its JSON, in which digests stand for images and documents. Outputs of a running process also have
/// their value.
#[derive(Clone, Default)]
pub struct AnyOutput {
    value: Option<Arc<dyn ErasedOutput>>,
    json: Option<Arc<RawValue>>,
}

trait ErasedOutput: Any + fmt::Debug + Send + Sync {}

impl<O: Any + fmt::Debug + Send + Sync> ErasedOutput for O {}

impl AnyOutput {
    /// Creates an output without its JSON.
    pub(crate) fn from_value(output: impl Any + fmt::Debug + Send + Sync) -> Self {
        Self { value: Some(Arc::new(output)), json: None }
    }

    /// Adds the JSON of the output.
    pub(crate) fn with_json(self, json: Arc<RawValue>) -> Self {
        Self { json: Some(json), ..self }
    }

    /// Creates an output without its value.
    pub(crate) const fn from_json(json: Arc<RawValue>) -> Self {
        Self { value: None, json: Some(json) }
    }

    /// Returns the output, if it has type `O`; `None` for one from a journal.
    #[must_use]
    pub fn get<O: 'static>(&self) -> Option<&O> {
        let output: &dyn Any = &**self.value.as_ref()?;
        output.downcast_ref()
    }

    /// Converts into the output, if it has type `O`.
    pub(crate) fn into_value<O: Any + Clone + Send + Sync>(self) -> Option<O> {
        let output: Arc<dyn Any + Send + Sync> = self.value?;
        output.downcast().ok().map(Arc::unwrap_or_clone)
    }

    /// Returns the output as JSON; `None` for the default.
    #[must_use]
    pub fn to_json(&self) -> Option<Value> {
        serde_json::from_str(self.json()?.get()).ok()
    }

    /// Returns the JSON text of the output; `None` for the default.
    #[must_use]
    pub fn json(&self) -> Option<&RawValue> {
        self.json.as_deref()
    }

    /// Drops the value of the output, and keeps its JSON.
    pub(super) fn forget_value(&mut self) {
        self.value = None;
    }
}

impl fmt::Debug for AnyOutput {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.value, &self.json) {
            (Some(output), _) => output.fmt(f),
            (None, Some(json)) => f.write_str(json.get()),
            (None, None) => f.write_str("_"),
        }
    }
}

/// As its JSON; the default is `null`.
impl Serialize for AnyOutput {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.json().serialize(serializer)
    }
}

/// Within a tagged or flattened type this fails, as it does for a [`RawValue`].
impl<'de> Deserialize<'de> for AnyOutput {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Box::<RawValue>::deserialize(deserializer).map(|json| Self::from_json(json.into()))
    }
}
