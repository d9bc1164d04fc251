//! What has to hold.

use std::fmt::Display;

use cot_engine::{Machine, Process, ProcessTypes};

/// What an invariant says: `bool`; a `Result` whose error says why it does not hold; or nothing, where
/// it asserts.
#[diagnostic::on_unimplemented(
    message = "an invariant can't return `{Self}`",
    label = "returns `{Self}`",
    note = "it returns a `bool`, a `Result<(), E>` with an error that can be displayed, or nothing"
)]
pub trait Verdict {
    /// Nothing where it holds, or else why it does not, as far as that is known.
    ///
    /// # Errors
    ///
    /// Why it does not hold.
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

/// What an invariant found.
pub(super) type Held = Result<(), Option<String>>;

type StateOf<P> = <P as ProcessTypes>::State;
type OfState<P> = dyn Fn(&StateOf<P>) -> Held;
type OfSteps<P> = dyn Fn(&StateOf<P>, &StateOf<P>) -> Held;
type OfMachine<P> = dyn Fn(&Machine<P>) -> Held;
type OfEnds<P> = dyn Fn(&<P as ProcessTypes>::Outcome, &StateOf<P>) -> Held;

/// All that has to hold, by what it is said of.
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

/// Functions with what they say in words.
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
