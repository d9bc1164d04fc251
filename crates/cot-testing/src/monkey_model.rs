//! A model that answers at random.

use std::sync::{Mutex, MutexGuard, PoisonError};

use cot_engine::TaskId;
use cot_model::{BoxFuture, LanguageModel, ModelError, ModelReply, ModelRequest};

use crate::{mixture::Mixture, replies::Replies};

/// A model that answers at random, at once, and without a network: mostly with what the schema of the
/// request asks for, now and then with what no program expects.
///
/// The same seed gives the same answers to the same calls in the same order. Where several runs share
/// one model, their calls come in an order that may differ from time to time; give each run a model of
/// its own to make a failure reproduce.
///
/// ```
/// use cot_core::{
///     model::{LanguageModel, ModelRequest},
///     testing::{Mixture, MonkeyModel, ReplyKind},
/// };
///
/// # async fn ask() -> Result<(), cot_core::model::ModelError> {
/// let model = MonkeyModel::seeded(7).mixture(Mixture::default().with(ReplyKind::Refused, 1));
/// println!("{}", model.reply(&ModelRequest::new("Hello")).await?.text);
/// # Ok(())
/// # }
/// # let _ = ask();
/// ```
#[derive(Debug)]
pub struct MonkeyModel {
    seed: u64,
    mixture: Mixture,
    replies: Mutex<Replies>,
}

impl MonkeyModel {
    /// A model that draws its answers from a seed, by the default [`Mixture`].
    #[must_use]
    pub fn seeded(seed: u64) -> Self {
        Self { seed, mixture: Mixture::default(), replies: Mutex::new(Replies::seeded(seed)) }
    }

    /// How often each kind of reply comes.
    #[must_use]
    pub const fn mixture(mut self, mixture: Mixture) -> Self {
        self.mixture = mixture;
        self
    }

    /// The tasks of the process, as [`Replies::naming`] takes them.
    #[must_use]
    pub fn naming<T: TaskId>(self, tasks: &[T]) -> Self {
        let replies = self.replies.into_inner().unwrap_or_else(PoisonError::into_inner);
        Self { replies: Mutex::new(replies.naming(tasks)), ..self }
    }

    /// The same model with another seed, which knows already the schemas that this one was asked for.
    #[must_use]
    pub fn reseeded(&self, seed: u64) -> Self {
        let mut replies = self.replies().clone();
        replies.reseed(seed);
        Self { seed, mixture: self.mixture, replies: Mutex::new(replies) }
    }

    /// The seed, to say it when a test fails.
    #[must_use]
    pub const fn seed(&self) -> u64 {
        self.seed
    }

    fn replies(&self) -> MutexGuard<'_, Replies> {
        self.replies.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl LanguageModel for MonkeyModel {
    fn reply<'a>(
        &'a self,
        request: &'a ModelRequest,
    ) -> BoxFuture<'a, Result<ModelReply, ModelError>> {
        Box::pin(async move { self.replies().answer(&self.mixture, request) })
    }
}
