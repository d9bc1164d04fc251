//! For-each tasks over functions.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex},
    time::Duration,
};

use cot_core::{Cx, FunctionError, HaltReason, RunEvent, prelude::*};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tokio::time::{Instant, sleep};

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
struct Prices {
    items: Vec<String>,
    prices: Vec<u64>,
    log: Vec<String>,
}

impl Prices {
    fn new(items: &[&str]) -> Self {
        Self { items: items.iter().map(|item| (*item).to_owned()).collect(), ..Self::default() }
    }
}

/// What the functions did.
#[derive(Debug, Default)]
struct Shop {
    keys: Mutex<Vec<String>>,
    attempts: Mutex<BTreeMap<String, u32>>,
    now: Mutex<(usize, usize)>,
}

impl Shop {
    fn keys(&self) -> Vec<String> {
        let mut keys = self.keys.lock().unwrap().clone();
        keys.sort();
        keys
    }
}

/// Takes as many milliseconds as the item says before a colon, and fails as often as it says after it.
async fn price(_: &Prices, item: &str, cx: &Cx<'_, Market>) -> Result<u64, FunctionError> {
    let shop = cx.app();
    shop.keys.lock().unwrap().push(cx.call_key());
    {
        let mut now = shop.now.lock().unwrap();
        now.0 += 1;
        now.1 = now.1.max(now.0);
    }
    let (time, failures) = item.split_once(':').unwrap_or((item, "0"));
    let (time, failures): (u64, u32) = (time.parse().unwrap(), failures.parse().unwrap());
    sleep(Duration::from_millis(time)).await;
    shop.now.lock().unwrap().0 -= 1;
    let mut attempts = shop.attempts.lock().unwrap();
    let attempt = attempts.entry(item.to_owned()).or_default();
    *attempt += 1;
    assert_eq!(*attempt, cx.attempt());
    if *attempt <= failures { Err(FunctionError::new("sold out")) } else { Ok(time * 10) }
}

cot_process! {
    process Market {
        state: Prices,
        context: Shop,

        task price -> u64 {
            for_each: item in state.items,
            run: price,
            retry: { max: 2, backoff: 10ms..10ms },
            max_concurrency: 3,
            update: { prices = output, log[] = format!("{} prices", output.len()) },
            next: done,
        }

        task done { end }
    }
}

#[tokio::test(start_paused = true)]
async fn outputs_are_in_the_order_of_the_items_and_so_many_run_at_once() {
    let shop = Arc::new(Shop::default());
    let items = ["9", "1", "5", "2", "8", "3"];
    let run = Market::runner(Arc::clone(&shop)).run(Prices::new(&items)).await.unwrap();
    assert_eq!(run.outcome, MarketOutcome::Done);
    assert_eq!(run.state.prices, [90, 10, 50, 20, 80, 30]);
    assert_eq!(run.state.log, ["6 prices"]);
    assert_eq!(shop.now.lock().unwrap().1, 3);
    let keys: Vec<String> = (0..6).map(|n| format!("{}/price#1[{n}]", run.run_id)).collect();
    assert_eq!(shop.keys(), keys);
    assert_eq!(run.usage.calls, 0);
}

#[tokio::test(start_paused = true)]
async fn an_item_that_fails_is_retried_alone_with_the_same_key() {
    let shop = Arc::new(Shop::default());
    let began = Instant::now();
    let run =
        Market::runner(Arc::clone(&shop)).run(Prices::new(&["1", "1:2", "40"])).await.unwrap();
    assert_eq!(run.state.prices, [10, 10, 400]);
    assert!(began.elapsed() < Duration::from_millis(50), "the pauses pass beside other items");
    let id = run.run_id;
    let keys = [0, 1, 1, 1, 2].map(|item| format!("{id}/price#1[{item}]"));
    assert_eq!(shop.keys(), keys);
}

