//! The functions of code tasks, for-each tasks, mocks and sub-processes.

use std::{any::Any, error::Error, marker::PhantomData};

use cot_model::{BoxFuture, FunctionError, Secret, internal::contains_secret};
use cot_schema::internal::is_deep;
use serde::{Serialize, ser::Error as _};
use serde_json::Value;

use crate::{
    machine::{child, typed_outline::outline_of},
    process::{
        child::ChildRun,
        context::{Cx, InheritContext, IntoContext},
        environment::Environment,
        mock::{Mocked, Reply},
        outline::ProcessOutline,
        process::Process,
        types::ProcessTypes,
    },
    snapshot::{data::Snapshot, error::SnapshotError, options::ResumeOptions},
};

/// The requirements on the error of a `run` function: an error, or a type that converts into one, such as
/// `anyhow::Error`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` can't be the error of a `run` function [COT0182]",
    label = "fails with `{Self}`",
    note = "the error must be `std::error::Error + Send + Sync + 'static`, or convert into `Box<dyn Error + Send + Sync>`, such as `anyhow::Error`"
)]
pub trait IntoFunctionError {
    /// Converts the error into a message that includes its causes.
    fn into_function_error(self) -> FunctionError;
}

#[diagnostic::do_not_recommend]
impl<E: Into<Box<dyn Error + Send + Sync>>> IntoFunctionError for E {
    fn into_function_error(self) -> FunctionError {
        let error: Box<dyn Error + Send + Sync> = self.into();
        FunctionError::from_error(&*error)
    }
}

/// Awaits a `run` function and serializes its output to JSON.
///
/// # Errors
///
/// The error of the function, or the reason for which its output can't be JSON.
pub fn finish_function<'a, O, E, F>(running: F) -> BoxFuture<'a, Result<Value, FunctionError>>
where
    O: Serialize,
    E: IntoFunctionError,
    F: Future<Output = Result<O, E>> + Send + 'a,
{
    Box::pin(async move {
        let output = running.await.map_err(IntoFunctionError::into_function_error)?;
        let output = serde_json::to_value(output).map_err(FunctionError::done)?;
        storable(output).map_err(FunctionError::done)
    })
}

/// Rejects an output that would lose the value of a secret, or could not be read from a journal.
pub(super) fn storable(output: Value) -> Result<Value, &'static str> {
    match output {
        output if contains_secret(&output) => Err(SECRET),
        output if is_deep(&output) => Err(DEEP),
        output => Ok(output),
    }
}

/// Rejects functions that return a secret, at compile time.
pub struct OutputOf<O>(PhantomData<O>);

/// Implemented by no secret; required only of secrets, so that the compiler reports them.
#[diagnostic::on_unimplemented(
    message = "a function can't return `{Self}` [COT0237]",
    label = "outputs are stored as JSON, which would lose the value",
    note = "return a reference to the secret, such as its name, and set it in the state with `ResumeOptions::on_resume` or a hook"
)]
pub trait FunctionOutput {}

/// The fallback for types without an inherent method below: inherent methods take precedence over trait
/// methods.
pub trait PlainOutput {
    /// Accepts the type: its JSON is complete.
    fn require_storable() {}
}

impl<O> PlainOutput for OutputOf<O> {}

impl<T> OutputOf<Secret<T>> {
    /// Rejects the type: the bound is never satisfied.
    pub const fn require_storable()
    where
        Secret<T>: FunctionOutput,
    {
    }
}

impl<T> OutputOf<Option<Secret<T>>> {
    /// Rejects the type: the bound is never satisfied.
    pub const fn require_storable()
    where
        Secret<T>: FunctionOutput,
    {
    }
}

impl<T> OutputOf<Vec<Secret<T>>> {
    /// Rejects the type: the bound is never satisfied.
    pub const fn require_storable()
    where
        Secret<T>: FunctionOutput,
    {
    }
}

const DEEP: &str = "the output nests lists and objects more than 96 levels deep";

const SECRET: &str = "the output holds a `Secret`, whose value would be lost, as outputs are written as JSON: return a \
     reference to the secret, such as its name, and set the secret in the state with `ResumeOptions::on_resume` or a hook";

/// Returns the number of items of a list.
pub fn count<I: IntoIterator>(list: I) -> usize {
    let items = list.into_iter();
    match items.size_hint() {
        (least, Some(most)) if least == most => least,
        _ => items.count(),
    }
}

/// Returns the item of a list at an index.
pub fn nth<I: IntoIterator>(list: I, item: Option<usize>) -> Option<I::Item> {
    list.into_iter().nth(item?)
}

/// A type that a `mock` function can return for an output `O`.
pub trait MockAnswer<O> {
    /// Converts the value into an answer.
    fn into_mock_reply(self) -> Reply<O>;
}

#[diagnostic::do_not_recommend]
impl<O, T: Into<Reply<O>>> MockAnswer<O> for T {
    fn into_mock_reply(self) -> Reply<O> {
        self.into()
    }
}

