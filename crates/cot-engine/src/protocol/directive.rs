//! Directives: the calls that a machine requests from its driver.

use std::{fmt, panic::AssertUnwindSafe, sync::Arc, time::Duration};

use cot_model::{BoxFuture, FunctionError, ModelRequest, ToolCall};
use cot_schema::{Issues, OutputSchema};
use futures_util::{FutureExt, future};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{
    process::{connection::Connection, effect::Effect, tables::TaskIndex, trust::TaskTrust},
    protocol::key::call_key::CallKey,
    reply::end::ReplyEnd,
};

/// Identifies one directive of one machine. Ids grow and are never reused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct CallId(pub(crate) u64);

impl fmt::Display for CallId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "call-{}", self.0)
    }
}

/// The state of a machine between two events, as returned by
/// [`Machine::poll`](crate::machine::machine::Machine::poll).
///
/// `T` is the type of the tasks, `O` that of the outcome.
#[derive(Debug, Clone)]
pub enum MachinePoll<'a, T, O> {
    /// The machine has not been started.
    Idle,
    /// The run waits. These are all the directives that should be in flight: the driver starts those that are
    /// not, and drops those in flight that are not listed. Several are listed only in a for-each task.
    Waiting(&'a [Directive<T>]),
    /// The run is over.
    Finished(O),
}

impl<'a, T, O> MachinePoll<'a, T, O> {
    /// Returns the directives that should be in flight: none if the machine is idle or the run is over.
    #[must_use]
    pub const fn directives(&self) -> &'a [Directive<T>] {
        match self {
            Self::Waiting(directives) => directives,
            Self::Idle | Self::Finished(_) => &[],
        }
    }
}

/// A call that the machine waits for. Cloning it is cheap.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Directive<T = TaskIndex> {
    /// The id that the answering event names.
    pub id: CallId,
    /// The task that waits. If the call belongs to a sub-process, this is the task that runs the sub-process;
    /// the key has the full path.
    pub task: T,
    /// The visit of the task, the item and the attempt. A timer has the key of the call that it delays.
    pub key: CallKey,
    /// The time limit: the remaining time of the task or of the run, whichever is less. Once it has passed,
    /// the driver
    pub timeout: Option<Duration>,
    /// The action to perform.
    pub action: Action,
}

/// The action of a [`Directive`].
///
/// A driver performs every action, so it should not compile before it handles a new one: the enum is exhaustive.
#[derive(Debug, Clone)]
pub enum Action {
    /// Call a model. Answered by [`Replied`](crate::protocol::event::Event::Replied) or
    /// [`Failed`](crate::protocol::event::Event::Failed).
    CallModel(ModelCall),
    /// Run a function: the function of a code task, or the async `check` of an output, for which
    /// [`CallKey::is_check`] is true. Answered by [`Ran`](crate::protocol::event::Event::Ran).
    RunFunction(FunctionCall),
    /// Ask a person. Answered by [`Answered`](crate::protocol::event::Event::Answered).
    AskHuman(Arc<Question>),
    /// Wait: for the `wait` of a task, or for the pause before a function is retried. Answered by
    /// [`Woken`](crate::protocol::event::Event::Woken).
    Sleep {
        /// The minimum duration.
        duration: Duration,
        /// The maximum of a random duration that the driver adds. Zero for the `wait` of a task.
        jitter: Duration,
    },
}

impl<T> Directive<T> {
    /// Returns the model call, if it is one.
    #[must_use]
    pub const fn as_model_call(&self) -> Option<&ModelCall> {
        match &self.action {
            Action::CallModel(call) => Some(call),
            _ => None,
        }
    }

    /// Returns the function call, if it is one.
    #[must_use]
    pub const fn as_function_call(&self) -> Option<&FunctionCall> {
        match &self.action {
            Action::RunFunction(call) => Some(call),
            _ => None,
        }
    }

