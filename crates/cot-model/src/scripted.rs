//! A model with predefined answers, for tests, examples and benchmarks.

use std::{
    fmt,
    future::poll_fn,
    sync::{Mutex, MutexGuard, PoisonError},
    task::Poll,
    vec,
};

use crate::{
    delta::DeltaSink,
    error::{ModelError, ModelErrorKind},
    media::medium::AcceptedMedia,
    model::{BoxFuture, LanguageModel},
    reply::ModelReply,
    request::ModelRequest,
};

/// Maximum length of the prompt in the error of an ended script, in characters.
const PROMPT_SHOWN: usize = 500;

/// A model that answers from a list or a closure, immediately and without a network.
///
/// ```
/// use cot_core::model::ScriptedModel;
/// use serde_json::json;
///
/// let from_a_list = ScriptedModel::new([
///     json!({ "goTo": "add_field", "intent": "add an id", "stepAfter": "done" }),
///     json!({ "name": "id" }),
/// ]);
/// let from_a_closure = ScriptedModel::from_fn(|request| {
///     if request.prompt().contains("again") { "second answer" } else { "first answer" }
/// });
/// # let _ = (from_a_list, from_a_closure);
/// ```
pub struct ScriptedModel {
    script: Script,
    recorded: Option<Mutex<Vec<ModelRequest>>>,
    chunk_chars: usize,
}

enum Script {
    List { answers: Mutex<vec::IntoIter<Answer>>, total: usize },
    Function(Box<dyn Fn(&ModelRequest) -> Answer + Send + Sync>),
}

type Answer = Result<ModelReply, ModelError>;

/// An answer of a [`ScriptedModel`]: a value that converts into a [`ModelReply`], such as text or JSON, or a
/// `Result` of it.
pub trait ScriptedAnswer {
    /// Converts the value into the result of a call.
    ///
    /// # Errors
    ///
    /// Returns the error with which the call fails.
    fn into_answer(self) -> Result<ModelReply, ModelError>;
}

impl<R: Into<ModelReply>> ScriptedAnswer for R {
    fn into_answer(self) -> Answer {
        Ok(self.into())
    }
}

impl<R: Into<ModelReply>> ScriptedAnswer for Result<R, ModelError> {
    fn into_answer(self) -> Answer {
        self.map(Into::into)
    }
}

impl ScriptedModel {
    /// Creates a model that returns these answers in order, and then fails with
    /// [`ModelErrorKind::ScriptEnded`].
    ///
    /// It records its requests.
    #[must_use]
    pub fn new<A: ScriptedAnswer>(answers: impl IntoIterator<Item = A>) -> Self {
        let answers: Vec<Answer> = answers.into_iter().map(ScriptedAnswer::into_answer).collect();
        let total = answers.len();
        let script = Script::List { answers: Mutex::new(answers.into_iter()), total };
        Self { script, recorded: None, chunk_chars: 0 }.recording(true)
    }

    /// Creates a model that answers each request by calling a function.
    ///
    /// It records no requests unless [`recording`](Self::recording) is enabled.
    #[must_use]
    pub fn from_fn<A: ScriptedAnswer>(
        answer: impl Fn(&ModelRequest) -> A + Send + Sync + 'static,
    ) -> Self {
        let function = Box::new(move |request: &ModelRequest| answer(request).into_answer());
        Self { script: Script::Function(function), recorded: None, chunk_chars: 0 }
    }

    /// Enables or disables recording of [`requests`](Self::requests). Drops the requests recorded so far.
    #[must_use]
    pub fn recording(mut self, recording: bool) -> Self {
        self.recorded = recording.then(Mutex::default);
        self
    }

    /// Sets the size of the chunks of streamed replies, in characters. The model yields to the executor
    /// after each chunk. With 0, the default, it sends no chunks.
    #[must_use]
    pub const fn streaming(mut self, chunk_chars: usize) -> Self {
        self.chunk_chars = chunk_chars;
        self
    }

    /// Returns the recorded requests, in the order of the answers.
    #[must_use]
    pub fn requests(&self) -> Vec<ModelRequest> {
        self.recorded.as_ref().map_or_else(Vec::new, |recorded| lock(recorded).clone())
    }

