//! The spans of calls: of models, functions, tools and functions that answer for people.

use std::sync::Arc;

use cot_engine::{CallKey, Event};
use cot_model::TraceContext;
use cot_runtime::{RunSpan, SpanEnd, SpanEvent, SpanFacts, ToolCallFacts};
use opentelemetry::{KeyValue, trace::SpanKind};

use crate::{
    clock::Stopwatch,
    names::{cot, event, gen_ai},
    recorder::guarded,
    spans::{
        error_type,
        model_call::ModelCall,
        node::{NewSpan, Node, number},
    },
};

/// The span of a call.
pub(super) struct CallSpan {
    node: Node,
    watch: Stopwatch,
    called: Called,
}

/// What is called.
enum Called {
    Model(ModelCall),
    /// A tool, with the attributes of its metrics.
    Tool(Vec<KeyValue>),
    Other,
}

/// Adds the position of a call in the run.
pub(super) fn with_place(span: NewSpan, process: &str, key: &CallKey) -> NewSpan {
    span.with(cot::PROCESS, process.to_owned())
        .with(cot::TASK, key.task().to_owned())
        .with(cot::KEY, key.to_string())
        .with(cot::ATTEMPT, number(key.attempt()))
        .with_some(cot::ITEM, key.item().map(number))
}

impl CallSpan {
    /// Starts the span of a call; `None` if there is none for it.
    pub(super) fn start(
        parent: &Node,
        process: &str,
        facts: &SpanFacts<'_>,
    ) -> Option<Arc<dyn RunSpan>> {
        let internal = |name: String| NewSpan::new(name, SpanKind::Internal);
        let (span, called) = match facts {
            SpanFacts::Model(facts) => {
                let (call, span) = ModelCall::new(process, facts);
                (with_place(span, process, facts.key), Called::Model(call))
            }
            SpanFacts::Tool(facts) => {
                let attributes = vec![
                    KeyValue::new(gen_ai::TOOL_NAME, facts.tool.to_owned()),
                    KeyValue::new(cot::PROCESS, process.to_owned()),
                    KeyValue::new(cot::TASK, facts.key.task().to_owned()),
                ];
                let span = tool_span(parent, facts);
                (with_place(span, process, facts.key), Called::Tool(attributes))
            }
            SpanFacts::Function(facts) => {
                let verb = if facts.key.is_check() { "check" } else { "run" };
                let span = internal(format!("{verb} {}", facts.key.task()));
                (with_place(span, process, facts.key), Called::Other)
            }
            SpanFacts::Person(facts) => {
                let span = internal(format!("ask {}", facts.key.task()));
                (with_place(span, process, facts.key), Called::Other)
            }
            _ => return None,
        };
        let node = parent.start_child(span);
        let call = Self { node, watch: Stopwatch::start(), called };
        if let (Called::Model(_), SpanFacts::Model(facts)) = (&call.called, facts) {
            ModelCall::record_request(&call.node, facts.request);
        }
        Some(Arc::new(call))
    }

    fn record_tool(&self, attributes: &[KeyValue], answer: Option<&Event>) {
        if let (Some(limit), Some(Event::Ran { result: Ok(result), .. })) =
            (self.node.recorder.content, answer)
        {
            self.node.set(gen_ai::TOOL_RESULT, limit.text(&result.to_string()));
        }
        let error = answer.and_then(error_type::from_event);
        let mut attributes = attributes.to_vec();
        attributes.extend(error.map(|(word, _)| KeyValue::new(gen_ai::ERROR_TYPE, word)));
        let (metrics, elapsed) = (&self.node.recorder.metrics, self.watch.elapsed());
        guarded(|| metrics.record_tool(&attributes, elapsed));
    }
}

fn tool_span(parent: &Node, facts: &ToolCallFacts<'_>) -> NewSpan {
    let id = facts.call.map(|call| call.id.clone()).filter(|id| !id.is_empty());
    let limit = parent.recorder.content.filter(|_| parent.is_recording());
    let arguments = facts.call.and_then(|call| Some(limit?.text(&call.arguments)));
    NewSpan::new(format!("execute_tool {}", facts.tool), SpanKind::Internal)
        .with(gen_ai::OPERATION, "execute_tool")
        .with(gen_ai::TOOL_NAME, facts.tool.to_owned())
        .with(gen_ai::TOOL_TYPE, "function")
        .with_some(gen_ai::TOOL_CALL_ID, id)
        .with_some(gen_ai::TOOL_ARGUMENTS, arguments)
}

impl RunSpan for CallSpan {
    fn start_child(&self, child: &SpanFacts<'_>) -> Option<Arc<dyn RunSpan>> {
        let _ = child;
        None
    }

    fn enter(&self, poll: &mut dyn FnMut()) {
        self.node.enter(poll);
    }

    fn event(&self, event: &SpanEvent<'_>) {
        match (event, &self.called) {
            (SpanEvent::FirstChunk, Called::Model(call)) => {
                call.first_chunk(&self.node, self.watch.elapsed());
            }
            (SpanEvent::RateLimited(wait), _) => {
                let wait = KeyValue::new(cot::WAIT, wait.as_secs_f64());
                self.node.add_event(event::RATE_LIMITED, vec![wait]);
            }
            _ => {}
        }
    }

    fn end(&self, end: &SpanEnd<'_>) {
        let answer = match end {
            SpanEnd::Call(answer) => Some(*answer),
            _ => None,
        };
        match &self.called {
            Called::Model(call) => call.record_end(&self.node, answer, self.watch.elapsed()),
            Called::Tool(attributes) => self.record_tool(attributes, answer),
            Called::Other => {}
        }
        match answer.map(error_type::from_event) {
            Some(Some((word, words))) => self.node.set_error(word, &words),
            Some(None) => {}
            None => self.node.set(cot::DROPPED, true),
        }
        self.node.end();
    }

    fn trace_context(&self) -> Option<TraceContext> {
        self.node.trace_context()
    }
}
