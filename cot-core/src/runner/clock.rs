//! Calls against the clock: the only place in the library that looks at one.
#![expect(clippy::disallowed_methods, reason = "the one module that may use clocks")]

use std::{sync::Arc, time::Duration};

use tokio::time::{Instant, timeout};

use crate::{
    CallId, Event, LanguageModel, Process,
    machine::ModelCall,
    model::{BoxFuture, ModelError, ModelReply},
};

/// Makes the call that a machine asks for. Nothing happens before the future is polled; dropping it
/// drops the call.
///
/// Without a time limit there is no timer, and the future needs no tokio.
pub(super) fn perform<P: Process>(
    model: Arc<dyn LanguageModel>,
    call: &ModelCall<P>,
) -> BoxFuture<'static, Event> {
    let (id, request) = (call.id, Arc::clone(&call.request));
    let Some(limit) = call.timeout else {
        return Box::pin(async move {
            let began = Instant::now();
            answered(id, model.reply(&request).await, began.elapsed())
        });
    };
    Box::pin(async move {
        let began = Instant::now();
        match timeout(limit, model.reply(&request)).await {
            Ok(answer) => answered(id, answer, began.elapsed()),
            Err(_) => Event::TimedOut { id, elapsed: began.elapsed() },
        }
    })
}

fn answered(id: CallId, answer: Result<ModelReply, ModelError>, elapsed: Duration) -> Event {
    match answer {
        Ok(reply) => Event::Replied { id, reply, elapsed },
        Err(error) => Event::Failed { id, error, elapsed },
    }
}
