//! The span of a visit of a task, and the attempts at it, in which sub-processes have tasks of their own.

use std::sync::{
    Arc, Mutex, PoisonError,
    atomic::{AtomicBool, Ordering},
};

use cot_engine::{Attempt, BranchOutcome};
use cot_model::TraceContext;
use cot_runtime::{AttemptFacts, RunSpan, SpanEnd, SpanEvent, SpanFacts, TaskFacts};
use opentelemetry::{KeyValue, trace::SpanKind};

use crate::{
    names::{cot, event, gen_ai},
    recorder::guarded,
    spans::{
        call::CallSpan,
        error_type,
        node::{NewSpan, Node, number},
    },
};

/// The span of a visit of a task, which its attempts share.
#[derive(Clone)]
pub(super) struct TaskSpan(Arc<Visit>);

struct Visit {
    node: Node,
    process: String,
    task: String,
    /// Whether its question waits for a person.
    is_asking: AtomicBool,
    /// How the last attempt failed, unless an output was accepted since.
    error: Mutex<Option<&'static str>>,
}

impl TaskSpan {
    pub(super) fn start(parent: &Node, facts: &TaskFacts<'_>) -> Self {
        let span = NewSpan::new(format!("task {}", facts.task), SpanKind::Internal)
            .with(cot::PROCESS, facts.process.to_owned())
            .with(cot::TASK, facts.task.to_owned())
            .with(cot::KIND, facts.kind)
            .with_some(cot::STEP, facts.step.map(number));
        Self(Arc::new(Visit {
            node: parent.start_child(span),
            process: facts.process.to_owned(),
            task: facts.task.to_owned(),
            is_asking: AtomicBool::new(false),
            error: Mutex::default(),
        }))
    }

    fn node(&self) -> &Node {
        &self.0.node
    }

    fn process(&self) -> &str {
        &self.0.process
    }

    fn metric_attributes(&self) -> [KeyValue; 2] {
        [
            KeyValue::new(cot::PROCESS, self.0.process.clone()),
            KeyValue::new(cot::TASK, self.0.task.clone()),
        ]
    }

    /// Counts the question of the task, once.
    fn set_asking(&self, is_asking: bool) {
        if self.0.is_asking.swap(is_asking, Ordering::AcqRel) != is_asking {
            let change = if is_asking { 1 } else { -1 };
            let metrics = &self.0.node.recorder.metrics;
            guarded(|| metrics.change_waiting_people(change, &self.metric_attributes()));
        }
    }

    fn set_error(&self, error: Option<&'static str>) {
        *self.0.error.lock().unwrap_or_else(PoisonError::into_inner) = error;
    }

    /// Records a failed attempt, and the retry if one follows.
    fn attempt_failed(&self, attempt: &Attempt, will_retry: bool) {
        self.set_asking(false);
        let failure = error_type::from_failure(attempt.failure);
        self.set_error(Some(failure));
        let mut attributes = vec![
            KeyValue::new(cot::ATTEMPT, number(attempt.number)),
            KeyValue::new(cot::FAILURE, failure),
            KeyValue::new(cot::ISSUES, number(attempt.issues.len())),
            KeyValue::new(cot::WILL_RETRY, will_retry),
        ];
        attributes.extend(attempt.item.map(|item| KeyValue::new(cot::ITEM, number(item))));
        self.0.node.add_event(event::ATTEMPT_FAILED, attributes);
        if will_retry {
            let [process, task] = self.metric_attributes();
            let failure = KeyValue::new(cot::FAILURE, failure);
            let metrics = &self.0.node.recorder.metrics;
            guarded(|| metrics.retried(&[process, task, failure]));
        }
    }

    /// Records that a reply was repaired.
    fn repaired(&self, attempt: u32, item: Option<usize>, repairs: usize) {
        let mut attributes = vec![
            KeyValue::new(cot::ATTEMPT, number(attempt)),
            KeyValue::new(cot::REPAIRS, number(repairs)),
        ];
        attributes.extend(item.map(|item| KeyValue::new(cot::ITEM, number(item))));
        self.0.node.add_event(event::REPAIRED, attributes);
        let metrics = &self.0.node.recorder.metrics;
        guarded(|| metrics.repaired(&self.metric_attributes(), repairs));
    }

