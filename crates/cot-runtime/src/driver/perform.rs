//! The futures that perform directives.

use std::{future::ready, sync::Arc, time::Duration};

use cot_engine::{CallKey, Directive, Event, FunctionCall, FunctionError, ModelCall, Question};
use cot_model::{BoxFuture, ModelError, ModelErrorKind, ModelReply};
use serde_json::Value;

use crate::{
    clock::{self, ReplyFuture},
    driver::{stream_events::StreamEvents, until::stream_until},
    runner::config::Config,
    trace::call_cell::CallCell,
};

/// The result of a model call; an error if the code of the process that watches the reply panicked.
type WatchedResult = Result<Result<ModelReply, ModelError>, FunctionError>;

impl Config {
    /// Returns the future of a model call, which has not started. `stream_events` receives the chunks of the
    /// reply, if they are observed, and `cell` that there are any.
    pub(crate) fn model_future(
        &self,
        directive: &Directive,
        call: &ModelCall,
        stream_events: Option<&StreamEvents>,
        cell: Option<&Arc<CallCell>>,
    ) -> ReplyFuture {
        let request = Arc::clone(&call.request);
        if let Some(replay) = &self.replay {
            let reply = replay.model_call(&directive.key, &request);
            return self.wrap_model_call(directive, call, ready(Ok(reply)));
        }
        let Some(model) = self.models.find(call.engine).map(Arc::clone) else {
            let error = unknown_engine(call.engine);
            return self.wrap_model_call(directive, call, ready(Ok(Err(error))));
        };
        let listener = stream_events.and_then(|events| events.listen(directive, call, cell));
        if let Some(until) = call.until.clone() {
            let reply = stream_until(model, request, until, (listener, cell.cloned()));
            return self.wrap_model_call(directive, call, reply);
        }
        match listener {
            None => self.wrap_model_call(directive, call, async move {
                Ok(model.reply(&request.in_form_for(model.calls_tools())).await)
            }),
            Some(listener) => self.wrap_model_call(directive, call, async move {
                let request = request.in_form_for(model.calls_tools());
                let answer = model.stream(&request, listener.sink()).await;
                if answer.is_ok() {
                    listener.end();
                }
                Ok(answer)
            }),
        }
    }

    /// Wraps a model call with its time limit and the capture.
    fn wrap_model_call(
        &self,
        directive: &Directive,
        call: &ModelCall,
        reply: impl Future<Output = WatchedResult> + Send + 'static,
    ) -> ReplyFuture {
        let (id, timeout) = (directive.id, directive.timeout);
        let Some(capture) = self.capture.clone() else {
            return ReplyFuture::new(id, timeout, reply);
        };
        let (key, engine) = (directive.key.clone(), call.engine);
        let request = Arc::clone(&call.request);
        ReplyFuture::new(id, timeout, async move {
            let (answer, elapsed) = clock::measured(reply).await;
            match &answer {
                Ok(answer) => capture.model_call(&key, engine, &request, answer, elapsed),
                Err(panic) => {
                    let error = ModelError::new(ModelErrorKind::Other, panic.to_string());
                    capture.model_call(&key, engine, &request, &Err(error), elapsed);
                }
            }
            answer
        })
    }

    /// Returns the future of a function of the process, which has not started.
    pub(crate) fn function_future(
        &self,
        directive: &Directive,
        call: &FunctionCall,
    ) -> BoxFuture<'static, Event> {
        let running = || clock::run_function(directive.id, directive.timeout, call.run());
        let Some(tool) = call.tool_call() else { return running() };
        let (id, key) = (directive.id, directive.key.clone());
        if let Some(replay) = &self.replay {
            return Box::pin(ready(replay.tool_call(id, &key, tool)));
        }
        let Some(capture) = self.capture.clone() else { return running() };
        let (running, tool) = (running(), tool.clone());
        Box::pin(async move {
            let event = running.await;
            capture.tool_call(&key, &tool, &event);
            event
        })
    }

    /// Returns the future of a person's answer, if the replay or a responder gives it; otherwise that of the
    /// time limit, if there is one.
    pub(crate) fn answer_future(
        &self,
        directive: &Directive,
        question: &Arc<Question>,
    ) -> Option<BoxFuture<'static, Event>> {
        let (id, key) = (directive.id, directive.key.clone());
        if let Some(answer) = self.replay.as_ref().and_then(|replay| replay.human_answer(&key)) {
            let event = match answer {
                Ok(answer) => Event::Answered { id, answer, elapsed: Duration::ZERO },
                Err(error) => Event::Cancelled { reason: error.to_string(), calls: 0 },
            };
            return Some(Box::pin(ready(event)));
        }
        let Some(responder) = &self.responder else {
            return directive.timeout.map(|limit| clock::answer_timeout(id, limit));
        };
        let (responder, question) = (Arc::clone(responder), Arc::clone(question));
        let capture = self.capture.clone();
        let captured = async move {
            let answer = responder(question).await;
            if let Some(capture) = capture {
                capture.human_answer(&key, &answer);
            }
            answer
        };
        Some(clock::await_answer(id, directive.timeout, Box::pin(captured)))
    }

    /// Captures an answer that was given by a handle or the store.
    pub(crate) fn capture_answer(&self, key: &CallKey, answer: &Value) {
        if let Some(capture) = &self.capture {
            capture.human_answer(key, answer);
        }
    }
}

/// Returns the future that cancels a run whose question nothing can answer. Only a rejected mock or a tool of a
/// sub-process leads here, since a run that needs a responder does not start without one.
pub(crate) fn cancel_unanswered(task: &str) -> BoxFuture<'static, Event> {
    let reason =
        format!("nothing can answer `{task}`: there is no person, and no mock that is accepted");
    Box::pin(ready(Event::Cancelled { reason, calls: 0 }))
}

/// The error of a call to an unknown engine. The preflight check prevents it.
fn unknown_engine(engine: Option<&'static str>) -> ModelError {
    let engine = engine.unwrap_or("default");
    ModelError::new(ModelErrorKind::Other, format!("no model for engine `{engine}`"))
}