/// Converts the answer of a `mock` function to JSON.
///
/// # Errors
///
/// If the output does not serialize to JSON.
pub fn encode_mock<O: Serialize>(answer: Reply<O>) -> serde_json::Result<Mocked> {
    Mocked::from_reply::<O>(answer)
}

/// Returns the error of a `mock` function that lacks an argument.
#[must_use]
pub fn mock_error(what: &str) -> serde_json::Error {
    serde_json::Error::custom(format!("the mock has no `{what}`"))
}

/// Creates a sub-process with an initial state, which inherits the context.
pub fn begin<P, Q>(state: P::State, cx: &Cx<'_, Q>) -> Box<dyn ChildRun>
where
    P: Process + InheritContext<Q::Context>,
    Q: ProcessTypes,
{
    child::create::<P>(state, inherited::<P, Q>(cx))
}

/// Creates a sub-process with an initial state and a context.
pub fn begin_with<P: Process, Q: ProcessTypes>(
    state: P::State,
    cx: &Cx<'_, Q>,
    context: impl IntoContext<P::Context>,
) -> Box<dyn ChildRun> {
    child::create::<P>(state, cx.environment().within(context.into_context()))
}

fn inherited<P, Q>(cx: &Cx<'_, Q>) -> Environment<P>
where
    P: Process + InheritContext<Q::Context>,
    Q: ProcessTypes,
{
    let environment = cx.environment();
    environment.within(P::inherit_context(environment.context()))
}

/// A state of a sub-process that can be created from the state of the process around it.
#[diagnostic::on_unimplemented(
    message = "a sub-process with the state `{Self}` can't start from the state `{S}` [COT0130]",
    label = "has no initial state",
    note = "pass the initial state: `process: Name with state`; or implement `From<&{S}>` for `{Self}`"
)]
pub trait BeginFrom<S> {
    /// Creates the state.
    fn begin_from(state: &S) -> Self;
}

#[diagnostic::do_not_recommend]
impl<S, T: for<'a> From<&'a S>> BeginFrom<S> for T {
    fn begin_from(state: &S) -> Self {
        Self::from(state)
    }
}

/// Creates the initial state of a sub-process from the state of the process around it.
pub fn start_from<P: Process<State: BeginFrom<S>>, S>(state: &S) -> P::State {
    BeginFrom::begin_from(state)
}

/// Restores a sub-process from a snapshot; it inherits the context.
///
/// # Errors
///
/// If the snapshot does not match the process.
pub fn resume<P, Q>(
    snapshot: Snapshot,
    options: &ResumeOptions,
    cx: &Cx<'_, Q>,
) -> Result<Box<dyn ChildRun>, SnapshotError>
where
    P: Process + InheritContext<Q::Context>,
    Q: ProcessTypes,
{
    child::restore::<P>(snapshot, options, inherited::<P, Q>(cx), cx.path_within())
}

/// Restores a sub-process from a snapshot, with a context.
///
/// # Errors
///
/// If the snapshot does not match the process.
pub fn resume_with<P: Process, Q: ProcessTypes>(
    snapshot: Snapshot,
    options: &ResumeOptions,
    cx: &Cx<'_, Q>,
    context: impl IntoContext<P::Context>,
) -> Result<Box<dyn ChildRun>, SnapshotError> {
    let environment = cx.environment().within(context.into_context());
    child::restore::<P>(snapshot, options, environment, cx.path_within())
}

/// Returns the outline of a sub-process.
#[must_use]
pub fn describe<P: Process>() -> &'static dyn ProcessOutline {
    outline_of::<P>()
}

/// Returns the final state of a sub-process in its type.
#[must_use]
pub fn end<P: Process>(state: Box<dyn Any>) -> Option<P::State> {
    state.downcast().ok().map(|state| *state)
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, VecDeque};

    use super::*;

    #[test]
    fn lists_of_all_kinds_are_counted_and_taken_apart() {
        let queue = VecDeque::from([1, 2, 3]);
        assert_eq!((count(&queue), nth(&queue, Some(2))), (3, Some(&3)));
        let map = BTreeMap::from([("a", 1), ("b", 2)]);
        assert_eq!((count(map.values()), nth(map.values(), Some(1))), (2, Some(&2)));
        let odd = || (0..10).filter(|number| number % 2 == 1);
        assert_eq!((count(odd()), nth(odd(), Some(4)), nth(odd(), Some(5))), (5, Some(9), None));
        assert_eq!(nth([1, 2], None), None);
    }

    #[test]
    fn mocks_answer_with_outputs_and_with_replies() {
        assert!(
            matches!(encode_mock::<u32>(3.into_mock_reply()), Ok(Mocked::Output(value)) if value == 3)
        );
        let reply = Reply::<u32>::json(4.into());
        assert!(matches!(encode_mock(reply), Ok(Mocked::Reply(value)) if value == 4));
    }
}
