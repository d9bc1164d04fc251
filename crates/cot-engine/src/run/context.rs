//! The data of a run apart from its position, and the part of it that phases can access.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
    time::Duration,
};

use cot_model::{FunctionError, Usage};
use serde_json::Value;

use crate::{
    process::{
        call_place::{CallPlace, CallRole},
        child::Totals,
        host::ProcessHost,
        limits::{Limits, Unattended},
        options::MachineOptions,
        scope::ScopeData,
        tables::{AiDefinition, Definition, HistoryLimit, TaskIndex, TaskKind},
    },
    prompt::input::PromptShape,
    protocol::{
        directive::{Action, CallId, Directive},
        key::call_key::{CallKey, VisitKey},
    },
    run::{attempts::Attempts, callers::Callers},
    snapshot::once_calls::OnceCalls,
    values::{
        branch_history::BranchHistory,
        history::History,
        inputs::Inputs,
        outcome::{Halt, HaltReason},
        panicked::{Panic, PanicPlace},
    },
};

/// Default of the number of concurrent items of a for-each task, and of concurrent calls of a task of tool calls.
const DEFAULT_MAX_CONCURRENCY: usize = 8;

/// The data of a run apart from its position.
pub(crate) struct RunFacts {
    pub(crate) definition: &'static Definition,
    pub(crate) options: Arc<MachineOptions>,
    /// The remaining limits of the process that runs this one.
    pub(crate) inherited: Limits,
    /// The limits of steps without an answer of a person. Boxed, since few runs have one.
    pub(crate) unattended: Option<Box<Unattended>>,
    /// The effective limits of the run.
    pub(crate) limits: Limits,
    pub(crate) goal: String,
    /// The history, shared with snapshots of the run.
    pub(crate) history: Arc<History>,
    pub(crate) callers: Callers,
    /// The number of visits of each task.
    pub(crate) visits: Vec<u32>,
    /// The number of visits of tasks that only other versions of the process have.
    pub(crate) other_visits: BTreeMap<String, u32>,
    /// Whether the run consists of one task only.
    pub(crate) is_alone: bool,
    /// Whether a migration moved the run when it was resumed.
    pub(crate) is_moved: bool,
    /// The inputs of the current task.
    pub(crate) current_inputs: Option<Inputs>,
    /// The last failure that took a route of `on`.
    pub(crate) last_failure: Option<Halt<TaskIndex>>,
    /// The tasks that took their route for an exhausted budget. Taking the route a second time could loop.
    pub(crate) out_of_budget: BTreeSet<TaskIndex>,
    pub(crate) usage: Usage,
    pub(crate) steps: u64,
    pub(crate) elapsed: Duration,
    pub(crate) last_call: u64,
    pub(crate) once: OnceCalls,
    /// While a branch moves: what the other branches have consumed and is not counted above, with their calls in
    /// flight.
    pub(crate) beside: Option<Box<Totals>>,
    /// While a branch moves: the history as it sees it.
    pub(crate) branch_history: Option<BranchHistory>,
    /// The visits of the tasks that run this process, outermost first; `None` for an outermost process.
    pub(crate) outer: Option<Arc<[VisitKey]>>,
    /// The number of the attempt whose call is prepared, or whose answer is handled, from 1.
    pub(crate) attempt: u32,
    /// The shape of the prompt of each task that has asked a model.
    pub(crate) prompt_shapes: Vec<Option<PromptShape>>,
}

/// A task that is about to start.
#[derive(Debug, Clone)]
pub(crate) struct Arrival {
    pub(crate) task: TaskIndex,
    pub(crate) inputs: Option<Inputs>,
    /// Whether the `wait` of the task is over.
    pub(crate) has_waited: bool,
    /// Whether it is not known what became of a call in place of which the task would start, so that it fails as
    /// interrupted.
    pub(crate) is_interrupted: bool,
    /// The name of the task in the keys of the visit, if the task was renamed since it began.
    pub(crate) key: Option<Arc<str>>,
}

