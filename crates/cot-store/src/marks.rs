//! The marks of trust of a call.

use std::fmt;

use cot_engine::internal::TaskTrust;
use serde::{Deserialize, Serialize};

/// The marks of trust that were in force when a model was called, as the process then declared them.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct CallMarks {
    /// The untrusted fields of the state that the model was shown, also by way of other values.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub untrusted: Vec<String>,
    /// The private ones.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub private: Vec<String>,
    /// Whether the model was shown untrusted values: those of fields, of tools or of sub-processes.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub untrusted_prompt: bool,
    /// Whether what comes of the reply is untrusted.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub untrusted_reply: bool,
}

impl CallMarks {
    /// Returns the marks of the task that called the model; `None` if nothing was marked.
    #[doc(hidden)]
    #[must_use]
    pub fn from_trust(found: &TaskTrust) -> Option<Self> {
        let owned = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        let marks = Self {
            untrusted: owned(found.untrusted),
            private: owned(found.private),
            untrusted_prompt: found.shows_untrusted,
            untrusted_reply: found.is_untrusted,
        };
        (marks != Self::default()).then_some(marks)
    }
}

impl fmt::Display for CallMarks {
    /// Writes what the model was shown, and what comes of it: `untrusted: mail; private: name; the reply is untrusted`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { untrusted, private, untrusted_prompt, untrusted_reply } = self;
        let list = |word, names: &[String]| {
            (!names.is_empty()).then(|| format!("{word}: {}", names.join(", ")))
        };
        let others = untrusted.is_empty() && *untrusted_prompt;
        let parts = [
            list("untrusted", untrusted),
            others.then(|| "shown untrusted values".to_owned()),
            list("private", private),
            untrusted_reply.then(|| "the reply is untrusted".to_owned()),
        ];
        f.write_str(&parts.into_iter().flatten().collect::<Vec<_>>().join("; "))
    }
}
