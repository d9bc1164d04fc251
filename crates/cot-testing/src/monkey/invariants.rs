//! Invariants of runs.

use std::fmt::Display;

use cot_engine::{Machine, Process, ProcessTypes};

/// The result of an invariant: a `bool`, a `Result` whose error is the reason of the violation, or `()` for
/// functions that assert.
#[diagnostic::on_unimplemented(
    message = "an invariant can't return `{Self}` [COT0186]",
    label = "returns `{Self}`",
    note = "return a `bool`, a `Result<(), E>` whose error implements `Display`, or nothing"
)]
pub trait Verdict {
    /// Converts the result to `Ok` if the invariant holds, or else to the reason, if it has one.
    ///
    /// # Errors
    ///
    /// Returns the reason of the violation, if there is one.
    fn verdict(self) -> Result<(), Option<String>>;
}

impl Verdict for () {
    fn verdict(self) -> Result<(), Option<String>> {
        Ok(())
    }
}

impl Verdict for bool {
    fn verdict(self) -> Result<(), Option<String>> {
        if self { Ok(()) } else { Err(None) }
    }
}

impl<E: Display> Verdict for Result<(), E> {
    fn verdict(self) -> Result<(), Option<String>> {
        self.map_err(|why| Some(why.to_string()))
    }
}

/// The result of checking an invariant.
pub(super) type InvariantResult = Result<(), Option<String>>;

type StateOf<P> = <P as ProcessTypes>::State;
type OfState<P> = dyn Fn(&StateOf<P>) -> InvariantResult;
type OfSteps<P> = dyn Fn(&StateOf<P>, &StateOf<P>) -> InvariantResult;
type OfMachine<P> = dyn Fn(&Machine<P>) -> InvariantResult;
type OfEnds<P> = dyn Fn(&<P as ProcessTypes>::Outcome, &StateOf<P>) -> InvariantResult;

/// All invariants, by the data that they check.
pub(super) struct Invariants<P: Process> {
    pub(super) of_state: Named<OfState<P>>,
    pub(super) of_steps: Named<OfSteps<P>>,
    pub(super) of_machine: Named<OfMachine<P>>,
    pub(super) of_ends: Named<OfEnds<P>>,
    pub(super) between_tasks_only: bool,
}

impl<P: Process> Default for Invariants<P> {
    fn default() -> Self {
        Self {
            of_state: Named::default(),
            of_steps: Named::default(),
            of_machine: Named::default(),
            of_ends: Named::default(),
            between_tasks_only: false,
        }
    }
}

/// Functions with the names of their invariants.
pub(super) struct Named<F: ?Sized>(Vec<(String, Box<F>)>);

impl<F: ?Sized> Named<F> {
    pub(super) fn add(&mut self, name: impl Into<String>, function: Box<F>) {
        self.0.push((name.into(), function));
    }

    pub(super) const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (&str, &F)> {
        self.0.iter().map(|(name, function)| (name.as_str(), &**function))
    }
}

impl<F: ?Sized> Default for Named<F> {
    fn default() -> Self {
        Self(Vec::new())
    }
}