    fn answer(&self, request: &ModelRequest) -> Answer {
        let mut recorded = self.recorded.as_ref().map(lock);
        if let Some(recorded) = &mut recorded {
            recorded.push(request.clone());
        }
        match &self.script {
            Script::Function(function) => {
                drop(recorded);
                function(request)
            }
            // The record stays locked, so that requests and answers have the same order.
            Script::List { answers, total } => {
                let answer = lock(answers).next();
                answer.unwrap_or_else(|| Err(script_ended(*total, request)))
            }
        }
    }
}

impl LanguageModel for ScriptedModel {
    fn reply<'a>(
        &'a self,
        request: &'a ModelRequest,
    ) -> BoxFuture<'a, Result<ModelReply, ModelError>> {
        Box::pin(async move { self.answer(request) })
    }

    fn stream<'a>(
        &'a self,
        request: &'a ModelRequest,
        sink: &'a DeltaSink,
    ) -> BoxFuture<'a, Result<ModelReply, ModelError>> {
        Box::pin(async move {
            let reply = self.answer(request)?;
            for chunk in chunks(&reply.text, self.chunk_chars) {
                sink.push(chunk);
                yield_once().await;
            }
            Ok(reply)
        })
    }

    fn accepted_media(&self) -> AcceptedMedia {
        AcceptedMedia::ALL
    }

    fn calls_tools(&self) -> bool {
        true
    }
}

impl fmt::Debug for ScriptedModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("ScriptedModel");
        if let Script::List { answers, total } = &self.script {
            shown.field("answers", total).field("left", &lock(answers).len());
        }
        shown.finish_non_exhaustive()
    }
}

/// Splits a text into chunks of `chars` characters. Returns no chunks if `chars` is 0.
fn chunks(text: &str, chars: usize) -> impl Iterator<Item = &str> {
    let mut rest = if chars == 0 { "" } else { text };
    std::iter::from_fn(move || {
        let end = rest.char_indices().nth(chars).map_or(rest.len(), |(end, _)| end);
        let (chunk, after) = rest.split_at(end);
        rest = after;
        (!chunk.is_empty()).then_some(chunk)
    })
}

async fn yield_once() {
    let mut yielded = false;
    poll_fn(|cx| {
        if yielded {
            return Poll::Ready(());
        }
        yielded = true;
        cx.waker().wake_by_ref();
        Poll::Pending
    })
    .await;
}

fn script_ended(total: usize, request: &ModelRequest) -> ModelError {
    let prompt = request.prompt();
    let shown = match prompt.char_indices().nth(PROMPT_SHOWN) {
        Some((end, _)) => format!("{}…", prompt.get(..end).unwrap_or_default()),
        None => prompt.to_owned(),
    };
    let answers = if total == 1 { "answer" } else { "answers" };
    let message = format!("the script had {total} {answers}, and was then asked: {shown}");
    ModelError::new(ModelErrorKind::ScriptEnded, message)
}

