//! Calling conventions of the functions that models call, and of their mocks.
//!
//! rustc infers the types of the arguments and the result from the function, and selects the form of its
//! signature. A function of no form gives one error at its name, with the message of the trait.

use std::{
    convert::Infallible,
    future::{Future, Ready},
    marker::PhantomData,
    sync::Arc,
};

use cot_model::{BoxFuture, FunctionError};
use cot_schema::{
    CotOutput, Issues, OutputSchema,
    internal::{MemberClosedness, deserialize, first_unknown, is_open},
};
use serde::{Serialize, de::DeserializeOwned, ser::Error as _};
use serde_json::Value;

use super::{
    function::{WithCx, WithoutCx},
    signatures::{HasNoForm, NoForm},
    work::{IntoFunctionError, finish_function, storable},
};
use crate::process::{context::Cx, tool::source::ToolSource, types::ProcessTypes};

/// The requirements on the function of a tool. `S` is the state of the process, for the message.
#[diagnostic::on_unimplemented(
    message = "this function can't be a tool [COT0167]",
    label = "has another signature",
    note = "expected an `async fn` with the arguments `&Arguments`, and optionally `&{S}` and `&Cx<'_, {P}>` after it, where `Arguments` derives `CotOutput`",
    note = "it returns `Result<T, E>`, where `T` implements `Serialize`"
)]
pub trait ToolFunction<'c, P: ProcessTypes, S, K> {
    /// The type of the arguments that the model gives.
    type Arguments;
    /// The type of the result.
    type Output;
    /// The type of the error.
    type Error;
    /// The type of the future.
    type Future: Future<Output = Result<Self::Output, Self::Error>>;

    /// Calls the function.
    fn begin(self, arguments: &'c Self::Arguments, cx: &'c Cx<'c, P>) -> Self::Future;
}

/// The requirements on the mock of a tool. `A` is the type of the arguments, `O` that of the result,
/// `S` the state of the process.
#[diagnostic::on_unimplemented(
    message = "this function can't be the `mock` of a tool [COT0172]",
    label = "has another signature",
    note = "expected a function with the arguments `&{A}`, and optionally `&{S}` and `&Cx<'_, {P}>` after it",
    note = "it returns `{O}`"
)]
pub trait ToolMockFunction<'c, P: ProcessTypes, S, A, O, K> {
    /// Calls the function.
    fn answer(self, arguments: &'c A, cx: &'c Cx<'c, P>) -> O;
}

/// A type that can be the arguments of a tool.
#[diagnostic::on_unimplemented(
    message = "`{Self}` can't be the arguments of a tool [COT0168]",
    label = "takes `{Self}`, which has no schema",
    note = "derive `CotOutput`, beside `Serialize`, `Deserialize` and `JsonSchema`"
)]
pub trait ToolArguments {
    /// The members, and whether the type of each has a closed set of values.
    const MEMBERS: Option<&'static [MemberClosedness]>;

    /// Returns the schema.
    fn schema() -> &'static OutputSchema;
}

#[diagnostic::do_not_recommend]
impl<A: CotOutput> ToolArguments for A {
    const MEMBERS: Option<&'static [MemberClosedness]> = A::MEMBERS;

    fn schema() -> &'static OutputSchema {
        A::output_schema()
    }
}

/// Returns the schema of the arguments of a tool.
pub fn tool_schema<P: ProcessTypes, K, F>(_: PhantomData<P>, _: F) -> &'static OutputSchema
where
    F: ToolFunction<'static, P, P::State, K, Arguments: ToolArguments>,
{
    F::Arguments::schema()
}

/// Returns whether an argument of a tool that carries authority can have a value of any making. `content` are those that
/// carry none.
#[must_use]
pub const fn has_open_arguments<P: ProcessTypes, K, F>(
    _: PhantomData<P>,
    _: &F,
    content: &[&str],
) -> bool
where
    F: ToolFunction<'static, P, P::State, K, Arguments: ToolArguments>,
{
    is_open(<F::Arguments as ToolArguments>::MEMBERS, content)
}

/// Returns whether a tool has an argument with each of these names.
#[must_use]
pub const fn has_arguments<P: ProcessTypes, K, F>(_: PhantomData<P>, _: &F, names: &[&str]) -> bool
where
    F: ToolFunction<'static, P, P::State, K, Arguments: ToolArguments>,
{
    first_unknown(<F::Arguments as ToolArguments>::MEMBERS, names) == names.len()
}

/// Deserializes the arguments of a tool.
///
/// # Errors
///
/// Issues at the paths where the value does not deserialize.
pub fn tool_arguments<'c, P: ProcessTypes, K, F>(
    arguments: &Value,
    _: PhantomData<P>,
    _: F,
) -> Result<F::Arguments, Issues>
where
    F: ToolFunction<'c, P, P::State, K, Arguments: DeserializeOwned>,
{
    deserialize(arguments)
}

