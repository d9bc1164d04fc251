//! A service that takes orders over HTTP: runs are kept in a store, worked on by this program, and answered by
//! people through the same service. It calls itself once, as its clients would, and ends.
//!
//! ```sh
//! cargo run --example service
//! ```

use std::{
    collections::HashMap,
    error::Error,
    fmt,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use axum::{
    Json, Router,
    extract::{Path, State},
    http::StatusCode,
    routing::{get, post},
};
use cot_core::{
    model::ScriptedModel,
    prelude::*,
    store::{RunId, Status, Store, StoreError},
};
use cot_examples::say;
use cot_sqlite::SqliteStore;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tokio::{net::TcpListener, time::sleep};

/// A client of what the functions of a process use: a pool, a provider, a configuration. Cheap to clone.
#[derive(Clone, Default)]
pub struct Payments(Option<Arc<Mutex<HashMap<String, u64>>>>);

impl Payments {
    /// Charges an amount once for each key, however often it is asked to.
    fn charge(&self, key: &str, amount: u64) -> Result<u64, NotConnected> {
        let paid = self.0.as_ref().ok_or(NotConnected)?;
        let mut paid = paid.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(*paid.entry(key.to_owned()).or_insert(amount))
    }
}

/// A handle that nobody put into the state.
#[derive(Debug)]
pub struct NotConnected;

impl fmt::Display for NotConnected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the payment provider is not connected")
    }
}

impl Error for NotConnected {}

/// What was read in an order.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
pub struct Price {
    /// What it costs, in cents.
    pub cents: u64,
}

/// What a person decides.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
pub struct Decision {
    /// Whether it may be charged.
    pub approved: bool,
}

/// An order.
#[derive(Clone, Default, Serialize, Deserialize)]
pub struct Order {
    /// The name of the run, too.
    pub id: String,
    /// What is wanted.
    pub text: String,
    /// What it costs.
    pub cents: u64,
    /// What was charged.
    pub paid: u64,
    /// Not in the store: it is put back into each run that goes on.
    #[serde(skip)]
    pub payments: Payments,
}

cot_process! {
    /// Takes an order, has it approved, and charges it.
    pub process Orders {
        state: Order,
        max_steps: 20,

        task read -> Price {
            prompt: "What does this cost?\n${quoted(&state.text)}",
            update: { cents = output.cents },
            next: approve,
        }

        task approve -> Decision {
            ask: "May ${state.cents} cents be charged for order ${state.id}?",
            next: { charge if output.approved, refused },
        }

        task charge -> u64 {
            run: charge,
            timeout: 10s,
            retry: { max: 4, backoff: 100ms..5s, timeouts },
            update: { paid = output },
            on: { exhausted => unpaid },
            next: done,
        }

        task done { end }
        task refused { end }
        task unpaid { fail: "order ${state.id} could not be charged" }
    }
}

/// The key is the same at each attempt, and in each program that goes on with the run.
async fn charge(order: &Order) -> Result<u64, NotConnected> {
    order.payments.charge(&format!("{}/charge", order.id), order.cents)
}

/// What the handlers share.
#[derive(Clone)]
struct Service {
    store: SqliteStore,
    runner: Runner<Orders>,
    payments: Payments,
}

#[derive(Deserialize)]
struct NewOrder {
    id: String,
    text: String,
}

type Failure = (StatusCode, String);

/// Starts the run of an order. One that exists already goes on, or is over: to send an order twice is harmless.
async fn create(
    State(service): State<Service>,
    Json(order): Json<NewOrder>,
) -> Result<StatusCode, Failure> {
    let payments = service.payments.clone();
    let state = Order { id: order.id.clone(), text: order.text, payments, ..Order::default() };
    let run = service.runner.clone().run_id(&order.id).start(state);
    let run = run.map_err(|error| (StatusCode::BAD_REQUEST, error.to_string()))?;
    tokio::spawn(work_on(run));
    Ok(StatusCode::ACCEPTED)
}

/// Tells where a run stands.
async fn status(
    State(service): State<Service>,
    Path(id): Path<String>,
) -> Result<Json<Status>, Failure> {
    let summary = service.store.run(&parse(&id)?).await.map_err(|error| failed(&error))?;
    let summary = summary.ok_or((StatusCode::NOT_FOUND, format!("there is no order `{id}`")))?;
    Ok(Json(summary.status))
}

