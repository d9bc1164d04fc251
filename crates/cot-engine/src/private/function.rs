//! Calling conventions of `check` and `process_output` functions.
//!
//! The signature of a function determines what it receives. A trait with an implementation for each form lets
//! rustc select the form; the last type parameter is inferred and distinguishes the forms. A function of no
//! form gives one error at its name, with the message of the trait.

use std::marker::PhantomData;

use cot_model::{BoxFuture, FunctionError};
use cot_schema::Issues;
use serde_json::Value;

use super::{Choice, IntoFunctionError, ProcessOutputResult};
use crate::process::{
    commit::CommitView,
    context::{CommitCx, Cx},
    process::Process,
    tables::ChosenTask,
};

/// The requirements on a `check` function. `G` is the tuple of its arguments.
#[diagnostic::on_unimplemented(
    message = "this function can't be a `check` [COT0179]",
    label = "has another signature",
    note = "expected the arguments `{G}`, and optionally `&Cx<'_, {P}>` as the last one",
    note = "expected the result `Result<(), Issues>`; declare an `async fn` with `check: async name`"
)]
pub trait CheckFunction<'s, G, P: Process, M> {
    /// Calls the function.
    ///
    /// # Errors
    ///
    /// The issues that it returns.
    fn check(&self, given: G, cx: &'s Cx<'s, P>) -> Result<(), Issues>;
}

/// The requirements on a `check: async` function. `G` is the tuple of its arguments.
#[diagnostic::on_unimplemented(
    message = "this function can't be a `check: async` [COT0180]",
    label = "has another signature, or is not async",
    note = "expected an `async fn` with the arguments `{G}`, and optionally `&Cx<'_, {P}>` as the last one, whose future is `Send`",
    note = "expected the result `Result<(), Issues>`, or `Result<Result<(), Issues>, E>` if the check can fail"
)]
pub trait AsyncCheckFunction<'a, G, P: Process, M> {
    /// Calls the function and returns its future.
    fn check_async(
        &self,
        given: G,
        cx: &'a Cx<'a, P>,
    ) -> BoxFuture<'a, Result<Value, FunctionError>>;
}

/// The return type of a `check: async` function.
pub trait Verdict {
    /// Converts the result into JSON: `null` for a valid output, else the issues.
    ///
    /// # Errors
    ///
    /// If the check could not decide.
    fn into_json(self) -> Result<Value, FunctionError>;
}

impl Verdict for Result<(), Issues> {
    fn into_json(self) -> Result<Value, FunctionError> {
        self.map_or_else(
            |issues| serde_json::to_value(issues).map_err(FunctionError::new),
            |()| Ok(Value::Null),
        )
    }
}

impl<E: IntoFunctionError> Verdict for Result<Result<(), Issues>, E> {
    fn into_json(self) -> Result<Value, FunctionError> {
        self.map_err(IntoFunctionError::into_function_error)?.into_json()
    }
}

/// The requirements on a `process_output` function. `G` is the tuple of its arguments.
#[diagnostic::on_unimplemented(
    message = "this function can't be a `process_output` [COT0181]",
    label = "has another signature",
    note = "expected the arguments `{G}`, and optionally `&Cx<'_, {P}>` or `&mut CommitCx<'_, {P}>` as the last one",
    note = "it returns `{C}` or `Result<{C}, Issues>`"
)]
pub trait ProcessFunction<'t, G, P: Process, C, M> {
    /// Calls the function.
    ///
    /// # Errors
    ///
    /// The issues that it returns.
    fn process(&self, given: G, cx: &mut CommitCx<'t, P>) -> Result<C, Issues>;
}

/// Calls a `check` function.
///
/// # Errors
///
/// The issues that the function returns.
pub fn call_check<'s, G, P: Process, M, F: CheckFunction<'s, G, P, M>>(
    given: G,
    cx: &'s Cx<'s, P>,
    function: F,
) -> Result<(), Issues> {
    function.check(given, cx)
}

/// Calls a `check: async` function.
///
/// # Errors
///
/// If the check could not decide whether the output is valid.
pub fn call_async_check<'a, G, P: Process, M, F: AsyncCheckFunction<'a, G, P, M>>(
    given: G,
    cx: &'a Cx<'a, P>,
    function: F,
) -> BoxFuture<'a, Result<Value, FunctionError>> {
    function.check_async(given, cx)
}

