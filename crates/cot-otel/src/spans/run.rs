//! The span of a run: each time that a driver drives it.

use std::sync::Arc;

use cot_model::{TraceContext, Usage};
use cot_runtime::{RunFacts, RunSpan, SpanEnd, SpanEvent, SpanFacts};
use opentelemetry::{KeyValue, StringValue};

use crate::{
    clock::Stopwatch,
    names::{cot, event, gen_ai},
    propagation::{parent_of, to_otel},
    recorder::{Recorder, guarded},
    spans::{
        call::CallSpan,
        error_type,
        node::{NewSpan, Node, RunNames, number},
        task::TaskSpan,
    },
};

/// The span of a run.
pub(crate) struct RunSpanOfOtel {
    node: Node,
    watch: Stopwatch,
}

impl RunSpanOfOtel {
    /// Starts the span. That of a resumed run has a link to its first one.
    pub(crate) fn start(recorder: &Recorder, facts: &RunFacts<'_>) -> Self {
        let id = StringValue::from(facts.run_id.as_str().to_owned());
        let run = Arc::new(RunNames { id, process: facts.process });
        let mut span = NewSpan::workflow(facts.process);
        if facts.is_resumed {
            span = span.with(cot::RESUMED, true);
        }
        if let Some(begun) = facts.begun_in {
            span = span.link_to(to_otel(begun));
        }
        recorder.metrics.run_started(run.process);
        let node = span.start(recorder, &run, &parent_of(facts));
        Self { node, watch: Stopwatch::start() }
    }

    fn set_usage(&self, usage: &Usage) {
        self.node.set(cot::CALLS, number(usage.calls));
        self.node.set(cot::INPUT_TOKENS, number(usage.input_tokens));
        self.node.set(cot::OUTPUT_TOKENS, number(usage.output_tokens));
        if usage.cost > 0.0 {
            self.node.set(cot::COST, usage.cost);
        }
    }

    /// Records how the run ends; returns the word of its error.
    fn record_end(&self, end: &SpanEnd<'_>) -> Option<StringValue> {
        match end {
            SpanEnd::Run { how, why, reason, steps, usage, .. } => {
                let ending = error_type::ending(*how);
                self.node.set(cot::ENDING, ending);
                self.node.set(cot::STEP, number(*steps));
                self.set_usage(usage);
                if matches!(ending, "fail" | error_type::HALTED) {
                    let word = if reason.is_empty() { ending } else { reason };
                    let word = word.replace(' ', "_");
                    self.node.set_error(word.clone(), why);
                    return Some(word.into());
                }
            }
            SpanEnd::RunError(error) => {
                let word = error_type::from_run_error(error);
                self.node.set_error(word, &error.to_string());
                return Some(word.into());
            }
            _ => self.node.set(cot::SUSPENDED, true),
        }
        None
    }
}

impl RunSpan for RunSpanOfOtel {
    fn start_child(&self, child: &SpanFacts<'_>) -> Option<Arc<dyn RunSpan>> {
        match child {
            SpanFacts::Task(facts) => Some(Arc::new(TaskSpan::start(&self.node, facts))),
            _ => CallSpan::start(&self.node, self.node.run.process, child),
        }
    }

    fn enter(&self, poll: &mut dyn FnMut()) {
        self.node.enter(poll);
    }

    fn event(&self, event: &SpanEvent<'_>) {
        match event {
            SpanEvent::Paused => self.node.add_event(event::PAUSED, Vec::new()),
            SpanEvent::StateUpdated => self.node.add_event(event::STATE_UPDATED, Vec::new()),
            _ => {}
        }
    }

    fn end(&self, end: &SpanEnd<'_>) {
        let error = self.record_end(end);
        let process = self.node.run.process;
        let mut attributes = vec![KeyValue::new(cot::PROCESS, process)];
        attributes.extend(error.map(|word| KeyValue::new(gen_ai::ERROR_TYPE, word)));
        let (metrics, elapsed) = (&self.node.recorder.metrics, self.watch.elapsed());
        guarded(|| metrics.run_ended(process, &attributes, elapsed));
        self.node.end();
    }

    fn trace_context(&self) -> Option<TraceContext> {
        self.node.trace_context()
    }
}
