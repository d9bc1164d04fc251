//! What the functions of a process receive besides the state: the context of the program, and which call
//! they perform.

use std::{fmt, ops::Deref, sync::Arc};

use cot_reader::Passage;
use serde::Serialize;

use crate::{
    process::{
        call_place::{CallPlace, CallRole},
        environment::Environment,
        scope::{About, Scope},
        types::{HasContext, ProcessTypes},
    },
    protocol::key::call_key::VisitKey,
    values::{
        history::{History, HistoryEntry},
        inputs::Inputs,
    },
};

/// What a function of process `P` receives besides the state: the context of the program, the run, and the
/// call that it performs.
///
/// The functions of `run`, `check`, `process_output` and `mock` can take a `&Cx<'_, P>` as their last
/// argument, and a function in the place of a template as its only one; hooks receive it too. It dereferences to
/// the [`Scope`] of the task: state, goal, history, inputs.
///
/// ```
/// use std::sync::Arc;
///
/// use cot_core::{Cx, prelude::*};
/// # use serde::{Deserialize, Serialize};
///
/// /// What the program shares with its runs.
/// struct App {
///     payments: Payments,
/// }
/// # struct Payments;
/// # impl Payments {
/// #     async fn charge(&self, cents: u64, key: &str) -> Result<String, std::io::Error> {
/// #         Ok(format!("{key} {cents}"))
/// #     }
/// # }
///
/// #[derive(Debug, Clone, Default, Serialize, Deserialize)]
/// struct Order {
///     cents: u64,
///     receipt: String,
/// }
///
/// cot_process! {
///     process Checkout {
///         state: Order,
///         context: App,
///         task charge -> String { run: charge, update: receipt, next: done }
///         task done { end }
///     }
/// }
///
/// async fn charge(order: &Order, cx: &Cx<'_, Checkout>) -> Result<String, std::io::Error> {
///     // After a crash the call may be repeated, with the same key.
///     cx.app().payments.charge(order.cents, &cx.call_key()).await
/// }
///
/// # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
/// let app = Arc::new(App { payments: Payments });
/// let order = Order { cents: 500, ..Order::default() };
/// let run = Checkout::runner(app).run(order).await?;
/// assert_eq!(run.state.receipt, format!("{}/charge#1 500", run.run_id));
/// # Ok::<_, RunError>(())
/// # }).unwrap();
/// ```
pub struct Cx<'a, P: ProcessTypes> {
    scope: Scope<'a, P>,
    environment: &'a Environment<P>,
    call: CallPlace<'a>,
}

impl<'a, P: ProcessTypes> Cx<'a, P> {
    pub(crate) const fn new(
        scope: Scope<'a, P>,
        environment: &'a Environment<P>,
        call: CallPlace<'a>,
    ) -> Self {
        Self { scope, environment, call }
    }

    /// Returns what the program gave to the run: the value of the `context` of the process.
    #[must_use]
    pub fn app<C>(&self) -> &'a C
    where
        P: HasContext<App = C>,
    {
        self.environment.context()
    }

    /// Returns the id of the run. It is empty if a driver of your own has not set it with
    /// [`Machine::set_run_id`](crate::machine::machine::Machine::set_run_id).
    #[must_use]
    pub fn run_id(&self) -> &'a str {
        self.environment.run_id()
    }

    /// Returns the key of the call: the id of the run, and the position of the call in it, such as
    /// `order-7/charge#1`.
    ///
    /// A repetition of the call after a crash has the same key, and so have the retries of a `run` function. No
    /// other `run` call has it, in this run or in a run with another id. So it is an idempotency key: a service
    /// that performs each key once performs the effect of the call once. The keys of other functions contain the
    /// attempt; the `check`, the hooks and the `process_output` of one attempt share theirs. A run that is removed,
    /// and started again under the same id, repeats its keys.
    #[must_use]
    pub fn call_key(&self) -> String {
        let key = self.call.key(self.scope.task.name, self.scope.item);
        match self.run_id() {
            "" => key,
            run => format!("{run}/{key}"),
        }
    }

    /// Returns the number of the attempt, from 1.
    #[must_use]
    pub const fn attempt(&self) -> u32 {
        self.call.attempt
    }

    /// Returns the places at which the values of the output stand in the sources of `found_in`: for the `check`, the
    /// hooks and the `process_output` of the output. The events of a run have them, too.
    #[must_use]
    pub fn passages(&self) -> Vec<Passage> {
        self.environment.notes().passages.clone()
    }

    pub(crate) const fn environment(&self) -> &'a Environment<P> {
        self.environment
    }

    /// Returns the path of the visits to a sub-process of the current task.
    pub(crate) fn path_within(&self) -> Arc<[VisitKey]> {
        let visit = self.call.visit_key(self.scope.task.name, self.scope.item);
        self.call.outer.iter().cloned().chain([visit]).collect()
    }
}

impl<'a, P: ProcessTypes> Deref for Cx<'a, P> {
    type Target = Scope<'a, P>;

    fn deref(&self) -> &Self::Target {
        &self.scope
    }
}

impl<P: ProcessTypes> Clone for Cx<'_, P> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<P: ProcessTypes> Copy for Cx<'_, P> {}

impl<P: ProcessTypes> fmt::Debug for Cx<'_, P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Cx")
            .field("process", &self.scope.process.name)
            .field("call", &self.call_key())
            .finish_non_exhaustive()
    }
}

