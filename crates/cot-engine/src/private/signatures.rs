//! Calling conventions of `run` and `mock` functions.
//!
//! The argument types are inferred from the signature of a function. A function with another signature gives
//! one error at its name, with the message of the trait. Types that nothing else determines are passed as `PhantomData`:
//! rustc would point at a single token of a list of generics.

use std::{convert::Infallible, future::Ready, marker::PhantomData, sync::Arc};

use super::{
    MockAnswer,
    function::{WithCx, WithoutCx},
};
use crate::process::{context::Cx, mock::Reply, types::ProcessTypes};

/// A value that can be passed as an argument of type `A`: an `A`, or a value that rustc would coerce to it.
pub trait Pass<A> {
    /// Converts the value into the argument.
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

/// The requirements on a `run` function. `G` is the tuple of its arguments, `O` its output.
#[diagnostic::on_unimplemented(
    message = "this function can't be the `run` of the task [COT0185]",
    label = "has another signature",
    note = "expected an `async fn` with the arguments `{G}`, and optionally `&Cx<'_, {P}>` as the last one",
    note = "it returns `Result<{O}, E>`"
)]
pub trait RunFunction<'c, G, P: ProcessTypes, O, K> {
    /// The type of the error.
    type Error;
    /// The type of the future.
    type Future: Future<Output = Result<O, Self::Error>>;

    /// Calls the function.
    fn begin(self, given: G, cx: &'c Cx<'c, P>) -> Self::Future;
}

/// The requirements on a `mock` function. `G` is the tuple of its arguments, `O` the output of the task.
#[diagnostic::on_unimplemented(
    message = "this function can't be a `mock` [COT0175]",
    label = "has another signature",
    note = "expected a function with the arguments `{G}`, and optionally `&Cx<'_, {P}>` as the last one",
    note = "it returns `{O}` or `Reply<{O}>`"
)]
pub trait MockFunction<'c, G, P: ProcessTypes, O, K> {
    /// Calls the function.
    fn answer(self, given: G, cx: &'c Cx<'c, P>) -> Reply<O>;
}

/// Calls a `run` function.
pub fn start_function<'c, G, P: ProcessTypes, O, K, F: RunFunction<'c, G, P, O, K>>(
    given: G,
    cx: &'c Cx<'c, P>,
    _: PhantomData<O>,
    function: F,
) -> F::Future {
    function.begin(given, cx)
}

/// Calls a `mock` function.
pub fn call_mock<'c, G, P: ProcessTypes, O, K, F: MockFunction<'c, G, P, O, K>>(
    given: G,
    cx: &'c Cx<'c, P>,
    _: PhantomData<O>,
    function: F,
) -> Reply<O> {
    function.answer(given, cx)
}

/// A form that no function has. With a second candidate, rustc reports that a function has no form at all,
/// instead of the difference from the only one.
#[derive(Debug)]
pub struct NoForm;

/// A trait that no type implements.
pub trait HasNoForm {
    /// Never called.
    fn never<T>(self) -> T;
}

#[diagnostic::do_not_recommend]
impl<'c, G, P: ProcessTypes, O, F: HasNoForm> RunFunction<'c, G, P, O, NoForm> for F {
    type Error = Infallible;
    type Future = Ready<Result<O, Infallible>>;

    fn begin(self, _: G, _: &'c Cx<'c, P>) -> Self::Future {
        self.never()
    }
}

#[diagnostic::do_not_recommend]
impl<'c, G, P: ProcessTypes, O, F: HasNoForm> MockFunction<'c, G, P, O, NoForm> for F {
    fn answer(self, _: G, _: &'c Cx<'c, P>) -> Reply<O> {
        self.never()
    }
}

/// Implements both traits for functions with these arguments.
macro_rules! functions {
    ($($given:ident $taken:ident $name:ident),*) => {
        #[diagnostic::do_not_recommend]
        impl<'c, $($given: Pass<$taken>, $taken,)* P: ProcessTypes, O, E, R, F>
            RunFunction<'c, ($($given,)*), P, O, WithoutCx<($($taken,)* E, R)>> for F
        where
            F: FnOnce($($taken),*) -> R,
            R: Future<Output = Result<O, E>>,
        {
            type Error = E;
            type Future = R;

            fn begin(self, ($($name,)*): ($($given,)*), _: &'c Cx<'c, P>) -> R {
                self($($name.pass()),*)
            }
        }

        #[diagnostic::do_not_recommend]
        impl<'c, $($given: Pass<$taken>, $taken,)* P: ProcessTypes, O, E, R, F>
            RunFunction<'c, ($($given,)*), P, O, WithCx<($($taken,)* E, R)>> for F
        where
            F: FnOnce($($taken,)* &'c Cx<'c, P>) -> R,
            R: Future<Output = Result<O, E>>,
        {
            type Error = E;
            type Future = R;

            fn begin(self, ($($name,)*): ($($given,)*), cx: &'c Cx<'c, P>) -> R {
                self($($name.pass(),)* cx)
            }
        }

        #[diagnostic::do_not_recommend]
        impl<'c, $($given: Pass<$taken>, $taken,)* P: ProcessTypes, O, R: MockAnswer<O>, F>
            MockFunction<'c, ($($given,)*), P, O, WithoutCx<($($taken,)* R,)>> for F
        where
            F: FnOnce($($taken),*) -> R,
        {
            fn answer(self, ($($name,)*): ($($given,)*), _: &'c Cx<'c, P>) -> Reply<O> {
                self($($name.pass()),*).into_mock_reply()
            }
        }

        #[diagnostic::do_not_recommend]
        impl<'c, $($given: Pass<$taken>, $taken,)* P: ProcessTypes, O, R: MockAnswer<O>, F>
            MockFunction<'c, ($($given,)*), P, O, WithCx<($($taken,)* R,)>> for F
        where
            F: FnOnce($($taken,)* &'c Cx<'c, P>) -> R,
        {
            fn answer(self, ($($name,)*): ($($given,)*), cx: &'c Cx<'c, P>) -> Reply<O> {
                self($($name.pass(),)* cx).into_mock_reply()
            }
        }
    };
}

// The state; with the inputs or the item; with both.
functions!(S A state);
functions!(S A state, I B inputs);
functions!(S A state, I B inputs, T C item);

/// The mock of a process, which takes no other argument.
#[diagnostic::do_not_recommend]
impl<'c, P: ProcessTypes, O, R: MockAnswer<O>, F> MockFunction<'c, (), P, O, WithCx<(R,)>> for F
where
    F: FnOnce(&'c Cx<'c, P>) -> R,
{
    fn answer(self, (): (), cx: &'c Cx<'c, P>) -> Reply<O> {
        self(cx).into_mock_reply()
    }
}