/// Checks that the arguments of a tool deserialize.
///
/// # Errors
///
/// Issues at the paths where the value does not deserialize.
pub fn check_tool_arguments<P: ProcessTypes, K, F>(
    arguments: &Value,
    process: PhantomData<P>,
    function: F,
) -> Result<(), Issues>
where
    F: ToolFunction<'static, P, P::State, K, Arguments: DeserializeOwned>,
{
    tool_arguments(arguments, process, function).map(drop)
}

/// Converts the issues of arguments that were checked before.
#[must_use]
pub fn unusable_arguments(issues: Issues) -> FunctionError {
    FunctionError::not_done(issues)
}

/// Calls the function of a tool.
pub fn call_tool<'c, P: ProcessTypes, K, F: ToolFunction<'c, P, P::State, K>>(
    arguments: &'c F::Arguments,
    cx: &'c Cx<'c, P>,
    function: F,
) -> F::Future {
    function.begin(arguments, cx)
}

/// Awaits the function of a tool and serializes its result to JSON.
///
/// # Errors
///
/// The error of the function, or the reason for which its result can't be JSON.
pub fn finish_tool<'a, O, E, F>(running: F) -> BoxFuture<'a, Result<Value, FunctionError>>
where
    O: Serialize,
    E: IntoFunctionError,
    F: Future<Output = Result<O, E>> + Send + 'a,
{
    finish_function(running)
}

/// Calls the mock of a tool.
///
/// # Errors
///
/// If its result does not serialize to JSON.
pub fn call_tool_mock<'c, P: ProcessTypes, K, L, F, M>(
    arguments: &'c F::Arguments,
    cx: &'c Cx<'c, P>,
    _: F,
    mock: M,
) -> serde_json::Result<Value>
where
    F: ToolFunction<'c, P, P::State, K, Output: Serialize>,
    M: ToolMockFunction<'c, P, P::State, F::Arguments, F::Output, L>,
{
    let result = serde_json::to_value(mock.answer(arguments, cx))?;
    storable(result).map_err(serde_json::Error::custom)
}

/// Calls a tool of a source. `call` is its name, the arguments and the key.
pub(crate) fn call_source<C: Send + Sync + 'static>(
    context: Arc<C>,
    source: fn(&C) -> &dyn ToolSource,
    call: (String, Value, String),
) -> BoxFuture<'static, Result<Value, FunctionError>> {
    Box::pin(async move {
        let (name, arguments, key) = call;
        source(&context).call(&name, arguments, &key).await
    })
}

/// Converts the issues of the arguments of a mock, which were checked before.
#[must_use]
pub fn unusable_mock_arguments(issues: Issues) -> serde_json::Error {
    serde_json::Error::custom(issues)
}

/// The form of a function that takes no state.
#[derive(Debug)]
pub struct WithoutState<V>(V);

#[diagnostic::do_not_recommend]
impl<'c, P: ProcessTypes, S, F: HasNoForm> ToolFunction<'c, P, S, NoForm> for F {
    type Arguments = ();
    type Output = ();
    type Error = Infallible;
    type Future = Ready<Result<(), Infallible>>;

    fn begin(self, (): &'c (), _: &'c Cx<'c, P>) -> Self::Future {
        self.never()
    }
}

#[diagnostic::do_not_recommend]
impl<'c, P: ProcessTypes, S, A, O, F: HasNoForm> ToolMockFunction<'c, P, S, A, O, NoForm> for F {
    fn answer(self, _: &'c A, _: &'c Cx<'c, P>) -> O {
        self.never()
    }
}

/// Implements both traits for functions with these arguments after the first.
macro_rules! functions {
    ($form:ident: |$cx:ident| $([$taken:ty] $given:expr),*) => {
        #[diagnostic::do_not_recommend]
        impl<'c, P: ProcessTypes, A: 'c, O, E, R, F> ToolFunction<'c, P, P::State, $form<(A, O, E, R)>> for F
        where
            F: FnOnce(&'c A, $($taken),*) -> R,
            R: Future<Output = Result<O, E>>,
        {
            type Arguments = A;
            type Output = O;
            type Error = E;
            type Future = R;

            fn begin(self, arguments: &'c A, $cx: &'c Cx<'c, P>) -> R {
                self(arguments, $($given),*)
            }
        }

        #[diagnostic::do_not_recommend]
        impl<'c, P: ProcessTypes, A: 'c, O, F> ToolMockFunction<'c, P, P::State, A, O, $form<()>> for F
        where
            F: FnOnce(&'c A, $($taken),*) -> O,
        {
            fn answer(self, arguments: &'c A, $cx: &'c Cx<'c, P>) -> O {
                self(arguments, $($given),*)
            }
        }
    };
}

functions!(WithoutState: |_cx|);
functions!(WithoutCx: |cx| [&'c P::State] cx.state);
functions!(WithCx: |cx| [&'c P::State] cx.state, [&'c Cx<'c, P>] cx);
