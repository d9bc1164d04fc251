//! The trait of output types.

use std::fmt::Debug;

use schemars::JsonSchema;
use serde::{Serialize, de::DeserializeOwned};

use super::{
    checker::checker::Checker,
    given::UntypedOutput,
    rules::RulesCollector,
    schema::{OutputSchema, Source},
};
use crate::trust::closed::MemberClosedness;

/// A type that a task can have as its output.
///
/// Implement it with `#[derive(CotOutput)]`, which builds on `serde` and `schemars`: a constraint is stated
/// once and applies to the schema, the validator and the error messages.
#[diagnostic::on_unimplemented(
    message = "`{Self}` can't be the output of a task [COT0218]",
    label = "does not implement `CotOutput`",
    note = "add `#[derive(CotOutput)]` to the type, beside `Serialize`, `Deserialize` and `JsonSchema`, or wrap it in a struct with these derives"
)]
pub trait CotOutput:
    Serialize + DeserializeOwned + JsonSchema + Clone + Debug + Send + Sync + 'static
{
    /// The incomplete output of a reply that is still being received. For a struct, it has an `Incoming` for
    /// each field.
    type Partial: DeserializeOwned + Clone + Debug + Send + Sync + 'static;

    /// The members of a struct, and whether the type of each has a closed set of values; `None` if they are not known.
    #[doc(hidden)]
    const MEMBERS: Option<&'static [MemberClosedness]> = None;

    /// Returns the schema and validator of the type, compiled once.
    fn output_schema() -> &'static OutputSchema;

    /// Adds the `#[cot(…)]` attributes of the type and of the types inside it.
    #[doc(hidden)]
    fn gather_rules(rules: &mut RulesCollector);

    /// Runs the `#[cot(…)]` checks of the value and of the values inside it.
    #[doc(hidden)]
    fn run_checks(&self, checker: &mut Checker<'_>);

    /// Returns the name in the JSON of a member with this name in Rust; `None` if its JSON is in the place of the whole.
    #[doc(hidden)]
    fn json_key(member: &str) -> Option<&str> {
        Some(member)
    }
}

impl OutputSchema {
    /// Creates the schema of an output type, with its `#[cot(…)]` attributes.
    ///
    /// The derive calls this. The bound of `T` is satisfied wherever the derive is, so that a missing
    /// `JsonSchema` is reported once.
    #[doc(hidden)]
    #[must_use]
    pub fn for_output<T: CotOutput>() -> Self {
        Self::with_rules(Source::new::<T>(), T::gather_rules, Some(checks_in::<T>))
    }
}

/// Runs the checks of a type.
fn checks_in<T: CotOutput>(given: &UntypedOutput<'_>, checker: &mut Checker<'_>) {
    if let Ok(output) = given.deserialize::<T>() {
        output.run_checks(checker);
    }
}