/// Calls a `process_output` function without a choice. The state is the one before the commit.
///
/// # Errors
///
/// The issues that the function returns.
pub fn call_process_output<'s, 'v: 's, G, P: Process, M, F>(
    given: G,
    state: &'s P::State,
    view: &mut CommitView<'v, P>,
    function: F,
) -> Result<Option<ChosenTask>, Issues>
where
    F: ProcessFunction<'s, G, P, (), M>,
{
    let mut cx = CommitCx::new(view.cx(state));
    function.process(given, &mut cx)?;
    view.entries.extend(cx.into_entries());
    Ok(None)
}

/// Calls a `process_output` function that chooses the next task. The state is the one before the commit.
///
/// # Errors
///
/// The issues that the function returns.
pub fn call_choosing_process_output<'s, 'v: 's, C: Choice, G, P: Process, M, F>(
    given: G,
    state: &'s P::State,
    view: &mut CommitView<'v, P>,
    _: PhantomData<C>,
    function: F,
) -> Result<Option<ChosenTask>, Issues>
where
    F: ProcessFunction<'s, G, P, C, M>,
{
    let mut cx = CommitCx::new(view.cx(state));
    let choice = function.process(given, &mut cx)?;
    view.entries.extend(cx.into_entries());
    Ok(choice.chosen())
}

/// The form of a function that takes no `Cx`.
#[derive(Debug)]
pub struct WithoutCx<V>(V);

/// The form of a function that takes a `Cx` last.
#[derive(Debug)]
pub struct WithCx<V>(V);

/// The form of a function that takes a `CommitCx` last.
#[derive(Debug)]
pub struct WithCommitCx<V>(V);

/// The form of an argument that is passed unchanged.
#[derive(Debug)]
pub struct AsGiven;

/// The form of an argument `&Vec<T>` that is passed as `&[T]`.
#[derive(Debug)]
pub struct AsSlice;

/// The form of an argument `&String` that is passed as `&str`.
#[derive(Debug)]
pub struct AsStr;

/// Implements a trait for every combination of argument forms.
macro_rules! forms {
    ($implement:ident: $([$how:ident $life:lifetime $type:ident $name:ident])*) => {
        forms!(@ $implement [] [] [] [] [] $([$how $life $type $name])*);
    };
    (@ $implement:ident $generics:tt $marks:tt $given:tt $taken:tt $names:tt) => {
        $implement!($generics $marks $given $taken $names);
    };
    (@ $implement:ident [$($g:tt)*] [$($mark:ty)*] [$($given:ty)*] [$($taken:ty)*] [$($n:ident)*]
        [own $life:lifetime $type:ident $name:ident] $($rest:tt)*
    ) => {
        forms!(@ $implement [$($g)* $type,] [$($mark)* AsGiven] [$($given)* $type]
            [$($taken)* $type] [$($n)* $name] $($rest)*);
    };
    (@ $implement:ident [$($g:tt)*] [$($mark:ty)*] [$($given:ty)*] [$($taken:ty)*] [$($n:ident)*]
        [any $life:lifetime $type:ident $name:ident] $($rest:tt)*
    ) => {
        forms!(@ $implement [$($g)* $type,] [$($mark)* AsGiven] [$($given)* $type]
            [$($taken)* $type] [$($n)* $name] $($rest)*);
        forms!(@ $implement [$life, $($g)* $type: $life,] [$($mark)* AsSlice] [$($given)* &$life Vec<$type>]
            [$($taken)* &$life [$type]] [$($n)* $name] $($rest)*);
        forms!(@ $implement [$life, $($g)*] [$($mark)* AsStr] [$($given)* &$life String]
            [$($taken)* &$life str] [$($n)* $name] $($rest)*);
    };
}

macro_rules! check_function {
    ([$($g:tt)*] [$($mark:ty)*] [$($given:ty)*] [$($taken:ty)*] [$($name:ident)*]) => {
        #[diagnostic::do_not_recommend]
        impl<'s, $($g)* P: Process, F> CheckFunction<'s, ($($given,)*), P, WithoutCx<($($mark,)*)>> for F
        where
            F: Fn($($taken),*) -> Result<(), Issues>,
        {
            fn check(&self, ($($name,)*): ($($given,)*), _: &'s Cx<'s, P>) -> Result<(), Issues> {
                self($($name),*)
            }
        }

        #[diagnostic::do_not_recommend]
        impl<'s, $($g)* P: Process, F> CheckFunction<'s, ($($given,)*), P, WithCx<($($mark,)*)>> for F
        where
            F: Fn($($taken,)* &'s Cx<'s, P>) -> Result<(), Issues>,
        {
            fn check(&self, ($($name,)*): ($($given,)*), cx: &'s Cx<'s, P>) -> Result<(), Issues> {
                self($($name,)* cx)
            }
        }
    };
}

