//! The extension trait of models.

use cot_model::LanguageModel;

use crate::model::{
    limited::LimitedModel,
    priced::{Price, PricedModel},
    rate_limited::{RateLimit, RateLimitedModel},
};

/// Wraps any model with prices and limits.
///
/// ```
/// use cot_core::model::{ModelExt, Price, ScriptedModel};
///
/// let model = ScriptedModel::new(["yes"]).limited(8).priced(Price::per_million(0.25, 2.0));
/// # let _ = model;
/// ```
pub trait ModelExt: LanguageModel + Sized {
    /// Sets the cost of each reply, if the model leaves it at 0. Budgets count it.
    fn priced(self, price: Price) -> PricedModel<Self> {
        PricedModel::new(self, price)
    }

    /// Limits the number of concurrent calls of all runs together. Further calls wait in a queue, first in,
    /// first out. 0 counts as 1.
    ///
    /// A call keeps its permit until it is answered or dropped, including the pauses between its retries.
    /// The time in the queue counts towards the time limit of its task.
    fn limited(self, calls: usize) -> LimitedModel<Self> {
        LimitedModel::new(self, calls)
    }

    /// Limits the requests and tokens of all runs together by the minute. Further calls wait in order, and each
    /// run emits [`RateLimited`](cot_engine::RunEvent::RateLimited) for its own.
    ///
    /// The time that a call waits counts towards the time limit of its task.
    fn rate_limited(self, limit: RateLimit) -> RateLimitedModel<Self> {
        RateLimitedModel::new(self, limit)
    }
}

impl<M: LanguageModel> ModelExt for M {}