/// The [`Cx`] of a `process_output` function that adds to the history. The function takes a `&mut
/// CommitCx<'_, P>` as its last argument, instead of a `&Cx<'_, P>`.
///
/// The state is the one before the commit.
///
/// ```
/// use cot_core::{CommitCx, prelude::*};
/// # use schemars::JsonSchema;
/// # use serde::{Deserialize, Serialize};
/// # #[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
/// # pub struct Note { pub text: String }
/// # #[derive(Debug, Clone, Default, Serialize, Deserialize)]
/// # pub struct Notes { pub notes: Vec<String> }
///
/// cot_process! {
///     process Diary {
///         state: Notes,
///         task write -> Note { process_output: keep, next: done }
///         task done { end }
///     }
/// }
///
/// fn keep(note: &Note, state: &mut Notes, cx: &mut CommitCx<'_, Diary>) -> Result<(), Issues> {
///     state.notes.push(note.text.clone());
///     let entry = format!("{} notes for the goal {:?}", state.notes.len(), cx.goal);
///     cx.add_history(&entry).map_err(|error| Issues::at("$", error.to_string()))
/// }
/// # let _ = Diary::runner();
/// ```
pub struct CommitCx<'a, P: ProcessTypes> {
    cx: Cx<'a, P>,
    entries: Vec<HistoryEntry>,
}

impl<'a, P: ProcessTypes> CommitCx<'a, P> {
    pub(crate) const fn new(cx: Cx<'a, P>) -> Self {
        Self { cx, entries: Vec::new() }
    }

    /// Adds an entry to the history, before the entry of the output. It is added together with the output,
    /// and dropped if the function returns issues.
    ///
    /// # Errors
    ///
    /// If the entry does not serialize to JSON.
    pub fn add_history<T: Serialize + ?Sized>(&mut self, entry: &T) -> serde_json::Result<()> {
        self.entries.push(HistoryEntry::from_serialize(entry)?);
        Ok(())
    }

    pub(crate) fn into_entries(self) -> Vec<HistoryEntry> {
        self.entries
    }
}

impl<'a, P: ProcessTypes> Deref for CommitCx<'a, P> {
    type Target = Cx<'a, P>;

    fn deref(&self) -> &Self::Target {
        &self.cx
    }
}

impl<P: ProcessTypes> fmt::Debug for CommitCx<'_, P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CommitCx")
            .field("cx", &self.cx)
            .field("entries", &self.entries.len())
            .finish()
    }
}

/// The copies that an async function works on.
pub struct OwnedCx<P: ProcessTypes> {
    state: Arc<P::State>,
    inputs: Option<Inputs>,
    item: Option<usize>,
    goal: String,
    history: Arc<History>,
    task: &'static About,
    process: &'static About,
    environment: Environment<P>,
    outer: Box<[VisitKey]>,
    renamed: Option<Arc<str>>,
    number: u32,
    attempt: u32,
    role: CallRole,
}

impl<P: ProcessTypes> OwnedCx<P> {
    /// Copies what a function can reach. `state` is a copy of the state, and `history` that of the scope.
    pub(crate) fn new(
        cx: &Cx<'_, P>,
        state: Arc<P::State>,
        history: &Arc<History>,
        role: CallRole,
    ) -> Self {
        Self {
            state,
            inputs: cx.inputs.cloned(),
            item: cx.item,
            goal: cx.goal.to_owned(),
            history: Arc::clone(history),
            task: cx.task,
            process: cx.process,
            environment: cx.environment.clone(),
            outer: cx.call.outer.into(),
            renamed: cx.call.renamed.map(Arc::from),
            number: cx.call.number,
            attempt: cx.call.attempt,
            role,
        }
    }

    /// Returns the view that the function receives.
    pub fn cx(&self) -> Cx<'_, P> {
        let Self { state, goal, task, process, history, inputs, .. } = self;
        let Self { environment, outer, renamed, number, attempt, role, .. } = self;
        let scope = Scope {
            state: &**state,
            goal,
            task,
            process,
            history,
            inputs: inputs.as_ref(),
            item: self.item,
            last_output: None,
            parts: None,
        };
        let (renamed, role) = (renamed.as_deref(), *role);
        let call = CallPlace { outer, renamed, number: *number, attempt: *attempt, role };
        Cx { scope, environment, call }
    }
}

impl<P: ProcessTypes> fmt::Debug for OwnedCx<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.cx().fmt(f)
    }
}

/// A process that can run as a sub-process of one with the context `C` without a context of its own, or with
/// the same.
#[diagnostic::on_unimplemented(
    message = "the sub-process `{Self}` needs another context than `{C}` [COT0236]",
    label = "its context is missing",
    note = "pass it: `process: Name with state, context: app.part.clone()`, where `app` is the context of this process"
)]
pub trait InheritContext<C>: ProcessTypes {
    /// Returns the context of the sub-process.
    fn inherit_context(context: &Arc<C>) -> Arc<Self::Context>;
}

/// A value that a process with the context `C` can be given: a `C`, or an `Arc<C>`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not the context of the process [COT0231]",
    label = "expected `{C}` or `Arc<{C}>`"
)]
pub trait IntoContext<C> {
    /// Returns the context.
    fn into_context(self) -> Arc<C>;
}

#[diagnostic::do_not_recommend]
impl<C> IntoContext<C> for C {
    fn into_context(self) -> Arc<C> {
        Arc::new(self)
    }
}

#[diagnostic::do_not_recommend]
impl<C> IntoContext<C> for Arc<C> {
    fn into_context(self) -> Self {
        self
    }
}

/// A context that no process has. A second implementation of [`InheritContext`] for it makes rustc report a
/// sub-process of another context with the message of the trait.
#[derive(Debug)]
pub enum NoContext {}
