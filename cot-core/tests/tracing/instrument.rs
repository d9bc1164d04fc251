//! What an instrument makes current while calls are polled.

use std::sync::{Arc, Mutex};

use cot_core::{
    model::{BoxFuture, DeltaSink, LanguageModel, ModelError, ModelReply, ModelRequest},
    prelude::*,
    trace::{RunFacts, RunInstrument, RunSpan, SpanEnd, SpanEvent, SpanFacts, TraceContext},
};
use serde_json::json;

use crate::{kinds::Text, recorder::alone};

cot_process! {
    process Ask {
        state: Text,
        task ask -> Text { prompt: "Ask.", update: { text = output.text }, next: done }
        task done { end }
    }
}

/// A model that reports the current context in its reply, after it was pending once.
struct Echo(Arc<Mutex<Vec<Option<TraceContext>>>>);

impl LanguageModel for Echo {
    fn reply<'a>(&'a self, _: &'a ModelRequest) -> BoxFuture<'a, Result<ModelReply, ModelError>> {
        Box::pin(async {
            self.0.lock().unwrap().push(TraceContext::current());
            tokio::task::yield_now().await;
            self.0.lock().unwrap().push(TraceContext::current());
            Ok(json!({ "text": "x" }).into())
        })
    }

    fn stream<'a>(
        &'a self,
        request: &'a ModelRequest,
        sink: &'a DeltaSink,
    ) -> BoxFuture<'a, Result<ModelReply, ModelError>> {
        sink.push("{");
        sink.push(" ");
        sink.restart();
        self.reply(request)
    }
}

/// An instrument that gives the span of each model call an id.
struct Ids(Arc<Mutex<Vec<String>>>);

struct IdSpan(Option<TraceContext>, Arc<Mutex<Vec<String>>>);

impl RunInstrument for Ids {
    fn start_run(&self, run: &RunFacts<'_>) -> Option<Arc<dyn RunSpan>> {
        let trace_id = run.caller.map_or([7; 16], TraceContext::trace_id);
        Some(Arc::new(IdSpan(TraceContext::new(trace_id, [1; 8]), Arc::clone(&self.0))))
    }
}

impl RunSpan for IdSpan {
    fn start_child(&self, child: &SpanFacts<'_>) -> Option<Arc<dyn RunSpan>> {
        let SpanFacts::Model(call) = child else { return None };
        self.1.lock().unwrap().push(format!("{} {}", call.key, call.is_streamed));
        let context = TraceContext::new(self.0.as_ref()?.trace_id(), [2; 8]);
        Some(Arc::new(Self(context, Arc::clone(&self.1))))
    }

    fn event(&self, event: &SpanEvent<'_>) {
        if matches!(event, SpanEvent::FirstChunk) {
            self.1.lock().unwrap().push("first chunk".to_owned());
        }
    }

    fn end(&self, _: &SpanEnd<'_>) {}

    fn trace_context(&self) -> Option<TraceContext> {
        self.0.clone()
    }
}

#[tokio::test]
async fn the_context_of_the_caller_is_current_in_calls_and_that_of_a_span_replaces_it() {
    let _alone = alone();
    let caller = TraceContext::new([3; 16], [4; 8]).unwrap();
    let (seen, notes) = (Arc::default(), Arc::default());
    let runner = || Ask::runner().model(Echo(Arc::clone(&seen)));
    runner().run(Text::default()).await.unwrap();
    runner().trace_context(caller.clone()).run(Text::default()).await.unwrap();
    let run = caller.scope(|| runner().run(Text::default()));
    run.await.unwrap();
    let instrument = Ids(Arc::clone(&notes));
    let observed = runner().instrument(instrument).trace_context(caller.clone());
    let observed = observed.observe(|_, _| {}).token_deltas(true);
    observed.run(Text::default()).await.unwrap();
    let own = TraceContext::new([3; 16], [2; 8]);
    let caller = Some(caller);
    let expected =
        [None, None, caller.clone(), caller.clone(), caller.clone(), caller, own.clone(), own];
    assert_eq!(*seen.lock().unwrap(), expected);
    assert_eq!(*notes.lock().unwrap(), ["ask#1@1 true", "first chunk"]);
    assert_eq!(TraceContext::current(), None);
}
