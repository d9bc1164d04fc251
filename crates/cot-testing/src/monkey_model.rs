//! A model with random replies.

use std::sync::{Mutex, MutexGuard, PoisonError};

use cot_engine::TaskId;
use cot_model::{AcceptedMedia, BoxFuture, LanguageModel, ModelError, ModelReply, ModelRequest};

use crate::{mixture::Mixture, replies::Replies};

/// A language model with random replies, without network or delay. Most replies match the schema of the
/// request; some are invalid or hostile.
///
/// The same seed and sequence of calls produce the same replies. If several concurrent runs share a model,
/// the order of their calls can vary; to reproduce a failure, give each run its own model.
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
    /// Creates a model with this seed and the default [`Mixture`].
    #[must_use]
    pub fn seeded(seed: u64) -> Self {
        Self { seed, mixture: Mixture::default(), replies: Mutex::new(Replies::seeded(seed)) }
    }

    /// Sets the share of each kind of reply.
    #[must_use]
    pub const fn mixture(mut self, mixture: Mixture) -> Self {
        self.mixture = mixture;
        self
    }

    /// Sets the tasks of the process, as in [`Replies::naming`].
    #[must_use]
    pub fn naming<T: TaskId>(self, tasks: &[T]) -> Self {
        let replies = self.replies.into_inner().unwrap_or_else(PoisonError::into_inner);
        Self { replies: Mutex::new(replies.naming(tasks)), ..self }
    }

    /// Creates a model with another seed that reuses the compiled schemas.
    #[must_use]
    pub fn reseeded(&self, seed: u64) -> Self {
        let mut replies = self.replies().clone();
        replies.reseed(seed);
        Self { seed, mixture: self.mixture, replies: Mutex::new(replies) }
    }

    /// Returns the seed, to be printed when a test fails.
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

    fn calls_tools(&self) -> bool {
        true
    }

    fn accepted_media(&self) -> AcceptedMedia {
        AcceptedMedia::ALL
    }
}