    /// Returns the question, if a person is asked.
    #[must_use]
    pub const fn as_question(&self) -> Option<&Arc<Question>> {
        match &self.action {
            Action::AskHuman(question) => Some(question),
            _ => None,
        }
    }

    /// Returns whether the driver is to wait.
    #[must_use]
    pub const fn is_sleep(&self) -> bool {
        matches!(self.action, Action::Sleep { .. })
    }

    pub(crate) fn with_task<U>(self, task: impl FnOnce(T) -> U) -> Directive<U> {
        let Self { id, task: known, key, timeout, action } = self;
        Directive { id, task: task(known), key, timeout, action }
    }
}

/// A call of a model.
#[derive(Clone)]
#[non_exhaustive]
pub struct ModelCall {
    /// Id of the engine to call; `None` means the default of the runner.
    pub engine: Option<&'static str>,
    /// The request.
    pub request: Arc<ModelRequest>,
    /// The schema of an output, for reading partial replies.
    #[doc(hidden)]
    pub output: Option<&'static OutputSchema>,
    /// The marks of trust that are in force.
    #[doc(hidden)]
    pub trust: Option<&'static TaskTrust>,
    /// What decides where a streamed reply ends, if the task has an `until`. A driver that does not stream ignores
    /// it.
    pub until: Option<ReplyEnd>,
}

impl Action {
    /// Creates a pause before a retry. Jitter keeps runs that fail together from retrying together.
    pub(crate) fn pause(longest: Duration) -> Self {
        Self::Sleep { duration: longest / 2, jitter: longest - longest / 2 }
    }
}

impl fmt::Debug for ModelCall {
    /// Omits the request, since prompts are long.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ModelCall").field("engine", &self.engine).finish_non_exhaustive()
    }
}

/// A call of a function of the process.
///
/// A call with [`Effect::Once`] is made in two steps, so that no crash repeats it. While it has not
/// [started](Self::is_started), the driver submits [`Started`](crate::protocol::event::Event::Started), which
/// it makes durable like each event; the next poll lists the same call as started, and the driver performs it.
/// A started call that the driver has not announced itself was left by another driver: it submits
/// [`Interrupted`](crate::protocol::event::Event::Interrupted).
#[derive(Clone)]
pub struct FunctionCall {
    start: Start,
    effect: Effect,
    is_started: bool,
    /// The tool call that the function performs.
    tool: Option<Arc<ToolCall>>,
    result: ResultSchema,
    is_ready: bool,
}

/// How a function is started.
#[derive(Clone)]
enum Start {
    Alone(FunctionStart),
    InTransaction(TransactionStart),
}

/// Creates the schema of the result of a function; `None` if its type has no schema.
pub(crate) type ResultSchema = Option<fn() -> OutputSchema>;

/// A closure that starts a function of the process.
pub(crate) type FunctionStart =
    Arc<dyn Fn() -> BoxFuture<'static, Result<Value, FunctionError>> + Send + Sync>;

/// A closure that starts a function of the process in a transaction.
pub(crate) type TransactionStart = Arc<
    dyn for<'a> Fn(&'a mut Connection) -> BoxFuture<'a, Result<Value, FunctionError>> + Send + Sync,
>;

impl FunctionCall {
    pub(crate) const fn new(start: FunctionStart) -> Self {
        Self::with_start(Start::Alone(start))
    }

    /// Creates the call of a function that is performed in a transaction.
    pub(crate) const fn transacting(start: TransactionStart) -> Self {
        Self::with_start(Start::InTransaction(start))
    }

    const fn with_start(start: Start) -> Self {
        let effect = Effect::Repeatable;
        Self { start, effect, is_started: false, tool: None, result: None, is_ready: false }
    }

    /// Creates the call of a function that returns `result` at once.
    pub(crate) fn ready(result: Result<Value, FunctionError>) -> Self {
        let call = Self::new(Arc::new(move || Box::pin(std::future::ready(result.clone()))));
        Self { is_ready: true, ..call }
    }

