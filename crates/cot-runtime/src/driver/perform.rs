//! The futures that perform directives.

use std::{future::ready, sync::Arc, time::Duration};

use cot_engine::{CallKey, Directive, Event, FunctionCall, ModelCall, Process, Question, TaskId};
use cot_model::{BoxFuture, ModelError, ModelErrorKind, ModelReply};
use serde_json::Value;

use crate::{
    clock::{self, Reply},
    driver::deltas::Deltas,
    runner::config::Config,
};

/// The result of a model call.
type Answer = Result<ModelReply, ModelError>;

impl<P: Process> Config<P> {
    /// Returns the future of a model call, which has not started. `deltas` receives the chunks of the reply,
    /// if they are observed.
    pub(crate) fn call(
        &self,
        directive: &Directive<P::Task>,
        call: &ModelCall,
        deltas: Option<&Deltas<P>>,
    ) -> Reply {
        let request = Arc::clone(&call.request);
        if let Some(replay) = &self.replay {
            let reply = replay.model_call(&directive.key, &request);
            return self.timed(directive, call, ready(reply));
        }
        let Some(model) = self.models.find(call.engine).map(Arc::clone) else {
            return self.timed(directive, call, ready(Err(unknown_engine(call.engine))));
        };
        match deltas.and_then(|deltas| deltas.listen(directive, call)) {
            None => self.timed(directive, call, async move { model.reply(&request).await }),
            Some(listener) => self.timed(directive, call, async move {
                let answer = model.stream(&request, listener.sink()).await;
                if answer.is_ok() {
                    listener.end();
                }
                answer
            }),
        }
    }

    /// Wraps a model call with its time limit and the capture.
    fn timed(
        &self,
        directive: &Directive<P::Task>,
        call: &ModelCall,
        reply: impl Future<Output = Answer> + Send + 'static,
    ) -> Reply {
        let (id, timeout) = (directive.id, directive.timeout);
        let Some(capture) = self.capture.clone() else {
            return Reply::new(id, timeout, reply);
        };
        let (key, engine) = (directive.key.clone(), call.engine);
        let request = Arc::clone(&call.request);
        Reply::new(id, timeout, async move {
            let (answer, elapsed) = clock::measured(reply).await;
            capture.model_call(&key, engine, &request, &answer, elapsed);
            answer
        })
    }

    /// Returns the future of a function of the process, which has not started.
    pub(crate) fn run(
        &self,
        directive: &Directive<P::Task>,
        call: &FunctionCall,
    ) -> BoxFuture<'static, Event> {
        clock::code(directive.id, directive.timeout, call.run())
    }

    /// Returns the future of a person's answer, if the replay or a responder gives it; otherwise that of the
    /// time limit, if there is one.
    pub(crate) fn ask(
        &self,
        directive: &Directive<P::Task>,
        question: &Arc<Question>,
    ) -> Option<BoxFuture<'static, Event>> {
        let (id, key) = (directive.id, directive.key.clone());
        if let Some(answer) = self.replay.as_ref().and_then(|replay| replay.human_answer(&key)) {
            let event = match answer {
                Ok(answer) => Event::Answered { id, answer, elapsed: Duration::ZERO },
                Err(error) => Event::Cancelled { reason: error.to_string() },
            };
            return Some(Box::pin(ready(event)));
        }
        let Some(person) = &self.person else {
            return directive.timeout.map(|limit| clock::patience(id, limit));
        };
        let (person, question) = (Arc::clone(person), Arc::clone(question));
        let capture = self.capture.clone();
        let noted = async move {
            let answer = person(question).await;
            if let Some(capture) = capture {
                capture.human_answer(&key, &answer);
            }
            answer
        };
        Some(clock::human(id, directive.timeout, Box::pin(noted)))
    }

    /// Captures an answer that was given by a handle or the store.
    pub(crate) fn note_answer(&self, key: &CallKey, answer: &Value) {
        if let Some(capture) = &self.capture {
            capture.human_answer(key, answer);
        }
    }
}

/// Returns the future that cancels a run whose question nothing can answer. Only a rejected mock leads here,
/// since a run that needs a responder does not start without one.
pub(crate) fn nobody<T: TaskId>(task: T) -> BoxFuture<'static, Event> {
    let reason = format!("nobody is there to answer `{task}`, and its mock was refused");
    Box::pin(ready(Event::Cancelled { reason }))
}

/// The error of a call to an unknown engine. The preflight check prevents it.
fn unknown_engine(engine: Option<&'static str>) -> ModelError {
    let engine = engine.unwrap_or("default");
    ModelError::new(ModelErrorKind::Other, format!("no model for engine `{engine}`"))
}
