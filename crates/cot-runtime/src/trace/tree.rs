//! The open spans of the tasks and attempts of a run.
//!
//! The spans of tasks start and end with the events of the machine; those of a task that began in another driver
//! start with its first call. Attempts start with their first call, or with the first task of a sub-process.

use std::{collections::BTreeMap, mem};

use cot_engine::{
    CallId, CallKey, Route,
    internal::{Definition, TaskDefinition, TaskIndex, VisitKey},
};

use crate::trace::{
    branches::{BranchTasks, index_of},
    facts::{AttemptFacts, SpanFacts, TaskFacts},
    open_calls::OpenCalls,
    span_event::{SpanEnd, SpanEvent},
    span_ref::SpanRef,
};

/// The open tasks of a process, or of a sub-process.
pub(super) struct Level {
    definition: &'static Definition,
    /// In the order of their start.
    tasks: Vec<OpenTask>,
}

/// A visit of a task that has not ended.
pub(super) struct OpenTask {
    index: TaskIndex,
    definition: &'static TaskDefinition,
    pub(super) span: SpanRef,
    /// The parallel task in whose branch the task is.
    parallel: Option<TaskIndex>,
    /// The tasks of the branches of a parallel task.
    branches: Option<BranchTasks>,
    /// The work of a task without items.
    whole: OpenItem,
    /// The items of a for-each task that have begun and not ended.
    items: BTreeMap<usize, OpenItem>,
    /// The names of the tools that are being called, by the numbers of the calls.
    pub(super) tools: BTreeMap<u32, String>,
}

/// The work on a task, or on an item of it.
#[derive(Default)]
pub(super) struct OpenItem {
    attempt: Option<OpenAttempt>,
    /// The number of the last attempt that has failed.
    failed: u32,
}

/// An attempt that has not ended.
pub(super) struct OpenAttempt {
    number: u32,
    pub(super) span: SpanRef,
    /// The calls that were made, of which some may have ended.
    pub(super) calls: Vec<CallId>,
    /// The sub-process.
    inner: Option<Box<Level>>,
}

impl Level {
    pub(super) const fn new(definition: &'static Definition) -> Self {
        Self { definition, tasks: Vec::new() }
    }

    pub(super) const fn definition(&self) -> &'static Definition {
        self.definition
    }

    pub(super) fn find(&mut self, name: &str) -> Option<&mut OpenTask> {
        self.tasks.iter_mut().find(|open| open.definition.about.name == name)
    }

    /// Starts a visit of a task. `around` is the span of the run or of the attempt at the sub-process.
    pub(super) fn start(
        &mut self,
        around: &SpanRef,
        (name, step): (&str, Option<u64>),
        calls: &mut OpenCalls,
    ) {
        let Some(index) = index_of(self.definition, name) else { return };
        self.end_where(|open| open.index == index, &SpanEnd::Dropped, calls);
        let definition = self.definition.task(index);
        let has_branch = |open: &&OpenTask| {
            open.branches.as_ref().is_some_and(|branches| branches.contains(index))
        };
        let parallel = self.tasks.iter().rfind(has_branch);
        let facts = SpanFacts::Task(TaskFacts {
            process: self.definition.about.name,
            task: definition.about.name,
            kind: definition.kind.info().manifest_name,
            step,
        });
        let span = parallel.map_or(around, |parallel| &parallel.span).start_child(&facts);
        let parallel = parallel.map(|parallel| parallel.index);
        let branches = BranchTasks::from_parallel(self.definition, definition);
        let (whole, items, tools) = (OpenItem::default(), BTreeMap::new(), BTreeMap::new());
        self.tasks.push(OpenTask {
            index,
            definition,
            span,
            parallel,
            branches,
            whole,
            items,
            tools,
        });
    }

    /// Returns the visit of a task, which starts if it is not known; `None` for a task of another version.
    pub(super) fn find_or_start(
        &mut self,
        around: &SpanRef,
        name: &str,
        calls: &mut OpenCalls,
    ) -> Option<&mut OpenTask> {
        if self.find(name).is_none() {
            self.start(around, (name, None), calls);
        }
        self.find(name)
    }

    /// Ends the visit of a task, and everything within it.
    pub(super) fn end_task(&mut self, name: &str, end: &SpanEnd<'_>, calls: &mut OpenCalls) {
        self.end_where(|open| open.definition.about.name == name, end, calls);
    }

    /// Ends what is open of a branch of a parallel task.
    pub(super) fn end_branch(&mut self, task: &str, first: &str, calls: &mut OpenCalls) {
        let Some(parallel) = self.find(task).map(|open| open.definition) else { return };
        if let Some(tasks) = BranchTasks::from_branch(self.definition, parallel, first) {
            self.end_where(|open| tasks.contains(open.index), &SpanEnd::Dropped, calls);
        }
    }

    /// Ends everything.
    pub(super) fn end_all(&mut self, calls: &mut OpenCalls) {
        self.end_where(|_| true, &SpanEnd::Dropped, calls);
    }

    /// Ends tasks, the last one first, each after those of its branches.
    fn end_where(
        &mut self,
        ends: impl Fn(&OpenTask) -> bool,
        end: &SpanEnd<'_>,
        calls: &mut OpenCalls,
    ) {
        while let Some(at) = self.tasks.iter().rposition(&ends) {
            let mut open = self.tasks.remove(at);
            if open.branches.is_some() {
                let parallel = Some(open.index);
                let is_in_branch = |open: &OpenTask| open.parallel == parallel;
                self.end_dyn(&is_in_branch, calls);
            }
            open.end(end, calls);
        }
    }

    /// Ends the tasks of branches. A function of its own, since the tasks of nested branches follow.
    fn end_dyn(&mut self, ends: &dyn Fn(&OpenTask) -> bool, calls: &mut OpenCalls) {
        self.end_where(ends, &SpanEnd::Dropped, calls);
    }
}