/// A visit of a task.
#[derive(Debug, Clone)]
pub(crate) struct Visit {
    pub(crate) task: TaskIndex,
    pub(crate) inputs: Option<Inputs>,
    /// The number of the visit, from 1.
    pub(crate) number: u32,
    /// The name of the task in the keys of the visit, if the task was renamed since it began.
    pub(crate) key: Option<Arc<str>>,
}

/// What a phase can access: the data of the run, the visit, and the host.
pub(crate) struct RunContext<'a> {
    pub(crate) facts: &'a mut RunFacts,
    pub(crate) visit: &'a Visit,
    pub(crate) host: &'a mut dyn ProcessHost,
}

/// What the inspection of a prompt reads.
#[derive(Clone, Copy)]
pub(crate) struct RunView<'a> {
    pub(crate) facts: &'a RunFacts,
    pub(crate) visit: &'a Visit,
    pub(crate) host: &'a dyn ProcessHost,
}

impl Arrival {
    pub(crate) const fn new(task: TaskIndex, inputs: Option<Inputs>) -> Self {
        Self { task, inputs, has_waited: false, is_interrupted: false, key: None }
    }
}

impl RunFacts {
    /// Returns the scope of a visit without the state.
    pub(crate) fn scope<'a>(&'a self, visit: &'a Visit, item: Option<usize>) -> ScopeData<'a> {
        ScopeData {
            goal: &self.goal,
            task: &self.definition.task(visit.task).about,
            process: &self.definition.about,
            history: self.seen_history(),
            inputs: visit.inputs.as_ref(),
            item,
            parts: None,
            call: CallPlace {
                outer: self.outer.as_deref().unwrap_or_default(),
                renamed: visit.key.as_deref(),
                number: visit.number,
                attempt: self.attempt,
                role: CallRole::Task,
            },
        }
    }

    /// Returns the scope of an attempt other than the present one.
    pub(crate) fn scope_of_attempt<'a>(
        &'a self,
        visit: &'a Visit,
        item: Option<usize>,
        attempt: u32,
    ) -> ScopeData<'a> {
        let scope = self.scope(visit, item);
        ScopeData { call: CallPlace { attempt, ..scope.call }, ..scope }
    }

    pub(crate) const fn new_call(&mut self) -> CallId {
        self.last_call += 1;
        CallId(self.last_call)
    }

    pub(crate) const fn add_time(&mut self, elapsed: Duration) {
        self.elapsed = self.elapsed.saturating_add(elapsed);
    }

    pub(crate) fn ai(&self, task: TaskIndex) -> Option<&'static AiDefinition> {
        self.definition.task(task).kind.ai()
    }

    /// Returns whether the reply to a task is numbered reasoning.
    pub(crate) fn reasons(&self, task: TaskIndex) -> bool {
        self.definition.task(task).kind.reasons()
    }

    /// Returns whether the program reads the replies to a task itself.
    pub(crate) fn reads(&self, task: TaskIndex) -> bool {
        self.definition.task(task).kind.reader().is_some()
    }

    /// Returns the engine ids of a task in order. Empty means the driver's default.
    pub(crate) fn engines(&self, task: TaskIndex) -> &'static [&'static str] {
        let own = self.ai(task).map_or(&[][..], |ai| ai.engines);
        if own.is_empty() { self.definition.engines } else { own }
    }

    pub(crate) fn name(&self, task: TaskIndex) -> &'static str {
        self.definition.task(task).about.name
    }

    /// Returns the history as the current task sees it.
    pub(crate) fn seen_history(&self) -> &Arc<History> {
        self.branch_history.as_ref().map_or(&self.history, |branch| &branch.seen)
    }

    /// Returns the history bound for entries of a task: `None` if none are kept, `Some(None)` if there is no
    /// bound.
    pub(crate) fn history_limit(&self, task: TaskIndex) -> Option<Option<usize>> {
        self.definition.task(task).history.then_some(())?;
        self.max_items()
    }

    /// Returns the history bound of the process: `None` if it keeps no history, `Some(None)` if there is no
    /// bound.
    pub(crate) const fn max_items(&self) -> Option<Option<usize>> {
        match self.definition.history {
            HistoryLimit::None => None,
            HistoryLimit::Unlimited => Some(None),
            HistoryLimit::Last(max) => Some(Some(max)),
        }
    }

    /// Returns the number of concurrent items of a for-each task.
    pub(crate) fn concurrency(&self, task: TaskIndex, total: usize) -> usize {
        let concurrency = match &self.definition.task(task).kind {
            // Mock answers of models are sequential.
            kind @ TaskKind::Each(_) if kind.ai().is_some() && self.is_mocked(task) => Some(1),
            TaskKind::Each(each) => each.max_concurrency,
            _ => None,
        };
        concurrency.unwrap_or(DEFAULT_MAX_CONCURRENCY).clamp(1, total.max(1))
    }

    /// Returns the number of concurrent calls of a task of tool calls; `None` for a model's, which has no limit.
    pub(crate) fn tool_concurrency(&self, task: TaskIndex) -> Option<usize> {
        let calls = self.definition.task(task).kind.calls()?;
        Some(calls.max_concurrency.unwrap_or(DEFAULT_MAX_CONCURRENCY))
    }

    /// Returns whether the task is answered by its mock.
    pub(crate) fn is_mocked(&self, task: TaskIndex) -> bool {
        self.definition.is_mocked(self.definition.task(task), self.options.mock_mode.as_ref())
    }

    /// Returns the path of the visits to a sub-process of a task, or of one of its items.
    pub(crate) fn path_within(
        &self,
        visit: &Visit,
        item: Option<usize>,
        attempt: u32,
    ) -> Arc<[VisitKey]> {
        let outer = self.outer.as_deref().unwrap_or_default();
        outer.iter().cloned().chain([self.visit_key(visit, item, attempt)]).collect()
    }

    fn visit_key(&self, visit: &Visit, item: Option<usize>, attempt: u32) -> VisitKey {
        let place = self.scope_of_attempt(visit, item, attempt).call;
        place.visit_key(self.name(visit.task), item)
    }
}