/// Takes the answer of a person. One that does not fit the question is refused with its issues.
async fn answer(
    State(service): State<Service>,
    Path(id): Path<String>,
    Json(answer): Json<Value>,
) -> Result<StatusCode, Failure> {
    let id = parse(&id)?;
    let summary = service.store.run(&id).await.map_err(|error| failed(&error))?;
    let Some(Status::Asking { key, .. }) = summary.map(|summary| summary.status) else {
        return Err((StatusCode::CONFLICT, format!("order `{id}` asks nothing")));
    };
    let answered = service.store.put_answer(&id, &key, answer).await;
    answered.map(|()| StatusCode::NO_CONTENT).map_err(|error| failed(&error))
}

fn parse(id: &str) -> Result<RunId, Failure> {
    id.parse().map_err(|_| (StatusCode::NOT_FOUND, "there is no such order".to_owned()))
}

fn failed(error: &StoreError) -> Failure {
    let status = match error {
        StoreError::InvalidAnswer { .. } => StatusCode::UNPROCESSABLE_ENTITY,
        _ => StatusCode::INTERNAL_SERVER_ERROR,
    };
    (status, error.to_string())
}

/// Goes on with what no program works on: at the start, and whenever another program has died. Several programs
/// may do so with one store: a run has one driver at a time.
async fn work(runner: Runner<Orders>, every: Duration) {
    loop {
        match runner.resume_all().await {
            Ok(runs) => runs.for_each(|run| drop(tokio::spawn(work_on(run)))),
            Err(error) => say("failed", error),
        }
        sleep(every).await;
    }
}

/// Drives one run to its end. An error ends this run alone, which stays as it is in the store.
async fn work_on(run: cot_core::ActiveRun<Orders>) {
    let id = run.run_id().clone();
    match run.await {
        Ok(run) => say("ended", format_args!("{id}: {:?}, paid {}", run.outcome, run.state.paid)),
        Err(RunError::Store(StoreError::Leased { .. })) => {}
        Err(error) => say("failed", format_args!("{id}: {error}")),
    }
}

fn router(service: Service) -> Router {
    Router::new()
        .route("/orders", post(create))
        .route("/orders/{id}", get(status))
        .route("/orders/{id}/answer", post(answer))
        .with_state(service)
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let store = SqliteStore::open(std::env::temp_dir().join("cot-service.sqlite"))?;
    let payments = Payments(Some(Arc::default()));
    let connected = payments.clone();
    let runner = Orders::runner()
        .model(ScriptedModel::from_fn(|_| json!({ "cents": 1250 })))
        .store(store.clone())
        .on_resume(move |order| order.payments = connected.clone());
    tokio::spawn(work(runner.clone(), Duration::from_secs(5)));
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let address = format!("http://{}/orders", listener.local_addr()?);
    let service = router(Service { store, runner, payments });
    tokio::spawn(async move { axum::serve(listener, service).await });
    visit(&address).await
}

/// What a client does.
async fn visit(address: &str) -> Result<(), Box<dyn Error>> {
    let client = reqwest::Client::new();
    let post = async |url: String, body: Value| {
        let sent = client.post(url).header("content-type", "application/json");
        let reply = sent.body(body.to_string()).send().await?;
        Ok::<_, reqwest::Error>((reply.status(), reply.text().await?))
    };
    let id = format!("order-{}", std::process::id());
    let order = format!("{address}/{id}");
    let (accepted, _) = post(address.to_owned(), json!({ "id": id, "text": "a lamp" })).await?;
    say("created", accepted);
    while !client.get(&order).send().await?.text().await?.contains("May 1250 cents") {
        sleep(Duration::from_millis(10)).await;
    }
    let (refused, why) = post(format!("{order}/answer"), json!({ "approved": "perhaps" })).await?;
    say("refused", format_args!("{refused}: {why}"));
    let (taken, _) = post(format!("{order}/answer"), json!({ "approved": true })).await?;
    say("answered", taken);
    loop {
        let status = client.get(&order).send().await?.text().await?;
        if status.contains("ended") {
            say("status", status);
            return Ok(());
        }
        sleep(Duration::from_millis(10)).await;
    }
}
