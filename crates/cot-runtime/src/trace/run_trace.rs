//! The spans of one run in one driver.

use std::{mem, sync::Arc, time::Duration};

use cot_engine::{
    Action, CallId, CallKey, Directive,
    internal::{Definition, IndexEvent, VisitKey},
};
use cot_model::{LanguageModel, ModelInfo, TraceContext};

use crate::trace::{
    call_cell::CallCell,
    events::EventTarget,
    facts::{FunctionCallFacts, ModelCallFacts, PersonFacts, SpanFacts, ToolCallFacts},
    instrument::RunSpan,
    open_calls::OpenCalls,
    span_event::{SpanEnd, SpanEvent},
    span_ref::SpanRef,
    tree::{Level, attempt_of},
};

/// The spans of a run, and the trace context of its calls.
///
/// The driver feeds it the events of the machine before it polls the calls that follow from them, so that the span
/// of a call always finds that of its task.
pub(crate) struct RunTrace {
    /// The context of the run, for calls whose spans have none.
    context: Option<TraceContext>,
    /// `None` if no instrument follows the run.
    spans: Option<Spans>,
    /// The calls that have a future, and no span yet.
    created: Vec<CreatedCall>,
}

struct Spans {
    root: SpanRef,
    tasks: Level,
    calls: OpenCalls,
}

/// A call whose future was created.
struct CreatedCall {
    id: CallId,
    key: CallKey,
    timeout: Option<Duration>,
    action: Action,
    model: Option<Arc<dyn LanguageModel>>,
    is_streamed: bool,
    cell: Arc<CallCell>,
}

impl RunTrace {
    /// Creates what holds the context of the caller until the spans of the run start.
    pub(crate) fn waiting(caller: Option<TraceContext>) -> Option<Box<Self>> {
        let context = Some(caller?);
        Some(Box::new(Self { context, spans: None, created: Vec::new() }))
    }

    /// Creates the spans of a run; `None` if nothing follows the run and it belongs to no trace.
    pub(crate) fn new(
        definition: &'static Definition,
        root: Option<Arc<dyn RunSpan>>,
        caller: Option<TraceContext>,
    ) -> Option<Self> {
        let own_context = root.as_ref().and_then(|root| root.trace_context());
        let context = own_context.or(caller);
        if root.is_none() && context.is_none() {
            return None;
        }
        let spans = root.map(|root| Spans {
            root: SpanRef::own(root),
            tasks: Level::new(definition),
            calls: OpenCalls::default(),
        });
        Some(Self { context, spans, created: Vec::new() })
    }

    /// Returns the context of the run.
    pub(crate) const fn context(&self) -> Option<&TraceContext> {
        self.context.as_ref()
    }

    /// Returns the span of the run, if an instrument follows it.
    pub(crate) fn root(&self) -> Option<SpanRef> {
        self.spans.as_ref().map(|spans| spans.root.clone())
    }

    /// Returns the span of the attempt that made a call.
    pub(crate) fn around(&self, id: CallId) -> Option<SpanRef> {
        self.spans.as_ref()?.calls.around(id)
    }

    /// Adds a call whose future is being created. Its span starts with [`start_calls`](Self::start_calls).
    pub(crate) fn add_call(
        &mut self,
        directive: &Directive,
        model: Option<Arc<dyn LanguageModel>>,
        is_streamed: bool,
    ) -> Arc<CallCell> {
        let cell = Arc::<CallCell>::default();
        self.created.push(CreatedCall {
            id: directive.id,
            key: directive.key.clone(),
            timeout: directive.timeout,
            action: directive.action.clone(),
            model,
            is_streamed,
            cell: Arc::clone(&cell),
        });
        cell
    }

    /// Starts the spans of the calls that were added. The events that precede the calls have been fed.
    pub(crate) fn start_calls(&mut self) {
        for call in mem::take(&mut self.created) {
            let started = self.spans.as_mut().and_then(|spans| spans.start_call(&call));
            let own_context = started.as_ref().and_then(SpanRef::trace_context);
            call.cell.start(started, own_context.or_else(|| self.context.clone()));
        }
    }

    /// Feeds an event of the machine.
    pub(crate) fn event(&mut self, event: &IndexEvent) {
        if let Some(Spans { root, tasks, calls }) = &mut self.spans {
            let definition = tasks.definition();
            let mut target = EventTarget { around: root, level: tasks, calls };
            target.event(event, &|task| definition.task(*task).about.name);
        }
    }

    /// Feeds that the model holds a call back.
    pub(crate) fn held(&self, id: CallId, wait: Duration) {
        if let Some(spans) = &self.spans {
            spans.calls.event(id, &SpanEvent::RateLimited(wait));
        }
    }

    /// Forgets a call, whose event the machine handles.
    pub(crate) fn end_call(&mut self, id: CallId) {
        if let Some(spans) = &mut self.spans {
            spans.calls.drop_call(id);
        }
    }

    /// Ends all spans.
    pub(crate) fn end(&mut self, end: &SpanEnd<'_>) {
        if let Some(Spans { root, mut tasks, mut calls }) = self.spans.take() {
            tasks.end_all(&mut calls);
            calls.end_all();
            root.end(end);
        }
    }
}

impl Drop for RunTrace {
    fn drop(&mut self) {
        self.end(&SpanEnd::Dropped);
    }
}

impl Spans {
    fn start_call(&mut self, call: &CreatedCall) -> Option<SpanRef> {
        let CreatedCall { id, key, timeout, action, model, is_streamed, cell } = call;
        let Self { root, tasks, calls } = self;
        let tool = tool_name(tasks, key);
        let attempt = attempt_of(tasks, root, key, calls)?;
        attempt.calls.push(*id);
        let around = attempt.span.clone();
        let timeout = *timeout;
        let facts = match action {
            Action::CallModel(call) => SpanFacts::Model(ModelCallFacts {
                key,
                engine: call.engine,
                model: model.as_ref().map_or_else(ModelInfo::new, |model| model.info()),
                request: &call.request,
                timeout,
                is_streamed: *is_streamed,
            }),
            Action::RunFunction(call) if key.tool_call().is_some() => {
                let (call, effect) = (call.tool_call(), call.effect());
                let tool =
                    call.map_or_else(|| tool.as_deref().unwrap_or_default(), |call| &*call.name);
                SpanFacts::Tool(ToolCallFacts { key, tool, call, effect, timeout })
            }
            Action::RunFunction(call) => {
                let effect = call.effect();
                SpanFacts::Function(FunctionCallFacts { key, effect, timeout })
            }
            Action::AskHuman(question) => SpanFacts::Person(PersonFacts { key, question }),
            Action::Sleep { .. } => return None,
        };
        let span = around.start_child(&facts);
        calls.add(*id, Arc::clone(cell), around);
        Some(span)
    }
}

/// Returns the name of the tool of a call, if its task has told it.
fn tool_name(tasks: &mut Level, key: &CallKey) -> Option<String> {
    let number = key.tool_call()?;
    let mut level = tasks;
    let mut path = key.visits().peekable();
    while let Some(VisitKey { task, item, .. }) = path.next() {
        let open = level.find(task)?;
        if path.peek().is_none() {
            return open.tools.get(&number).cloned();
        }
        level = open.open_inner(*item)?;
    }
    None
}
