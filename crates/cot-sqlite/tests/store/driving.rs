//! Whole runs of a process in a database.

use std::sync::{
    Arc, Mutex,
    atomic::{AtomicUsize, Ordering},
};

use cot_core::{
    LanguageModel, Usage,
    model::{BoxFuture, ModelError, ModelExt, ModelReply, ModelRequest, Price},
    prelude::*,
    store::{RunHistory, Store},
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use tokio::sync::Notify;

use crate::kit::{Place, id};

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
pub(crate) struct Count {
    number: usize,
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Tally {
    pub(crate) counted: Vec<usize>,
}

cot_process! {
    pub(crate) process Counter {
        state: Tally,
        max_retries: 1,

        task count -> Count {
            prompt: "After ${state.counted.len()}?",
            update: { counted[] = output.number },
            next: { count if state.counted.len() < 4, done },
        }

        task done { end }
    }
}

/// A model with constant usage that stops replying after a number of calls.
#[derive(Clone)]
struct Counting {
    usage: Usage,
    most: usize,
    calls: Arc<AtomicUsize>,
    stuck: Arc<Notify>,
}

impl Counting {
    fn new(usage: Usage, most: usize) -> Self {
        Self { usage, most, calls: Arc::default(), stuck: Arc::default() }
    }
}

impl LanguageModel for Counting {
    fn reply<'a>(
        &'a self,
        request: &'a ModelRequest,
    ) -> BoxFuture<'a, Result<ModelReply, ModelError>> {
        Box::pin(async move {
            if self.calls.fetch_add(1, Ordering::SeqCst) == self.most {
                self.stuck.notify_one();
                std::future::pending::<()>().await;
            }
            // A failed attempt costs too.
            let prompt = request.prompt();
            let is_refused = prompt.contains("After 1?") && !prompt.contains("is required");
            let reply = if is_refused { json!({}) } else { json!({ "number": 1 }) };
            Ok(ModelReply::from(reply).usage(self.usage))
        })
    }
}

/// The cost of a call as observers receive it.
fn cost(event: &ProcessEvent<Counter>) -> Option<f64> {
    match event {
        RunEvent::AttemptFailed { attempt, .. } => Some(attempt.usage.cost),
        RunEvent::Committed { usage, .. } => Some(usage.cost),
        _ => None,
    }
}

/// Every reply has a cost that no budget can count.
async fn with_odd_costs(usage: Usage, price: Option<Price>) {
    let place = Place::new();
    let (first, second) = (place.open(), place.open());
    let costs = Arc::<Mutex<Vec<f64>>>::default();
    let runner = |model: Counting| {
        let heard = Arc::clone(&costs);
        let runner = match price {
            Some(price) => Counter::runner().model(model.priced(price)),
            None => Counter::runner().model(model),
        };
        runner.observe(move |event, _| heard.lock().unwrap().extend(cost(event)))
    };
    let uncut = runner(Counting::new(usage, usize::MAX)).run(Tally::default()).await.unwrap();

    for calls in [2, 4] {
        let name = format!("run-{calls}");
        let model = Counting::new(usage, calls);
        let stuck = Arc::clone(&model.stuck);
        let run = runner(model).store(first.clone()).run_id(&name).run(Tally::default());
        tokio::select! {
            run = run => panic!("{:?}", run.unwrap().outcome),
            () = stuck.notified() => {}
        }
        // The lease is released in the background; the next task comes after that.
        drop(first.acquire(&id("another")).await.unwrap());
        let model = Counting::new(usage, usize::MAX);
        let asked = Arc::clone(&model.calls);
        let run = runner(model).store(second.clone()).resume(&name).unwrap().await.unwrap();
        assert_eq!((run.outcome, run.state), (uncut.outcome.clone(), uncut.state.clone()));
        assert_eq!(run.usage, uncut.usage, "{usage:?} {price:?}");
        assert_eq!(asked.load(Ordering::SeqCst), 5 - calls, "what was paid for is there");
        let history = RunHistory::load(&second, &id(&name)).await.unwrap().unwrap();
        assert_eq!(history.summary.usage, uncut.usage);
        let told = history.steps.iter().map(|step| step.usage());
        assert_eq!(told.fold(Usage::default(), |a, b| a + b), uncut.usage);
    }
    let costs = costs.lock().unwrap();
    assert!(costs.iter().all(|cost| (0.0..=f64::MAX).contains(cost)), "{costs:?}");
}

#[tokio::test]
async fn no_cost_keeps_a_run_from_being_read() {
    for cost in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, -1.0, f64::MAX, 1e-320] {
        with_odd_costs(Usage { cost, ..Usage::for_call(10, 2) }, None).await;
        let [one, other] = [
            Price { input_per_million: cost, ..Price::per_million(0.0, 1.0) },
            Price::per_million(0.5, cost),
        ];
        for price in [one, other] {
            with_odd_costs(Usage::for_call(1 << 50, 3), Some(price)).await;
        }
    }
}
