//! One run of a process on a text.

use std::{
    error::Error,
    sync::{Arc, Mutex, PoisonError},
};

use cot_core::{
    Attempt, CotOutput, Failure, LanguageModel, Process, RunEvent, Runner, Usage, model::BoxFuture,
};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::Value;

use crate::kinds::Question;

pub(crate) type BenchError = Box<dyn Error + Send + Sync>;

/// What a run left behind.
pub(crate) struct Asked {
    /// The value that was read; `None` if every reply was rejected.
    pub(crate) value: Option<Value>,
    /// The attempts whose replies were rejected.
    pub(crate) failed: Vec<Attempt>,
    pub(crate) usage: Usage,
}

type AskedFuture = BoxFuture<'static, Result<Asked, BenchError>>;

/// The process of a kind, without its types.
#[derive(Clone, Copy)]
pub(crate) struct Asker {
    run: fn(Arc<dyn LanguageModel>, String) -> AskedFuture,
    typed: fn(&Value) -> serde_json::Result<Value>,
}

impl Asker {
    pub(crate) fn new<P, T>() -> Self
    where
        P: Process<State = Question<T>, Context = ()>,
        T: CotOutput + Serialize + DeserializeOwned + 'static,
    {
        Self {
            run: |model, text| Box::pin(run::<P, T>(model, text)),
            typed: |value| serde_json::to_value(T::deserialize(value)?),
        }
    }

    /// Runs the process on a text.
    ///
    /// # Errors
    ///
    /// If the run ended for another reason than replies of the model.
    pub(crate) async fn ask(
        self,
        model: Arc<dyn LanguageModel>,
        text: String,
    ) -> Result<Asked, BenchError> {
        (self.run)(model, text).await
    }

    /// Writes a value as the type of the output has it, so that equal values are equal as JSON.
    ///
    /// # Errors
    ///
    /// If it is no value of the type.
    pub(crate) fn typed(self, value: &Value) -> serde_json::Result<Value> {
        (self.typed)(value)
    }
}

async fn run<P, T>(model: Arc<dyn LanguageModel>, text: String) -> Result<Asked, BenchError>
where
    P: Process<State = Question<T>, Context = ()>,
    T: Serialize,
{
    let failed = Arc::new(Mutex::new(Vec::new()));
    let seen = Arc::clone(&failed);
    let runner = Runner::<P>::new().model(model).observe(move |event, _| {
        if let RunEvent::AttemptFailed { attempt, .. } = event {
            seen.lock().unwrap_or_else(PoisonError::into_inner).push(attempt.clone());
        }
    });
    let report = runner.report(Question { text, answer: None }).await?;
    let failed = std::mem::take(&mut *failed.lock().unwrap_or_else(PoisonError::into_inner));
    let why = report.why();
    if let Some(why) = why.filter(|_| !failed.last().is_some_and(is_of_the_model)) {
        return Err(why.into());
    }
    let value = report.state.answer.as_ref().map(serde_json::to_value).transpose()?;
    Ok(Asked { value, failed, usage: report.usage })
}

/// Whether an attempt failed because of what the model wrote.
fn is_of_the_model(attempt: &Attempt) -> bool {
    matches!(attempt.failure, Failure::Rejected | Failure::Truncated | Failure::Refused)
}