impl RunContext<'_> {
    pub(crate) fn view(&self) -> RunView<'_> {
        RunView { facts: self.facts, visit: self.visit, host: self.host }
    }

    /// Returns the mock answer of the task, if it is mocked.
    ///
    /// # Errors
    ///
    /// If the answer does not serialize, in words.
    pub(crate) fn mock(&self, item: Option<usize>) -> Result<Option<Value>, String> {
        if !self.facts.is_mocked(self.visit.task) {
            return Ok(None);
        }
        match self.host.mock_answer(self.visit.task, &self.facts.scope(self.visit, item)) {
            None => Ok(None),
            Some(Ok(answer)) => Ok(Some(answer)),
            Some(Err(error)) => Err(format!("the mock's answer can't be written as JSON: {error}")),
        }
    }

    /// Creates a directive for this visit.
    pub(crate) fn directive(
        &self,
        call: (CallId, u32),
        timeout: Option<Duration>,
        action: Action,
    ) -> Directive {
        self.item_directive(None, call, timeout, action)
    }

    /// Creates a directive for an item of this visit.
    pub(crate) fn item_directive(
        &self,
        item: Option<usize>,
        (id, attempt): (CallId, u32),
        timeout: Option<Duration>,
        action: Action,
    ) -> Directive {
        let visit = self.facts.visit_key(self.visit, item, attempt);
        let key = CallKey::new(self.facts.outer.clone(), visit);
        Directive { id, task: self.visit.task, key, timeout, action }
    }

    /// Returns the reason to halt for a function that failed or panicked.
    pub(crate) fn function_failure(&self, error: FunctionError, place: PanicPlace) -> HaltReason {
        if !error.is_panic() {
            return HaltReason::CodeFailed(error);
        }
        let (process, task) = (self.facts.definition.about.name, self.facts.name(self.visit.task));
        HaltReason::Panicked(Box::new(Panic::new(process, task, place, error.message())))
    }

    /// Returns whether a function or a sub-process has retries left. Only retries that the task itself
    /// declares count, since a repetition may cost or act twice.
    pub(crate) fn has_retries(&self, attempts: &Attempts) -> bool {
        let max_retries = self.facts.definition.task(self.visit.task).max_retries.unwrap_or(0);
        u32::try_from(attempts.failed.len()).is_ok_and(|failed| failed < max_retries)
    }
}
