//! What any model can be given.

use cot_model::LanguageModel;

use crate::model::{
    limited::Limited,
    priced::{Price, Priced},
};

/// What any model can be given on the way to a runner.
///
/// ```
/// use cot_core::model::{ModelExt, Price, ScriptedModel};
///
/// let model = ScriptedModel::new(["yes"]).limited(8).priced(Price::per_million(0.25, 2.0));
/// # let _ = model;
/// ```
pub trait ModelExt: LanguageModel + Sized {
    /// Fills in what each reply cost, where the model leaves that at 0. Budgets count it.
    fn priced(self, price: Price) -> Priced<Self> {
        Priced::new(self, price)
    }

    /// Makes no more than so many calls at once, of all runs together; further ones wait, the
    /// first come first. 0 counts as 1, as nothing would ever be answered.
    ///
    /// A call keeps its turn until it is answered or dropped, the pauses between its retries
    /// included. The time that it waits counts towards the time-out of its task.
    fn limited(self, calls: usize) -> Limited<Self> {
        Limited::new(self, calls)
    }
}

impl<M: LanguageModel> ModelExt for M {}
