//! A service that takes tickets over HTTP. Runs are stored, and a worker drives them: after a crash or a deployment,
//! each continues where it was.
//!
//! ```sh
//! curl -X POST 127.0.0.1:8080/tickets/17 --data 'My lamp is broken.'
//! curl 127.0.0.1:8080/tickets/17
//! ```

use std::error::Error;

use axum::{
    Json, Router,
    extract::{Path, State},
    http::StatusCode,
    routing::get,
};
use cot_core::{
    model::{OpenAiCompatible, ScriptedModel},
    prelude::*,
    store::{RunHistory, Store as _, StoreError},
};
use cot_sqlite::SqliteStore;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tokio::net::TcpListener;

/// What a ticket is about.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, CotOutput)]
struct Class {
    category: Category,
    /// The problem, in one sentence.
    #[schemars(length(min = 1, max = 200))]
    summary: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Category {
    /// Invoices and payments.
    Billing,
    /// Something is broken.
    Defect,
    /// Anything else.
    Other,
}

cot_process! {
    /// Classifies one ticket.
    process Tickets {
        state: { input ticket: String, class: Class },
        max_steps: 10,

        task classify -> Class {
            prompt: "Classify this ticket of a shop:\n${quoted(state.ticket)}",
            update: class,
            next: done,
        }

        task done { end }
    }
}

#[derive(Clone)]
struct Service {
    store: SqliteStore,
    runner: Runner<Tickets>,
}

type Failure = (StatusCode, String);

/// Submits the run of a ticket, which the worker begins. A repeated request is harmless.
async fn create(
    State(service): State<Service>,
    Path(id): Path<String>,
    ticket: String,
) -> Result<StatusCode, Failure> {
    match service.runner.run_id(&*id).submit(&TicketsState::new(ticket)).await {
        Ok(_) | Err(RunError::Store(StoreError::RunExists { .. })) => Ok(StatusCode::ACCEPTED),
        Err(error) => Err((StatusCode::BAD_REQUEST, error.to_string())),
    }
}

/// Returns where the run of a ticket is, and the class once it is known.
async fn show(
    State(service): State<Service>,
    Path(id): Path<String>,
) -> Result<Json<Value>, Failure> {
    let failed = |error: StoreError| (StatusCode::INTERNAL_SERVER_ERROR, error.to_string());
    let unknown = || (StatusCode::NOT_FOUND, format!("there is no ticket `{id}`"));
    let run = id.parse().map_err(|_| unknown())?;
    let summary = service.store.run(&run).await.map_err(failed)?.ok_or_else(unknown)?;
    let history = RunHistory::load(&service.store, &run).await.map_err(failed)?;
    let class = history.and_then(|history| history.steps.last()?.output.clone());
    Ok(Json(json!({ "status": summary.status, "class": class })))
}

fn router(service: Service) -> Router {
    Router::new().route("/tickets/{id}", get(show).post(create)).with_state(service)
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let store = SqliteStore::open("runs.db")?;
    let runner = Tickets::runner().model(model()?).store(store.clone());
    let worker = runner.worker(store.clone()).observe(|event| println!("{event}"));
    let worker = tokio::spawn(worker.run_until(stopped()));
    let listener = TcpListener::bind("127.0.0.1:8080").await?;
    println!("listens at http://{}", listener.local_addr()?);
    let service = router(Service { store, runner });
    axum::serve(listener, service).with_graceful_shutdown(stopped()).await?;
    // Calls in flight are completed before the program ends.
    Ok(worker.await??)
}

/// Waits until the program is asked to stop.
async fn stopped() {
    drop(tokio::signal::ctrl_c().await);
}

/// The model of a server, if the environment names one. Otherwise replies that are written here.
fn model() -> Result<Box<dyn LanguageModel>, Box<dyn Error>> {
    Ok(match OpenAiCompatible::from_env() {
        Some(server) => Box::new(server.build()?),
        None => Box::new(script()),
    })
}

fn script() -> ScriptedModel {
    ScriptedModel::from_fn(|_| json!({ "category": "defect", "summary": "A lamp is broken." }))
}

#[cfg(test)]
mod tests {
    use cot_core::store::MemoryStore;

    use super::*;

    #[tokio::test]
    async fn a_submitted_ticket_is_classified() {
        let store = MemoryStore::default();
        let runner = Tickets::runner().model(script()).store(store.clone());
        let ticket = TicketsState::new("My lamp is broken.".to_owned());
        let run = runner.clone().run_id("17").submit(&ticket).await.unwrap();
        runner.worker(store.clone()).run_until_idle().await.unwrap();
        let history = RunHistory::load(&store, &run).await.unwrap().unwrap();
        let class = history.steps[0].output.clone().unwrap();
        assert_eq!(class["category"], "defect");
    }
}