    pub(crate) fn returning(self, result: ResultSchema) -> Self {
        Self { result, ..self }
    }

    pub(crate) fn with_effect(self, effect: Effect) -> Self {
        Self { effect, ..self }
    }

    pub(crate) fn for_tool(self, call: ToolCall) -> Self {
        Self { tool: Some(Arc::new(call)), ..self }
    }

    pub(crate) fn started(self, is_started: bool) -> Self {
        Self { is_started, ..self }
    }

    /// Returns the declared effect.
    #[must_use]
    pub const fn effect(&self) -> Effect {
        self.effect
    }

    /// Returns whether the start of a call with [`Effect::Once`] has been announced.
    #[must_use]
    pub const fn is_started(&self) -> bool {
        self.is_started
    }

    /// Returns the tool call that the function performs, unless a mock answers it or it can't be made.
    #[must_use]
    pub fn tool_call(&self) -> Option<&ToolCall> {
        self.tool.as_deref()
    }

    /// Returns what creates the schema of the result: nothing for a tool, a check, and a type without a schema.
    #[must_use]
    pub const fn result_schema(&self) -> Option<fn() -> OutputSchema> {
        self.result
    }

    /// Returns whether the result is known already, as that of a mock, so that the call runs no code of the
    /// process.
    #[must_use]
    pub const fn is_ready(&self) -> bool {
        self.is_ready
    }

    /// Returns the future of the function. Nothing happens before the future is polled, and dropping it
    /// drops the function. If the function panics, the future returns an error for which
    /// [`FunctionError::is_panic`] is true. A call with [`Effect::Transaction`] is an error, and does nothing.
    #[must_use]
    pub fn run(&self) -> BoxFuture<'static, Result<Value, FunctionError>> {
        let Start::Alone(start) = self.start.clone() else {
            let why = "a function with `effect: transaction` is called in a transaction of a store";
            return Box::pin(future::ready(Err(FunctionError::not_done(why))));
        };
        caught(future::lazy(move |_| start()).flatten())
    }

    /// Like [`run`](Self::run), for a call with [`Effect::Transaction`]. Unless it returns a value, and the machine
    /// accepts that, the driver rolls the transaction of the connection back.
    #[must_use]
    pub fn run_in<'a>(
        &self,
        connection: &'a mut Connection,
    ) -> BoxFuture<'a, Result<Value, FunctionError>> {
        match self.start.clone() {
            Start::Alone(start) => caught(future::lazy(move |_| start()).flatten()),
            Start::InTransaction(start) => {
                caught(future::lazy(move |_| start(connection)).flatten())
            }
        }
    }
}

/// Catches the panic of a function.
fn caught<'a>(
    running: impl Future<Output = Result<Value, FunctionError>> + Send + 'a,
) -> BoxFuture<'a, Result<Value, FunctionError>> {
    // Unwind safe: the function works on copies, and on a connection whose transaction is rolled back.
    let running = AssertUnwindSafe(running).catch_unwind();
    Box::pin(
        running
            .map(|ended| ended.unwrap_or_else(|payload| Err(FunctionError::from_panic(&*payload)))),
    )
}

impl fmt::Debug for FunctionCall {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FunctionCall")
            .field("effect", &self.effect)
            .field("is_started", &self.is_started)
            .finish_non_exhaustive()
    }
}

/// The question of a human task.
#[derive(Clone)]
#[non_exhaustive]
pub struct Question {
    /// The text of the question.
    pub text: String,
    /// The schema of the answer.
    pub schema: &'static OutputSchema,
    /// The issues of the last answer, if it was rejected.
    pub issues: Option<Issues>,
}

/// Without the schema, which is long.
impl fmt::Debug for Question {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { text, issues, .. } = self;
        f.debug_struct("Question")
            .field("text", text)
            .field("issues", issues)
            .finish_non_exhaustive()
    }
}