macro_rules! async_check_function {
    ([$($g:tt)*] [$($mark:ty)*] [$($given:ty)*] [$($taken:ty)*] [$($name:ident)*]) => {
        #[diagnostic::do_not_recommend]
        impl<'r, $($g)* P: Process, F, R, V: Verdict> AsyncCheckFunction<'r, ($($given,)*), P, WithoutCx<($($mark,)*)>> for F
        where
            F: Fn($($taken),*) -> R,
            R: Future<Output = V> + Send + 'r,
        {
            fn check_async(
                &self,
                ($($name,)*): ($($given,)*),
                _: &'r Cx<'r, P>,
            ) -> BoxFuture<'r, Result<Value, FunctionError>> {
                let running = self($($name),*);
                Box::pin(async move { running.await.into_json() })
            }
        }

        #[diagnostic::do_not_recommend]
        impl<'r, $($g)* P: Process, F, R, V: Verdict> AsyncCheckFunction<'r, ($($given,)*), P, WithCx<($($mark,)*)>> for F
        where
            F: Fn($($taken,)* &'r Cx<'r, P>) -> R,
            R: Future<Output = V> + Send + 'r,
        {
            fn check_async(
                &self,
                ($($name,)*): ($($given,)*),
                cx: &'r Cx<'r, P>,
            ) -> BoxFuture<'r, Result<Value, FunctionError>> {
                let running = self($($name,)* cx);
                Box::pin(async move { running.await.into_json() })
            }
        }
    };
}

macro_rules! process_function {
    ([$($g:tt)*] [$($mark:ty)*] [$($given:ty)*] [$($taken:ty)*] [$($name:ident)*]) => {
        #[diagnostic::do_not_recommend]
        impl<'t, $($g)* P: Process, C, R: ProcessOutputResult<C>, F>
            ProcessFunction<'t, ($($given,)*), P, C, WithoutCx<($($mark,)*)>> for F
        where
            F: Fn($($taken),*) -> R,
        {
            fn process(&self, ($($name,)*): ($($given,)*), _: &mut CommitCx<'t, P>) -> Result<C, Issues> {
                self($($name),*).into_checked_choice()
            }
        }

        #[diagnostic::do_not_recommend]
        impl<'t, $($g)* P: Process, C, R: ProcessOutputResult<C>, F>
            ProcessFunction<'t, ($($given,)*), P, C, WithCx<($($mark,)*)>> for F
        where
            F: for<'s> Fn($($taken,)* &'s Cx<'t, P>) -> R,
        {
            fn process(&self, ($($name,)*): ($($given,)*), cx: &mut CommitCx<'t, P>) -> Result<C, Issues> {
                self($($name,)* cx).into_checked_choice()
            }
        }

        #[diagnostic::do_not_recommend]
        impl<'t, $($g)* P: Process, C, R: ProcessOutputResult<C>, F>
            ProcessFunction<'t, ($($given,)*), P, C, WithCommitCx<($($mark,)*)>> for F
        where
            F: for<'s> Fn($($taken,)* &'s mut CommitCx<'t, P>) -> R,
        {
            fn process(&self, ($($name,)*): ($($given,)*), cx: &mut CommitCx<'t, P>) -> Result<C, Issues> {
                self($($name,)* cx).into_checked_choice()
            }
        }
    };
}

// The output and the state; with the inputs or the item; with both.
forms!(check_function: [any 'a A a] [own 'b B b]);
forms!(check_function: [any 'a A a] [own 'b B b] [any 'c C c]);
forms!(check_function: [any 'a A a] [own 'b B b] [any 'c C c] [any 'd D d]);
// The output and the state; with the inputs.
forms!(async_check_function: [any 'a A a] [own 'b B b]);
forms!(async_check_function: [any 'a A a] [own 'b B b] [any 'c C c]);
forms!(process_function: [any 'a A a] [own 'b B b]);
forms!(process_function: [any 'a A a] [own 'b B b] [any 'c D c]);
