//! Token prices, and a wrapper that sets the cost of replies.

use cot_model::{
    BoxFuture, DeltaSink, LanguageModel, ModelError, ModelReply, ModelRequest, Usage,
    internal::{normalize_cost, write_cost},
};
use serde::{Deserialize, Serialize, Serializer};

/// Token prices of a model, in any currency. Prices and budgets use the same one.
///
/// A negative price or one that is not a number counts as 0, and an infinite one as the largest number: JSON
/// can't hold such values, and a stored run with them could not be read.
///
/// ```
/// use cot_core::{Usage, model::Price};
///
/// const SMALL: Price = Price::per_million(0.25, 2.0);
/// assert_eq!(SMALL.cost_of(&Usage::for_call(2_000_000, 500_000)), 1.5);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Price {
    /// The price of a million input tokens.
    #[serde(serialize_with = "write_cost")]
    pub input_per_million: f64,
    /// The price of a million output tokens, including thoughts.
    #[serde(serialize_with = "write_cost")]
    pub output_per_million: f64,
    /// The price of a million input tokens that are read from the prompt cache. `None` means that of other
    /// input tokens.
    #[serde(default, skip_serializing_if = "Option::is_none", serialize_with = "write_price")]
    pub cached_per_million: Option<f64>,
    /// The price of a million input tokens that are written to the prompt cache. `None` means that of other
    /// input tokens.
    #[serde(default, skip_serializing_if = "Option::is_none", serialize_with = "write_price")]
    pub cache_write_per_million: Option<f64>,
}

impl Price {
    /// Creates prices for a million input tokens and a million output tokens.
    #[must_use]
    pub const fn per_million(input: f64, output: f64) -> Self {
        Self {
            input_per_million: normalize_cost(input),
            output_per_million: normalize_cost(output),
            cached_per_million: None,
            cache_write_per_million: None,
        }
    }

    /// Sets the prices of a million input tokens that are read from the prompt cache, and of a million that are
    /// written to it.
    ///
    /// ```
    /// use cot_core::{Usage, model::Price};
    ///
    /// const PRICE: Price = Price::per_million(3.0, 15.0).cache_per_million(0.3, 3.75);
    /// let usage = Usage::for_call(2_000_000, 0).cached(1_000_000, 500_000);
    /// assert_eq!(PRICE.cost_of(&usage), 0.3 + 0.5 * 3.75 + 0.5 * 3.0);
    /// ```
    #[must_use]
    pub const fn cache_per_million(mut self, read: f64, written: f64) -> Self {
        self.cached_per_million = Some(normalize_cost(read));
        self.cache_write_per_million = Some(normalize_cost(written));
        self
    }

    /// Returns the cost of the tokens of a usage at these prices. The cost within the usage is ignored.
    #[must_use]
    pub const fn cost_of(&self, usage: &Usage) -> f64 {
        let cached = usage.cached_tokens;
        let written = usage.cache_write_tokens;
        // The usage of another implementation may count more cached tokens than tokens.
        let other = usage.input_tokens.saturating_sub(cached).saturating_sub(written);
        let cost = tokens_cost(other, self.input_per_million)
            + tokens_cost(cached, or(self.cached_per_million, self.input_per_million))
            + tokens_cost(written, or(self.cache_write_per_million, self.input_per_million))
            + tokens_cost(usage.output_tokens, self.output_per_million);
        normalize_cost(cost)
    }
}

const fn tokens_cost(tokens: u64, per_million: f64) -> f64 {
    tokens as f64 * normalize_cost(per_million) / 1_000_000.0
}

const fn or(price: Option<f64>, default: f64) -> f64 {
    match price {
        Some(price) => price,
        None => default,
    }
}

fn write_price<S: Serializer>(price: &Option<f64>, serializer: S) -> Result<S::Ok, S::Error> {
    price.map(normalize_cost).serialize(serializer)
}

/// A model whose replies have a cost. Made by [`ModelExt::priced`](crate::ModelExt::priced).
#[derive(Debug, Clone)]
pub struct PricedModel<M> {
    model: M,
    price: Price,
}

impl<M> PricedModel<M> {
    pub(super) const fn new(model: M, price: Price) -> Self {
        Self { model, price }
    }

    fn priced(&self, result: Result<ModelReply, ModelError>) -> Result<ModelReply, ModelError> {
        match result {
            Ok(reply) => Ok(ModelReply { usage: self.with_cost(reply.usage), ..reply }),
            Err(error) => {
                let usage = error.usage().map(|usage| self.with_cost(usage));
                Err(error.with_usage(usage))
            }
        }
    }

