//! Calling conventions of `run` functions with `effect: transaction`.
//!
//! They take the connection of the store after what other functions take, by `&mut`. Its type is inferred from the
//! signature, and compared with that of the store when the function is called, and before a run begins.

use std::{
    any::{Any, type_name},
    convert::Infallible,
    future::Ready,
    marker::PhantomData,
};

use cot_model::{BoxFuture, FunctionError};
use serde::Serialize;
use serde_json::Value;

use super::{
    function::{WithCx, WithoutCx},
    signatures::{HasNoForm, NoForm, Pass},
    work::{IntoFunctionError, finish_function},
};
use crate::process::{
    connection::{Connection, ConnectionType},
    context::Cx,
    types::ProcessTypes,
};

/// The requirements on a `run` function with `effect: transaction`. `G` is the tuple of its arguments, `O` its output.
#[diagnostic::on_unimplemented(
    message = "this function can't be the `run` of a task with `effect: transaction` [COT0278]",
    label = "has another signature",
    note = "expected an `async fn` with the arguments `{G}`, then the connection of the store, such as `&mut PgConnection`, and optionally `&Cx<'_, {P}>` as the last one",
    note = "it returns `Result<{O}, E>`"
)]
pub trait TransactFunction<'c, G, P: ProcessTypes, O, K> {
    /// The type of the connection.
    type Connection: Any;
    /// The type of the error.
    type Error;
    /// The type of the future.
    type Future: Future<Output = Result<O, Self::Error>>;

    /// Calls the function.
    fn begin(
        self,
        given: G,
        connection: &'c mut Self::Connection,
        cx: &'c Cx<'c, P>,
    ) -> Self::Future;
}

/// A function that takes a connection after `N` other arguments.
pub trait TakesConnection<const N: usize, P: ProcessTypes, K> {
    /// The type of the connection.
    type Connection: Any;
}

/// A function that is called with `N` arguments and a connection.
#[derive(Debug)]
pub struct Taker<const N: usize, P, F>(pub F, pub PhantomData<P>);

/// Returns the type of the connection that a function takes.
pub trait NamesConnection<K> {
    /// Returns the type.
    fn connection_type(&self) -> ConnectionType;
}

impl<const N: usize, P: ProcessTypes, K, F: TakesConnection<N, P, K>> NamesConnection<K>
    for Taker<N, P, F>
{
    fn connection_type(&self) -> ConnectionType {
        ConnectionType::new::<F::Connection>()
    }
}

/// The fallback for a function of another signature, which is reported where it is called: methods by value take
/// precedence over those by reference.
pub trait NamesNoConnection {
    /// Returns a type that no store has.
    fn connection_type(&self) -> ConnectionType {
        ConnectionType::new::<()>()
    }
}

impl<T> NamesNoConnection for &T {}

/// Calls a `run` function in a transaction.
///
/// # Errors
///
/// If the function takes another connection than the store has.
pub fn start_in_transaction<'c, G, P: ProcessTypes, O, K, F: TransactFunction<'c, G, P, O, K>>(
    given: G,
    connection: &'c mut Connection,
    cx: &'c Cx<'c, P>,
    _: PhantomData<O>,
    function: F,
) -> Result<F::Future, FunctionError> {
    let connection = connection.downcast_mut().ok_or_else(|| {
        let taken = type_name::<F::Connection>();
        FunctionError::not_done(format!(
            "the function takes a `&mut {taken}`, which is not the connection of the store"
        ))
    })?;
    Ok(function.begin(given, connection, cx))
}

/// Awaits a `run` function in a transaction and serializes its output to JSON. What fails is rolled back, so that nothing
/// is done.
///
/// # Errors
///
/// The error of the function, or the reason for which its output can't be JSON.
pub fn finish_transaction<'a, O, E, F>(
    running: Result<F, FunctionError>,
) -> BoxFuture<'a, Result<Value, FunctionError>>
where
    O: Serialize,
    E: IntoFunctionError,
    F: Future<Output = Result<O, E>> + Send + 'a,
{
    match running {
        Ok(running) => {
            let finished = finish_function(running);
            Box::pin(async {
                finished.await.map_err(|error| FunctionError::not_done(error.message()))
            })
        }
        Err(error) => Box::pin(std::future::ready(Err(error))),
    }
}

#[diagnostic::do_not_recommend]
impl<'c, G, P: ProcessTypes, O, F: HasNoForm> TransactFunction<'c, G, P, O, NoForm> for F {
    type Connection = ();
    type Error = Infallible;
    type Future = Ready<Result<O, Infallible>>;

    fn begin(self, _: G, (): &'c mut (), _: &'c Cx<'c, P>) -> Self::Future {
        self.never()
    }
}

/// Implements both traits for functions with these arguments.
macro_rules! functions {
    ($count:literal: $($given:ident $taken:ident $name:ident),*) => {
        functions!(@ WithoutCx, $count, [], |_cx| [] [$($given $taken $name),*]);
        functions!(@ WithCx, $count, [&'c Cx<'c, P>], |cx| [cx] [$($given $taken $name),*]);
    };
    (@ $form:ident, $count:literal, [$($last:ty)?], |$cx:ident| [$($passed:ident)?]
        [$($given:ident $taken:ident $name:ident),*]
    ) => {
        #[diagnostic::do_not_recommend]
        impl<'c, $($given: Pass<$taken>, $taken,)* C: Any, P: ProcessTypes, O, E, R, F>
            TransactFunction<'c, ($($given,)*), P, O, $form<($($taken,)* C, E, R)>> for F
        where
            F: FnOnce($($taken,)* &'c mut C, $($last)?) -> R,
            R: Future<Output = Result<O, E>>,
        {
            type Connection = C;
            type Error = E;
            type Future = R;

            fn begin(self, ($($name,)*): ($($given,)*), connection: &'c mut C, $cx: &'c Cx<'c, P>) -> R {
                self($($name.pass(),)* connection, $($passed)?)
            }
        }

        #[diagnostic::do_not_recommend]
        impl<'c, $($taken,)* C: Any, P: ProcessTypes, R, F>
            TakesConnection<$count, P, $form<(&'c (), $($taken,)* C, R)>> for F
        where
            P: 'c,
            F: FnOnce($($taken,)* &'c mut C, $($last)?) -> R,
        {
            type Connection = C;
        }
    };
}

// The state; with the inputs or the item; with both.
functions!(1: S A state);
functions!(2: S A state, I B inputs);
functions!(3: S A state, I B inputs, T D item);
