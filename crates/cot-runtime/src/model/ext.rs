//! The extension trait of models.

use cot_model::LanguageModel;

use crate::model::{
    limited::LimitedModel,
    priced::{Price, PricedModel},
};

/// Wraps any model with prices and a limit of concurrent calls.
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
}

impl<M: LanguageModel> ModelExt for M {}
