//! Performs the actions of a node outside of the journal and returns their events. The only module of
//! this crate that reads a clock.

use std::{
    hash::{BuildHasher as _, Hasher as _, RandomState},
    sync::Arc,
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use cot_core::{
    CallId, Event, FunctionError, LanguageModel, Models,
    model::{BoxFuture, ModelError, ModelErrorKind, ModelReply, ModelRequest},
};
use serde_json::Value;
use tokio::time::{Instant, timeout};

/// Returns the current time in milliseconds since 1970, for values that outlive this node.
pub(crate) fn now() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    since.as_millis().try_into().unwrap_or(u64::MAX)
}

/// Returns a random number.
pub(crate) fn random() -> u64 {
    RandomState::new().build_hasher().finish()
}

/// Calls a model.
pub(crate) async fn ask(
    models: &Models,
    engine: Option<&str>,
    request: Arc<ModelRequest>,
    (id, limit): (CallId, Option<Duration>),
) -> Event {
    let model = models.find(engine).map(Arc::clone);
    timed(id, limit, reply(model, engine, &request), |answer, elapsed| match answer {
        Ok(reply) => Event::Replied { id, reply, elapsed },
        Err(error) => Event::Failed { id, error, elapsed },
    })
    .await
}

async fn reply(
    model: Option<Arc<dyn LanguageModel>>,
    engine: Option<&str>,
    request: &ModelRequest,
) -> Result<ModelReply, ModelError> {
    let Some(model) = model else {
        let engine = engine.unwrap_or("default");
        let message = format!("no model for engine `{engine}` on this node");
        return Err(ModelError::new(ModelErrorKind::Other, message));
    };
    model.reply(&request.in_form_for(model.calls_tools())).await
}

/// Runs a function.
pub(crate) async fn run(
    id: CallId,
    limit: Option<Duration>,
    function: BoxFuture<'static, Result<Value, FunctionError>>,
) -> Event {
    timed(id, limit, function, |result, elapsed| Event::Ran { id, result, elapsed }).await
}

async fn timed<T>(
    id: CallId,
    limit: Option<Duration>,
    future: impl Future<Output = T>,
    event: impl FnOnce(T, Duration) -> Event,
) -> Event {
    let began = Instant::now();
    let ended = match limit {
        Some(limit) => timeout(limit, future).await.ok(),
        None => Some(future.await),
    };
    let elapsed = began.elapsed();
    ended.map_or(Event::TimedOut { id, elapsed }, |value| event(value, elapsed))
}
