//! What is recorded of a call of a model.

use std::{sync::OnceLock, time::Duration};

use cot_engine::Event;
use cot_model::{FinishReason, ModelReply, ModelRequest, Usage};
use cot_runtime::ModelCallFacts;
use opentelemetry::{Array, KeyValue, StringValue, Value, trace::SpanKind};

use crate::{
    names::{cot, gen_ai},
    recorder::guarded,
    spans::{
        error_type,
        node::{NewSpan, Node, number},
    },
};

/// What is recorded of a call of a model when it ends.
pub(super) struct ModelCall {
    /// The attributes of its metrics.
    attributes: Vec<KeyValue>,
    /// The time until the first chunk.
    first_chunk: OnceLock<Duration>,
}

impl ModelCall {
    /// Returns the call, and its span with what is known when it starts.
    pub(super) fn new(process: &str, facts: &ModelCallFacts<'_>) -> (Self, NewSpan) {
        let ModelCallFacts { model, request, .. } = facts;
        let text = |text: &str| Value::from(text.to_owned());
        let mut attributes = vec![
            KeyValue::new(gen_ai::OPERATION, "chat"),
            KeyValue::new(gen_ai::PROVIDER, text(model.provider.unwrap_or(error_type::OTHER))),
        ];
        let name = model.model.map(|name| KeyValue::new(gen_ai::REQUEST_MODEL, text(name)));
        attributes.extend(name);
        if let Some(address) = model.address {
            attributes.push(KeyValue::new(gen_ai::SERVER_ADDRESS, text(address)));
            let port = model.port.map(|port| KeyValue::new(gen_ai::SERVER_PORT, i64::from(port)));
            attributes.extend(port);
        }
        let name = model.model.map_or_else(|| "chat".to_owned(), |model| format!("chat {model}"));
        let mut span = NewSpan::new(name, SpanKind::Client);
        for attribute in &attributes {
            span = span.with_attribute(attribute.clone());
        }
        span = span.with_some(cot::ENGINE, facts.engine.map(text));
        attributes.push(KeyValue::new(gen_ai::WORKFLOW, text(process)));
        attributes.push(KeyValue::new(cot::TASK, text(facts.key.task())));
        (Self { attributes, first_chunk: OnceLock::new() }, with_settings(span, request))
    }

    /// Records the content of the request.
    pub(super) fn record_request(node: &Node, request: &ModelRequest) {
        if let Some(limit) = node.recorder.content.filter(|_| node.is_recording()) {
            node.set_some(gen_ai::SYSTEM_INSTRUCTIONS, limit.system(request));
            node.set(gen_ai::INPUT_MESSAGES, limit.input(request));
        }
    }

    pub(super) fn first_chunk(&self, node: &Node, elapsed: Duration) {
        // A model that starts over has several first chunks.
        if self.first_chunk.set(elapsed).is_ok() {
            node.set(gen_ai::STREAM, true);
            node.set(gen_ai::TIME_TO_FIRST_CHUNK, elapsed.as_secs_f64());
        }
    }

    /// Records the answer; `None` if the call was dropped.
    pub(super) fn record_end(&self, node: &Node, answer: Option<&Event>, elapsed: Duration) {
        let Some(answer) = answer else { return };
        let mut attributes = self.attributes.clone();
        if let Event::Replied { reply, .. } = answer {
            record_reply(node, reply);
            let model = reply.model.as_ref();
            let model = model.map(|model| KeyValue::new(gen_ai::RESPONSE_MODEL, model.clone()));
            attributes.extend(model);
        }
        let metrics = &node.recorder.metrics;
        guarded(|| {
            if let Some(first) = self.first_chunk.get() {
                metrics.record_first_chunk(&attributes, *first);
            }
            if let Event::Replied { reply, .. } = answer {
                metrics.record_usage(&mut attributes, &reply.usage);
            }
            let error = error_type::from_event(answer);
            attributes.extend(error.map(|(word, _)| KeyValue::new(gen_ai::ERROR_TYPE, word)));
            metrics.record_call(&attributes, elapsed);
        });
    }
}

/// Adds the settings of a request.
fn with_settings(span: NewSpan, request: &ModelRequest) -> NewSpan {
    let settings = &request.settings;
    let output = if request.schema.is_some() { "json" } else { "text" };
    let stop = (!settings.stop.is_empty()).then(|| texts(settings.stop.iter().cloned()));
    span.with(gen_ai::OUTPUT_TYPE, output)
        .with_some(gen_ai::TEMPERATURE, settings.temperature)
        .with_some(gen_ai::TOP_P, settings.top_p)
        .with_some(gen_ai::MAX_TOKENS, settings.max_tokens.map(i64::from))
        .with_some(gen_ai::SEED, settings.seed.map(number))
        .with_some(gen_ai::STOP, stop)
        .with_some(cot::EFFORT, settings.effort.map(|effort| effort.as_str()))
}

fn record_reply(node: &Node, reply: &ModelReply) {
    if !node.is_recording() {
        return;
    }
    let finish = finish_reason(reply);
    node.set(gen_ai::FINISH_REASONS, texts([finish]));
    node.set_some(gen_ai::RESPONSE_ID, reply.id.clone());
    node.set_some(gen_ai::RESPONSE_MODEL, reply.model.clone());
    record_usage(node, &reply.usage);
    if let Some(limit) = node.recorder.content {
        node.set(gen_ai::OUTPUT_MESSAGES, limit.output(reply, finish));
    }
}

fn record_usage(node: &Node, usage: &Usage) {
    let tokens = |tokens: u64| (tokens > 0).then(|| number(tokens));
    if usage.total_tokens() > 0 {
        node.set(gen_ai::INPUT_TOKENS, number(usage.input_tokens));
        node.set(gen_ai::OUTPUT_TOKENS, number(usage.output_tokens));
    }
    node.set_some(gen_ai::CACHE_READ_TOKENS, tokens(usage.cached_tokens));
    node.set_some(gen_ai::CACHE_CREATION_TOKENS, tokens(usage.cache_write_tokens));
    node.set_some(gen_ai::REASONING_TOKENS, tokens(usage.reasoning_tokens));
    node.set_some(cot::COST, (usage.cost > 0.0).then_some(usage.cost));
}

/// Returns the reason why a model stopped, in the words of the conventions.
const fn finish_reason(reply: &ModelReply) -> &'static str {
    match reply.finish {
        FinishReason::Length => "length",
        FinishReason::Refusal => "content_filter",
        FinishReason::Stop if reply.tool_calls.is_empty() => "stop",
        FinishReason::Stop => "tool_call",
    }
}

fn texts<T: Into<StringValue>>(texts: impl IntoIterator<Item = T>) -> Value {
    Value::Array(Array::String(texts.into_iter().map(Into::into).collect()))
}
