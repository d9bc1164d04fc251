//! Scorers.

use std::{
    future::{Future, ready},
    panic::{AssertUnwindSafe, catch_unwind},
};

use cot_engine::Process;
use cot_model::{BoxFuture, internal::panic_message};
use futures_util::FutureExt as _;

use super::trial::Trial;
use crate::score::Score;

type ScoreFunction<P, E> = dyn Fn(&Trial<'_, P, E>) -> BoxFuture<'static, Score> + Send + Sync;

/// A named function that scores trials.
pub(super) struct Scorer<P: Process, E> {
    pub(super) name: String,
    /// The least value with which a trial passes.
    pub(super) least: f64,
    score: Box<ScoreFunction<P, E>>,
}

impl<P: Process, E> Scorer<P, E> {
    pub(super) fn new<S: Into<Score>>(
        name: String,
        least: f64,
        score: impl Fn(&Trial<'_, P, E>) -> S + Send + Sync + 'static,
    ) -> Self {
        Self { name, least, score: Box::new(move |trial| Box::pin(ready(score(trial).into()))) }
    }

    pub(super) fn judge<F>(
        name: String,
        least: f64,
        judge: impl Fn(&Trial<'_, P, E>) -> F + Send + Sync + 'static,
    ) -> Self
    where
        F: Future<Output: Into<Score>> + Send + 'static,
    {
        Self { name, least, score: Box::new(move |trial| Box::pin(judge(trial).map(Into::into))) }
    }

    /// Starts to score a trial. A panic is a score, too.
    pub(super) fn start(
        &self,
        trial: &Trial<'_, P, E>,
    ) -> impl Future<Output = Score> + Send + use<P, E> {
        // What a scorer changes besides its score is its own.
        let started = catch_unwind(AssertUnwindSafe(|| (self.score)(trial)));
        async {
            let scored = match started {
                Ok(score) => AssertUnwindSafe(score).catch_unwind().await,
                Err(panic) => Err(panic),
            };
            scored.unwrap_or_else(|panic| {
                let message = panic_message(&*panic).unwrap_or("without a message");
                Score::fail(format!("the scorer panicked: {message}"))
            })
        }
    }
}