    // A cost that the model reports itself takes precedence.
    fn with_cost(&self, usage: Usage) -> Usage {
        if usage.cost == 0.0 { usage.cost(self.price.cost_of(&usage)) } else { usage }
    }
}

impl<M: LanguageModel> LanguageModel for PricedModel<M> {
    fn reply<'a>(
        &'a self,
        request: &'a ModelRequest,
    ) -> BoxFuture<'a, Result<ModelReply, ModelError>> {
        Box::pin(async move { self.priced(self.model.reply(request).await) })
    }

    fn stream<'a>(
        &'a self,
        request: &'a ModelRequest,
        sink: &'a DeltaSink,
    ) -> BoxFuture<'a, Result<ModelReply, ModelError>> {
        Box::pin(async move { self.priced(self.model.stream(request, sink).await) })
    }

    fn inner(&self) -> Option<&dyn LanguageModel> {
        Some(&self.model)
    }
}

#[cfg(test)]
mod tests {
    use cot_model::{ModelErrorKind, ScriptedModel};

    use super::*;
    use crate::model::{ext::ModelExt, record::recording_sink};

    const PRICE: Price = Price::per_million(2.0, 8.0);

    #[test]
    fn a_price_that_is_none_counts_as_nothing_and_survives_json() {
        let usage = Usage::for_call(1_000_000, 1_000_000);
        let odd = |odd| Price { input_per_million: odd, ..PRICE };
        for none in [f64::NAN, f64::NEG_INFINITY, -2.0] {
            assert_eq!(odd(none).cost_of(&usage), 8.0);
            assert_eq!(Price::per_million(none, 8.0), odd(0.0));
        }
        assert_eq!(odd(f64::INFINITY).cost_of(&usage), f64::MAX);
        for (price, back) in [(f64::NAN, 0.0), (-1.0, 0.0), (f64::INFINITY, f64::MAX)] {
            let json = serde_json::to_string(&odd(price)).unwrap();
            assert_eq!(serde_json::from_str::<Price>(&json).unwrap(), odd(back), "{json}");
        }
    }

    #[test]
    fn cached_tokens_have_prices_of_their_own() {
        let usage = Usage::for_call(1_000_000, 0).cached(400_000, 100_000);
        assert_eq!(PRICE.cost_of(&usage), 2.0);
        let price = PRICE.cache_per_million(0.5, 4.0);
        assert_eq!(price.cost_of(&usage), 0.2 + 0.4 + 1.0);
        assert_eq!(PRICE.cache_per_million(f64::NAN, -1.0).cost_of(&usage), 1.0);
        // A usage that counts more cached tokens than tokens is not refunded.
        let odd = Usage { cached_tokens: 9_000_000, ..Usage::for_call(1_000_000, 0) };
        assert_eq!(price.cost_of(&odd), 4.5);
        let json = serde_json::to_string(&price).unwrap();
        assert_eq!(serde_json::from_str::<Price>(&json).unwrap(), price);
        assert!(!serde_json::to_string(&PRICE).unwrap().contains("cache"));
    }

    #[tokio::test]
    async fn replies_get_a_cost_unless_they_have_one() {
        let call = Usage::for_call(500_000, 250_000);
        let answers = [call, call.cost(0.5), Usage::for_call(0, 0)];
        let replies = answers.map(|usage| ModelReply::new("fine").usage(usage));
        let model = ScriptedModel::new(replies).priced(PRICE);
        for expected in [3.0, 0.5, 0.0] {
            let reply = model.reply(&ModelRequest::new("")).await.unwrap();
            assert_eq!((reply.usage.cost, reply.text.as_str()), (expected, "fine"));
        }
        let error = model.reply(&ModelRequest::new("")).await.unwrap_err();
        assert_eq!(error.kind(), &ModelErrorKind::ScriptEnded);
    }

    #[tokio::test]
    async fn streamed_replies_get_a_cost_too() {
        let reply = ModelReply::new("fine").usage(Usage::for_call(1_000_000, 0));
        let model = ScriptedModel::new([reply]).streaming(3).priced(PRICE);
        let (sink, record) = recording_sink();
        let reply = model.stream(&ModelRequest::new(""), &sink).await.unwrap();
        assert_eq!(reply.usage.cost, 2.0);
        assert_eq!(*record.lock().unwrap(), ["fin", "e"]);
    }
}
