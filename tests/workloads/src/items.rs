//! A function for each of many items, and the same work by hand.

use std::time::Duration;

use cot_core::{Runner, prelude::*};
use futures_util::{StreamExt, TryStreamExt, stream};
use serde::{Deserialize, Serialize};
use tokio::time::sleep;

/// The number of items.
pub const ITEMS: u64 = 10_000;
/// The number of items at once.
pub const AT_ONCE: usize = 1000;

/// The items, and their prices.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Catalogue {
    items: Vec<u64>,
    /// The prices, in the order of the items.
    pub prices: Vec<Price>,
}

/// The price of an item.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Price {
    item: u64,
    cents: u64,
    currency: String,
}

impl Catalogue {
    /// Creates a catalogue without prices.
    #[must_use]
    pub fn new() -> Self {
        Self { items: (0..ITEMS).collect(), prices: Vec::new() }
    }
}

/// Waits for 5 to 15 milliseconds, as for a server that is near.
async fn fetch(item: u64) -> Result<Price, std::fmt::Error> {
    sleep(Duration::from_micros(5000 + item * 7919 % 10_000)).await;
    Ok(Price { item, cents: item * 3, currency: "EUR".to_owned() })
}

async fn fetch_price(_: &Catalogue, item: &u64) -> Result<Price, std::fmt::Error> {
    fetch(*item).await
}

cot_process! {
    /// Fetches the price of each item.
    pub process Prices {
        state: Catalogue,

        task fetch -> Price {
            for_each: item in state.items,
            run: fetch_price,
            max_concurrency: 1000,
            update: { prices = output },
            next: done,
        }

        task done { end }
    }
}

/// Fetches the prices with a stream.
pub async fn by_hand(catalogue: Catalogue) -> Catalogue {
    let items = stream::iter(catalogue.items.clone());
    let prices = items.map(fetch).buffered(AT_ONCE).try_collect().await;
    Catalogue { prices: prices.expect("no item fails"), ..catalogue }
}

/// Fetches the prices with a run.
pub async fn on_runner(runner: &Runner<Prices>, catalogue: Catalogue) -> Catalogue {
    runner.run(catalogue).await.expect("the process has no engines and no store").state
}