    /// Records what happens in the task beside its attempts.
    fn record(&self, happened: &SpanEvent<'_>) {
        let item = |item: usize| KeyValue::new(cot::ITEM, number(item));
        let (name, attributes) = match happened {
            SpanEvent::Committed { item: of_item, .. } => {
                self.set_asking(false);
                self.set_error(None);
                (event::COMMITTED, of_item.map(item).into_iter().collect())
            }
            SpanEvent::Transitioned { go_to, .. } => {
                self.set_asking(false);
                self.set_error(None);
                (event::TRANSITIONED, vec![KeyValue::new(cot::NEXT, (*go_to).to_owned())])
            }
            SpanEvent::ItemFailed { item: failed, .. } => (event::ITEM_FAILED, vec![item(*failed)]),
            SpanEvent::BranchEnded { branch, outcome } => {
                let outcome = match outcome {
                    BranchOutcome::Joined => "joined",
                    BranchOutcome::Failed(_) => "failed",
                    BranchOutcome::Cancelled => "cancelled",
                };
                let branch = KeyValue::new(cot::BRANCH, (*branch).to_owned());
                (event::BRANCH_ENDED, vec![branch, KeyValue::new(cot::BRANCH_OUTCOME, outcome)])
            }
            SpanEvent::Asked(_) => {
                self.set_asking(true);
                (event::ASKED, Vec::new())
            }
            SpanEvent::Waiting(wait) => {
                (event::WAITING, vec![KeyValue::new(cot::WAIT, wait.as_secs_f64())])
            }
            SpanEvent::ToolReturned { call, tool, is_ok: false, .. } => {
                let tool = KeyValue::new(gen_ai::TOOL_NAME, (*tool).to_owned());
                (event::TOOL_FAILED, vec![tool, KeyValue::new(cot::TOOL_CALL, number(*call))])
            }
            _ => return,
        };
        self.0.node.add_event(name, attributes);
    }
}

impl RunSpan for TaskSpan {
    fn start_child(&self, child: &SpanFacts<'_>) -> Option<Arc<dyn RunSpan>> {
        match child {
            // The first task of a branch, or one that follows it.
            SpanFacts::Task(facts) => Some(Arc::new(Self::start(self.node(), facts))),
            SpanFacts::Attempt(facts) => Some(Arc::new(AttemptSpan::new(self.clone(), facts))),
            _ => CallSpan::start(self.node(), self.process(), child),
        }
    }

    fn enter(&self, poll: &mut dyn FnMut()) {
        self.node().enter(poll);
    }

    fn event(&self, event: &SpanEvent<'_>) {
        self.record(event);
    }

    fn end(&self, end: &SpanEnd<'_>) {
        self.set_asking(false);
        let node = self.node();
        if let SpanEnd::Task { next, route } = end {
            node.set(cot::ROUTE, route.to_string());
            node.set_some(cot::NEXT, next.map(str::to_owned));
            let error = *self.0.error.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some(error) = error {
                node.set_error(error, "");
            }
        } else {
            node.set(cot::DROPPED, true);
        }
        node.end();
    }

    fn trace_context(&self) -> Option<TraceContext> {
        self.node().trace_context()
    }
}

/// An attempt at a task. It has no span of its own: what happens in it are events of the span of its task, and its
/// calls are children of that span. An attempt at a sub-process has the span of that process.
struct AttemptSpan {
    task: TaskSpan,
    item: Option<usize>,
    attempt: u32,
    /// The span of the sub-process, once it has begun.
    process: Mutex<Option<Node>>,
}

impl AttemptSpan {
    fn new(task: TaskSpan, facts: &AttemptFacts<'_>) -> Self {
        let AttemptFacts { item, attempt, .. } = *facts;
        Self { task, item, attempt, process: Mutex::default() }
    }

    /// Returns the span of the sub-process.
    fn start_process(&self, process: &str) -> Node {
        let mut known = self.process.lock().unwrap_or_else(PoisonError::into_inner);
        let start = || {
            let span = NewSpan::workflow(process)
                .with(cot::ATTEMPT, number(self.attempt))
                .with_some(cot::ITEM, self.item.map(number));
            self.task.node().start_child(span)
        };
        known.get_or_insert_with(start).clone()
    }
}

impl RunSpan for AttemptSpan {
    fn start_child(&self, child: &SpanFacts<'_>) -> Option<Arc<dyn RunSpan>> {
        match child {
            SpanFacts::Task(facts) if facts.process != self.task.process() => {
                let process = self.start_process(facts.process);
                Some(Arc::new(TaskSpan::start(&process, facts)))
            }
            SpanFacts::Task(facts) => Some(Arc::new(TaskSpan::start(self.task.node(), facts))),
            _ => CallSpan::start(self.task.node(), self.task.process(), child),
        }
    }

    fn event(&self, event: &SpanEvent<'_>) {
        match event {
            SpanEvent::AttemptFailed { attempt, will_retry } => {
                self.task.attempt_failed(attempt, *will_retry);
            }
            SpanEvent::Repaired { repairs } => {
                self.task.repaired(self.attempt, self.item, *repairs);
            }
            event => self.task.record(event),
        }
    }

    fn end(&self, end: &SpanEnd<'_>) {
        let process = self.process.lock().unwrap_or_else(PoisonError::into_inner).take();
        let Some(process) = process else { return };
        match end {
            SpanEnd::Failed(attempt) => {
                let words = attempt.issues.to_string();
                process.set_error(error_type::from_failure(attempt.failure), &words);
            }
            SpanEnd::Accepted => {}
            _ => process.set(cot::DROPPED, true),
        }
        process.end();
    }

    fn trace_context(&self) -> Option<TraceContext> {
        self.task.trace_context()
    }
}