impl OpenTask {
    fn item(&mut self, item: Option<usize>) -> &mut OpenItem {
        match item {
            Some(number) => self.items.entry(number).or_default(),
            None => &mut self.whole,
        }
    }

    /// Returns the attempt with a number, or the present one, at the task or an item; it starts if it is not open.
    pub(super) fn attempt(
        &mut self,
        item: Option<usize>,
        number: Option<u32>,
        calls: &mut OpenCalls,
    ) -> &mut OpenAttempt {
        let (task, span) = (self.definition.about.name, self.span.clone());
        let open = self.item(item);
        let is_other = |open: &mut OpenAttempt| number.is_some_and(|number| number != open.number);
        if let Some(mut other) = open.attempt.take_if(is_other) {
            other.end(&SpanEnd::Dropped, calls);
        }
        let failed = open.failed;
        open.attempt.get_or_insert_with(|| {
            let attempt = number.unwrap_or(failed + 1);
            let facts = SpanFacts::Attempt(AttemptFacts { task, item, attempt });
            let span = span.start_child(&facts);
            OpenAttempt { number: attempt, span, calls: Vec::new(), inner: None }
        })
    }

    /// Returns the sub-process of the present attempt, and the span of the attempt; `None` if the task runs none.
    pub(super) fn inner(
        &mut self,
        item: Option<usize>,
        calls: &mut OpenCalls,
    ) -> Option<(&mut Level, SpanRef)> {
        let definition = self.definition.kind.process()?;
        let OpenAttempt { span, inner, .. } = self.attempt(item, None, calls);
        Some((inner.get_or_insert_with(|| Box::new(Level::new(definition))), span.clone()))
    }

    /// Returns the sub-process of the present attempt, if it has begun.
    pub(super) fn open_inner(&mut self, item: Option<usize>) -> Option<&mut Level> {
        self.item(item).attempt.as_mut()?.inner.as_deref_mut()
    }

    /// Delivers an event to the present attempt at the task or an item, or to the task if there is none.
    pub(super) fn attempt_event(&mut self, item: Option<usize>, event: &SpanEvent<'_>) {
        match self.item(item).attempt.as_ref() {
            Some(attempt) => attempt.span.event(event),
            None => self.span.event(event),
        }
    }

    /// Ends the present attempt at the task or an item.
    pub(super) fn end_attempt(
        &mut self,
        item: Option<usize>,
        end: &SpanEnd<'_>,
        calls: &mut OpenCalls,
    ) {
        let open = self.item(item);
        if let Some(mut attempt) = open.attempt.take() {
            attempt.end(end, calls);
        }
        match (end, item) {
            (SpanEnd::Failed(attempt), _) => open.failed = attempt.number,
            (_, Some(number)) => drop(self.items.remove(&number)),
            (_, None) => self.whole.failed = 0,
        }
    }

    /// Forgets an item that has ended.
    pub(super) fn end_item(&mut self, item: usize, calls: &mut OpenCalls) {
        if let Some(mut attempt) = self.items.remove(&item).and_then(|open| open.attempt) {
            attempt.end(&SpanEnd::Dropped, calls);
        }
    }

    fn end(&mut self, end: &SpanEnd<'_>, calls: &mut OpenCalls) {
        let is_success = match end {
            SpanEnd::Task { route, .. } => !matches!(route, Route::On(_) | Route::End),
            _ => false,
        };
        let attempt_end = if is_success { SpanEnd::Accepted } else { SpanEnd::Dropped };
        let items = mem::take(&mut self.items).into_values();
        for mut attempt in items.filter_map(|item| item.attempt).chain(self.whole.attempt.take()) {
            attempt.end(&attempt_end, calls);
        }
        self.span.end(end);
    }
}

impl OpenAttempt {
    fn end(&mut self, end: &SpanEnd<'_>, calls: &mut OpenCalls) {
        for id in self.calls.drain(..) {
            calls.drop_call(id);
        }
        if let Some(inner) = &mut self.inner {
            inner.end_all(calls);
        }
        self.span.end(end);
    }
}

/// Finds the attempt that makes a call, and starts whatever is not open.
pub(super) fn attempt_of<'a>(
    level: &'a mut Level,
    around: &SpanRef,
    key: &CallKey,
    calls: &mut OpenCalls,
) -> Option<&'a mut OpenAttempt> {
    let mut path = key.visits().peekable();
    let (mut level, mut around) = (level, around.clone());
    loop {
        let VisitKey { task: name, item, .. } = path.next()?;
        let (item, task) = (*item, level.find_or_start(&around, name, calls)?);
        if path.peek().is_none() {
            // The attempts at a tool call are not those at the task.
            let is_of_tool = key.tool_call().is_some() || key.approval().is_some();
            let number = (!is_of_tool).then(|| key.attempt());
            return Some(task.attempt(item, number, calls));
        }
        (level, around) = task.inner(item, calls)?;
    }
}
