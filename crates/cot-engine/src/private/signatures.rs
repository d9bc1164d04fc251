//! The functions of `run` and `mock`: what they take and return.
//!
//! A trait over what a function is given finds its arguments by its own signature, so that one of another
//! signature is a single error at its name, in the words of the trait.

use std::{convert::Infallible, future::Ready, sync::Arc};

use super::MockAnswer;
use crate::process::mock::Reply;

/// A value that can be passed where a function takes an `A`: itself, or what rustc would make of it.
pub trait Pass<A> {
    /// The argument.
    fn pass(self) -> A;
}

impl<T> Pass<T> for T {
    fn pass(self) -> T {
        self
    }
}

impl<'a> Pass<&'a str> for &'a String {
    fn pass(self) -> &'a str {
        self
    }
}

impl<'a, T> Pass<&'a [T]> for &'a Vec<T> {
    fn pass(self) -> &'a [T] {
        self
    }
}

impl<'a, T: ?Sized> Pass<&'a T> for &'a Box<T> {
    fn pass(self) -> &'a T {
        self
    }
}

impl<'a, T: ?Sized> Pass<&'a T> for &'a Arc<T> {
    fn pass(self) -> &'a T {
        self
    }
}

/// What the function of `run` must be: `G` is what it is given, in a tuple, and `O` its output.
#[diagnostic::on_unimplemented(
    message = "this function can't be the `run` of the task",
    label = "takes or returns something else",
    note = "it is an `async fn` that takes what is in `{G}`, and returns `Result<{O}, E>`"
)]
pub trait RunFunction<G, O, K> {
    /// The error.
    type Error;
    /// What it does.
    type Future: Future<Output = Result<O, Self::Error>>;

    /// Calls it.
    fn begin(self, given: G) -> Self::Future;
}

/// What the function of `mock` must be: `G` is what it is given, in a tuple, and `O` the output that it
/// answers with.
#[diagnostic::on_unimplemented(
    message = "this function can't be a `mock`",
    label = "takes or returns something else",
    note = "it takes what is in `{G}`, and returns `{O}` or `Reply<{O}>`"
)]
pub trait MockFunction<G, O, K> {
    /// Calls it.
    fn answer(self, given: G) -> Reply<O>;
}

/// Calls the function of a task.
pub fn begun<G, O, K, F: RunFunction<G, O, K>>(given: G, function: F) -> F::Future {
    function.begin(given)
}

/// Calls the function of a mock.
pub fn answered<G, O, K, F: MockFunction<G, O, K>>(given: G, function: F) -> Reply<O> {
    function.answer(given)
}

/// A form that no function has. With a second candidate, rustc says that a function has no form at all, in
/// the place of where it differs from the only one.
#[derive(Debug)]
pub struct NoForm;

/// No type has it.
pub trait HasNoForm {
    /// Never called.
    fn never<T>(self) -> T;
}

#[diagnostic::do_not_recommend]
impl<G, O, F: HasNoForm> RunFunction<G, O, NoForm> for F {
    type Error = Infallible;
    type Future = Ready<Result<O, Infallible>>;

    fn begin(self, _: G) -> Self::Future {
        self.never()
    }
}

#[diagnostic::do_not_recommend]
impl<G, O, F: HasNoForm> MockFunction<G, O, NoForm> for F {
    fn answer(self, _: G) -> Reply<O> {
        self.never()
    }
}

/// Implements both traits for functions of so many arguments.
macro_rules! functions {
    ($($given:ident $taken:ident $name:ident),*) => {
        #[diagnostic::do_not_recommend]
        impl<$($given: Pass<$taken>, $taken,)* O, E, R, F> RunFunction<($($given,)*), O, ($($taken,)* E, R)> for F
        where
            F: FnOnce($($taken),*) -> R,
            R: Future<Output = Result<O, E>>,
        {
            type Error = E;
            type Future = R;

            fn begin(self, ($($name,)*): ($($given,)*)) -> R {
                self($($name.pass()),*)
            }
        }

        #[diagnostic::do_not_recommend]
        impl<$($given: Pass<$taken>, $taken,)* O, R: MockAnswer<O>, F> MockFunction<($($given,)*), O, ($($taken,)* R,)> for F
        where
            F: FnOnce($($taken),*) -> R,
        {
            fn answer(self, ($($name,)*): ($($given,)*)) -> Reply<O> {
                self($($name.pass()),*).into_reply()
            }
        }
    };
}

// The state; with the inputs or the item; with both.
functions!(S A state);
functions!(S A state, I B inputs);
functions!(S A state, I B inputs, T C item);