#[tokio::test(start_paused = true)]
async fn an_item_without_retries_left_fails_the_task_and_drops_the_others() {
    let shop = Arc::new(Shop::default());
    let items = ["1", "2:9", "500000"];
    let run = Market::runner(Arc::clone(&shop)).report(Prices::new(&items)).await.unwrap();
    let MarketOutcome::Halted(halt) = &run.outcome else { panic!("{:?}", run.outcome) };
    let HaltReason::ItemFailed(failed) = &halt.reason else { panic!("{halt}") };
    assert_eq!((failed.item, failed.total, &*failed.done), (1, 3, &[0][..]));
    assert!(
        matches!(&failed.reason, HaltReason::CodeFailed(error) if error.message() == "sold out")
    );
    assert_eq!(
        halt.attempts.iter().map(|it| (it.item, it.number)).collect::<Vec<_>>(),
        [(Some(1), 1), (Some(1), 2), (Some(1), 3)]
    );
    assert!(run.state.prices.is_empty());
    assert_eq!(Arc::strong_count(&shop), 1, "the third function is dropped");
}

#[tokio::test]
async fn without_items_there_is_nothing_to_do() {
    let run = Market::runner(Shop::default()).run(Prices::default()).await.unwrap();
    assert_eq!((run.outcome, run.state.log), (MarketOutcome::Done, vec!["0 prices".to_owned()]));
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, CotOutput)]
struct Rate {
    factor: u64,
}

async fn multiply(prices: &Prices, rate: &Rate, price: u64) -> Result<u64, std::fmt::Error> {
    Ok(price * rate.factor + prices.items.len() as u64)
}

fn tenfold(_: &Prices, rate: &Rate, price: u64) -> u64 {
    price * 10 * rate.factor
}

cot_process! {
    process Convert {
        state: Prices,
        default_return: done,

        task start { next: { convert with Rate { factor: 3 } } }

        task convert -> u64 {
            inputs: Rate,
            for_each: price in state.prices.iter().map(|price| price + 1),
            run: multiply,
            mock: tenfold,
            update: { prices = output },
        }

        task done { end }
    }
}

#[tokio::test]
async fn functions_receive_the_inputs_and_items_of_any_list() {
    let state = Prices { prices: vec![1, 2], ..Prices::new(&["x"]) };
    let run = Convert::runner().run(state.clone()).await.unwrap();
    assert_eq!(run.state.prices, [7, 10]);
    let run = Convert::runner().mock_mode(true).run(state.clone()).await.unwrap();
    assert_eq!(run.state.prices, [60, 90]);
}

async fn slow(_: &Prices, item: &str) -> Result<u64, std::num::ParseIntError> {
    let time = item.parse()?;
    sleep(Duration::from_millis(time)).await;
    Ok(time)
}

cot_process! {
    process Slow {
        state: Prices,

        task each -> u64 {
            for_each: item in state.items,
            run: slow,
            timeout: 1s,
            max_concurrency: 1,
            update: { prices = output },
            on: { timeout => late, exhausted => wrong },
            next: done,
        }

        task late { fail: "late" }
        task wrong { fail: "wrong" }
        task done { end }
    }
}

#[tokio::test(start_paused = true)]
async fn the_time_limit_is_that_of_each_item_and_failures_take_their_routes() {
    let run =
        async |items: &[&str]| Slow::runner().report(Prices::new(items)).await.unwrap().outcome;
    assert_eq!(run(&["900", "800", "900"]).await, SlowOutcome::Done);
    assert_eq!(run(&["900", "1100"]).await, SlowOutcome::Late("late".to_owned()));
    assert_eq!(run(&["900", "x"]).await, SlowOutcome::Wrong("wrong".to_owned()));
}

#[tokio::test(start_paused = true)]
async fn the_time_of_the_run_is_that_of_the_slowest_lane() {
    let shop = Shop::default();
    let prices = Prices::new(&["100", "101", "102", "150"]);
    let mut run = Market::runner(shop).start(prices).unwrap();
    let mut times = Vec::new();
    while let Some(event) = run.next().await {
        if let RunEvent::Finished { elapsed, .. } = event {
            times.push(elapsed.as_millis());
        }
    }
    assert!(matches!(times[..], [250..260]), "{times:?}");
}
