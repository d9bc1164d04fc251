//! What the macro generates for a process, as a trait.

use crate::{
    process::{
        code::Code, list::ProcessList, schemas::cache::SchemaCache, tables::Definition,
        types::ProcessTypes,
    },
    values::outcome::Ending,
};

/// A process that `cot_process!` declared.
///
/// Implemented by the macro alone; the hidden items are a contract between the two crates.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a process",
    label = "is not declared by `cot_process!`",
    note = "a sub-process is named by the process that it runs: `process: Name`, beside another `cot_process!`"
)]
pub trait Process: ProcessTypes {
    #[doc(hidden)]
    const DEFINITION: &'static Definition;
    /// The processes that its tasks run, as a list of types.
    #[doc(hidden)]
    type Within: ProcessList;
    /// Where it is declared, which no other process has.
    #[doc(hidden)]
    const PLACE: &'static str;
    #[doc(hidden)]
    const CODE: &'static Code<Self>;
    #[doc(hidden)]
    fn schemas() -> &'static SchemaCache;
    /// Returns the outcome of a run that ended like this.
    fn outcome(ending: Ending<Self::Task>) -> Self::Outcome;
}
