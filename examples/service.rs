//! A service that takes orders over HTTP: it submits runs, a worker drives them, and humans answer through the
//! service. It calls itself once like a client, and shuts down.
//!
//! ```sh
//! cargo run -p cot-examples --example service
//! COT_STORE=postgres://app@127.0.0.1/app cargo run -p cot-examples --features postgres --example service
//! ```
//!
//! The runs are in the file of SQLite or in the Postgres database that `COT_STORE` names; otherwise in a file in the folder of
//! temporary files.

use std::{
    collections::HashMap,
    env,
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
    model::{OpenAiCompatible, ScriptedModel},
    prelude::*,
    store::{RunId, Status, Store, StoreError},
};
use cot_sqlite::SqliteStore;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tokio::{net::TcpListener, sync::watch, time::sleep};

/// What the functions of the process receive from the program, such as pools, clients and configuration.
#[derive(Default)]
pub struct App {
    payments: Payments,
}

/// The client of a payment provider. A pool of connections is shared in the same way.
#[derive(Default)]
struct Payments(Mutex<HashMap<String, u64>>);

impl Payments {
    /// Charges an amount once per key, even if the call is repeated.
    fn charge(&self, key: &str, amount: u64) -> Result<u64, Declined> {
        if amount == 0 {
            return Err(Declined);
        }
        let mut paid = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(*paid.entry(key.to_owned()).or_insert(amount))
    }
}

/// The error of a charge that the provider declines.
#[derive(Debug)]
pub struct Declined;

impl fmt::Display for Declined {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the payment provider declined the charge")
    }
}

impl Error for Declined {}

/// The content of an order.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
pub struct Price {
    /// The price in cents.
    pub cents: u64,
}

/// The decision about an order.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
pub struct Decision {
    /// Whether the order can be charged.
    pub approved: bool,
}

/// An order.
#[derive(Clone, Default, Serialize, Deserialize)]
pub struct Order {
    /// The id of the order and of its run.
    pub id: String,
    /// The text of the order.
    pub text: String,
    /// The price in cents.
    pub cents: u64,
    /// The charged amount in cents.
    pub paid: u64,
}

cot_process! {
    /// Takes an order, asks for approval, and charges it.
    pub process Orders {
        state: Order,
        context: App,
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

/// The key is equal for each attempt, in each program that drives the run.
async fn charge(order: &Order, cx: &Cx<'_, Orders>) -> Result<u64, Declined> {
    cx.app().payments.charge(&cx.call_key(), order.cents)
}

/// The shared data of the handlers.
#[derive(Clone)]
struct Service {
    store: Arc<dyn Store>,
    runner: Runner<Orders>,
}

#[derive(Deserialize)]
struct NewOrder {
    id: String,
    text: String,
}

type Failure = (StatusCode, String);

/// Submits the run of an order, which a worker begins. A repeated request is harmless.
async fn create(
    State(service): State<Service>,
    Json(order): Json<NewOrder>,
) -> Result<StatusCode, Failure> {
    let state = Order { id: order.id.clone(), text: order.text, ..Order::default() };
    match service.runner.clone().run_id(&order.id).submit(&state).await {
        Ok(_) | Err(RunError::Store(StoreError::RunExists { .. })) => Ok(StatusCode::ACCEPTED),
        Err(RunError::Store(error)) => Err(failed(&error)),
        Err(error) => Err((StatusCode::BAD_REQUEST, error.to_string())),
    }
}

/// Returns the status of a run.
async fn status(
    State(service): State<Service>,
    Path(id): Path<String>,
) -> Result<Json<Status>, Failure> {
    let summary = service.store.run(&parse(&id)?).await.map_err(|error| failed(&error))?;
    let summary = summary.ok_or((StatusCode::NOT_FOUND, format!("there is no order `{id}`")))?;
    Ok(Json(summary.status))
}

/// Accepts the answer of a human. An invalid answer is rejected with its issues.
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

fn router(service: Service) -> Router {
    Router::new()
        .route("/orders", post(create))
        .route("/orders/{id}", get(status))
        .route("/orders/{id}/answer", post(answer))
        .with_state(service)
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let place = env::var("COT_STORE").unwrap_or_default();
    #[cfg(feature = "postgres")]
    if place.starts_with("postgres:") || place.starts_with("postgresql:") {
        let store = cot_postgres::PgStore::options().connect(&place).await?;
        serve(store.clone()).await?;
        // Otherwise the next program waits until the leases expire.
        store.close().await;
        return Ok(());
    }
    let path = match &*place {
        "" => env::temp_dir().join("cot-service.sqlite"),
        path => path.into(),
    };
    serve(SqliteStore::open(path)?).await
}

async fn serve(store: impl Store + Clone + 'static) -> Result<(), Box<dyn Error>> {
    let runner = Orders::runner(App::default()).model(model()?).store(store.clone());
    let (stop, stopping) = watch::channel(false);
    let worker = runner.worker(store.clone()).observe(|event| println!("worker: {event}"));
    let worker = tokio::spawn(worker.run_until(stopped(stopping.clone())));
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let address = format!("http://{}/orders", listener.local_addr()?);
    let service = router(Service { store: Arc::new(store), runner });
    let server = axum::serve(listener, service).with_graceful_shutdown(stopped(stopping));
    let server = tokio::spawn(server.into_future());
    visit(&address).await?;
    // A service would wait for a signal here. Requests and calls in flight are completed before it ends.
    stop.send_replace(true);
    server.await??;
    Ok(worker.await??)
}

/// The model of a server, if the environment names one. Otherwise replies that are written here.
fn model() -> Result<Box<dyn LanguageModel>, Box<dyn Error>> {
    Ok(match OpenAiCompatible::from_env() {
        Some(server) => Box::new(server.build()?),
        None => Box::new(ScriptedModel::from_fn(|_| json!({ "cents": 1250 }))),
    })
}

/// Waits until the service is to stop.
async fn stopped(mut stopping: watch::Receiver<bool>) {
    drop(stopping.wait_for(|stop| *stop).await);
}

/// The requests of a client.
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
    println!("created: {accepted}");
    while !client.get(&order).send().await?.text().await?.contains(" cents") {
        sleep(Duration::from_millis(10)).await;
    }
    let (refused, why) = post(format!("{order}/answer"), json!({ "approved": "perhaps" })).await?;
    println!("refused: {refused}: {why}");
    let (taken, _) = post(format!("{order}/answer"), json!({ "approved": true })).await?;
    println!("answered: {taken}");
    loop {
        let status = client.get(&order).send().await?.text().await?;
        if status.contains("ended") {
            println!("status: {status}");
            return Ok(());
        }
        sleep(Duration::from_millis(10)).await;
    }
}
