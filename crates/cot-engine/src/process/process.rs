//! The trait that the macro implements for a process.

use crate::{
    process::{
        bounds::Bounded, code::ProcessCode, list::ProcessList, schemas::cache::SchemaCache,
        tables::Definition, types::ProcessTypes,
    },
    values::outcome::Ending,
};

/// A process declared by `cot_process!`.
///
/// Only the macro implements it; the hidden items are a contract between the macro and the engine.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a process [COT0129]",
    label = "is not declared by `cot_process!`",
    note = "name a process that another `cot_process!` declares: `process: Name`"
)]
pub trait Process: ProcessTypes {
    #[doc(hidden)]
    const DEFINITION: &'static Definition;
    /// The sub-processes, as a type-level list.
    #[doc(hidden)]
    type SubProcesses: ProcessList;
    /// What a run costs at most.
    #[doc(hidden)]
    type Bounds<D: BoundsDepth>: Bounded;
    /// The source location of the declaration and the name, which are unique together: the processes that a
    /// macro declares have the same location.
    #[doc(hidden)]
    const PLACE: &'static str;
    #[doc(hidden)]
    const CODE: &'static ProcessCode<Self>;
    #[doc(hidden)]
    fn schemas() -> &'static SchemaCache;
    /// Converts the ending of a run into the outcome of this process.
    fn outcome(ending: Ending<Self::Task>) -> Self::Outcome;
}

/// The number of levels of sub-processes whose bounds are followed.
#[doc(hidden)]
pub trait BoundsDepth {
    /// The bounds of a process, with one level less to follow.
    type Bounds<P: Process>: Bounded;
}

impl BoundsDepth for () {
    type Bounds<P: Process> = ();
}

impl<D: BoundsDepth> BoundsDepth for Option<D> {
    type Bounds<P: Process> = P::Bounds<D>;
}
