//! The trait of outputs.

use std::fmt::Debug;

use schemars::JsonSchema;
use serde::{Serialize, de::DeserializeOwned};

use super::{checker::checker::Checker, given::Given, rules::Rules, schema::OutputSchema, wrapped};
use crate::issue::Issues;

/// A type that a model can be asked for.
///
/// Derive it: `#[derive(CotOutput)]` builds on `serde` and `schemars`, so that a constraint stated
/// once is in the schema, in the validator and in the error text.
#[diagnostic::on_unimplemented(
    message = "`{Self}` can't be the output of a task",
    label = "is not `CotOutput`",
    note = "add `#[derive(CotOutput)]` to the type, beside `Serialize`, `Deserialize` and `JsonSchema`, or put it into a struct of your own that has them"
)]
pub trait CotOutput:
    Serialize + DeserializeOwned + JsonSchema + Clone + Debug + Send + Sync + 'static
{
    /// The output while it comes in: of a struct, one with a field `Incoming` for each field.
    type Partial: DeserializeOwned + Clone + Debug + Send + Sync + 'static;

    /// The type's schema and validator, compiled once.
    fn output_schema() -> &'static OutputSchema;

    /// What `#[cot(…)]` says of the type and of those inside it.
    #[doc(hidden)]
    fn gather_rules(rules: &mut Rules);

    /// The checks of `#[cot(…)]`, of the type and of those inside it.
    #[doc(hidden)]
    fn run_checks(&self, checker: &mut Checker<'_>);
}

impl OutputSchema {
    /// The schema of an output. What the derive calls: its bound holds wherever the derive stands,
    /// so that a missing `JsonSchema` is reported once.
    #[doc(hidden)]
    #[must_use]
    pub fn of_output<T: CotOutput>() -> Self {
        Self::with_rules::<T>(|rules| T::gather_rules(rules), Some(checks_in::<T>))
    }
}

/// What the rules of a type find in a value. One that can't be read into the type has other faults.
fn checks_in<T: CotOutput>(schema: &OutputSchema, given: Given<'_>, known: &Issues) -> Issues {
    let Ok(output) = given.read::<T>() else {
        return Issues::new();
    };
    let mut checker = Checker::new(known);
    match schema.is_wrapped {
        true => checker.field(wrapped::VALUE, |checker| output.run_checks(checker)),
        false => output.run_checks(&mut checker),
    }
    checker.into_issues(|| Some(schema.wrap(given.into_value())))
}