// No operation under the lock can leave the value inconsistent, so that poisoning is ignored.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use std::{
        error::Error,
        sync::Arc,
        task::{Context, Waker},
        thread,
    };

    use serde_json::json;

    use super::*;
    use crate::{delta::record::recording_sink, reply::FinishReason};

    #[tokio::test]
    async fn a_list_is_answered_in_order_and_then_ends() {
        let model = ScriptedModel::new(["one", "two"]);
        assert_eq!(text(&model, "a").await, "one");
        assert_eq!(text(&model, "b").await, "two");
        let long = "é".repeat(600);
        let error = model.reply(&ModelRequest::new(&long)).await.unwrap_err();
        assert_eq!(error.kind(), &ModelErrorKind::ScriptEnded);
        let shown = format!("the script had 2 answers, and was then asked: {}…", "é".repeat(500));
        assert_eq!(error.to_string(), shown);
        let recorded: Vec<_> = model.requests().iter().map(|r| r.prompt().to_owned()).collect();
        assert_eq!(recorded, ["a", "b", long.as_str()]);
        assert_eq!(format!("{model:?}"), "ScriptedModel { answers: 2, left: 0, .. }");
    }

    #[tokio::test]
    async fn answers_may_be_json_replies_and_errors() {
        let model = ScriptedModel::new([json!({ "b": 1, "a": [true] })]);
        assert_eq!(text(&model, "").await, r#"{"b":1,"a":[true]}"#);

        let cut = ModelReply::new("{").finish(FinishReason::Length);
        let failure = ModelError::new(ModelErrorKind::Timeout, "too slow");
        let model: Box<dyn LanguageModel> = Box::new(ScriptedModel::new([Ok(cut), Err(failure)]));
        let request = ModelRequest::new("");
        assert_eq!(model.reply(&request).await.unwrap().finish, FinishReason::Length);
        let error = model.reply(&request).await.unwrap_err();
        assert_eq!(error.kind(), &ModelErrorKind::Timeout);
        assert!(error.source().is_none());
    }

    #[tokio::test]
    async fn a_function_sees_the_request() {
        let model = ScriptedModel::from_fn(|request| request.prompt().to_uppercase());
        assert_eq!(text(&model, "abc").await, "ABC");
        assert!(model.requests().is_empty());
        let model = ScriptedModel::from_fn(|_| json!(1)).recording(true);
        assert_eq!(text(&model, "abc").await, "1");
        assert_eq!(model.requests().len(), 1);
        let model = ScriptedModel::from_fn(|request| match request.settings.max_tokens {
            Some(_) => Ok("short"),
            None => Err(ModelError::new(ModelErrorKind::Other, "no limit")),
        });
        assert_eq!(model.reply(&ModelRequest::new("")).await.unwrap_err().to_string(), "no limit");
    }

    #[tokio::test]
    async fn a_streamed_reply_comes_in_chunks() {
        for (chunk_chars, expected) in
            [(0, &[][..]), (1, &["ä", "ö", "ü", "!"]), (3, &["äöü", "!"]), (4, &["äöü!"])]
        {
            let model = Arc::new(ScriptedModel::new(["äöü!", ""]).streaming(chunk_chars));
            let (sink, record) = recording_sink();
            let reply = model.stream(&ModelRequest::new(""), &sink).await.unwrap();
            assert_eq!(reply.text, "äöü!");
            assert_eq!(model.stream(&ModelRequest::new(""), &sink).await.unwrap().text, "");
            assert_eq!(*record.lock().unwrap(), expected);
            assert_eq!(model.requests().len(), 2);
        }
    }

    #[test]
    fn a_streamed_reply_can_be_dropped_between_chunks() {
        let model: Box<dyn LanguageModel> = Box::new(ScriptedModel::new(["abc"]).streaming(1));
        let (sink, record) = recording_sink();
        let request = ModelRequest::new("");
        let mut call = model.stream(&request, &sink);
        for _ in 0..2 {
            assert!(call.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_pending());
        }
        drop(call);
        assert_eq!(*record.lock().unwrap(), ["a", "b"]);
    }

    #[test]
    fn concurrent_calls_get_answers_in_the_order_of_the_record() {
        let model = ScriptedModel::new((0..400).map(|n| n.to_string()));
        let ask = |who| (0..100).map(|n| ask(&model, format!("{who}/{n}"))).collect::<Vec<_>>();
        let given = thread::scope(|scope| {
            let threads = [0, 1, 2, 3].map(|who| scope.spawn(move || ask(who)));
            threads.map(|thread| thread.join().unwrap()).concat()
        });
        let recorded = model.requests();
        for (answer, prompt) in given {
            assert_eq!(recorded[answer].prompt(), prompt);
        }
        assert_eq!(recorded.len(), 400);
    }

    fn ask(model: &ScriptedModel, prompt: String) -> (usize, String) {
        let reply = model.answer(&ModelRequest::new(prompt.as_str())).unwrap();
        (reply.text.parse().unwrap(), prompt)
    }

    async fn text(model: &dyn LanguageModel, prompt: &str) -> String {
        model.reply(&ModelRequest::new(prompt)).await.unwrap().text
    }
}
