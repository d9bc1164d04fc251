//! A server, a model and nodes, with the requests of a client.

use std::time::Duration;

use cot_restate::{AnswerOutcome, RunResult, Status};
use reqwest::{Client, Response, StatusCode};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::{Value, json};
use tokio::sync::{Mutex, MutexGuard};

use crate::{model::Model, node::Node, server::Server};

/// A timeout for the slowest machines.
const PATIENCE: Duration = Duration::from_secs(300);

/// A small machine can run only one server at a time.
static ONE_AT_A_TIME: Mutex<()> = Mutex::const_new(());

pub(crate) struct World {
    pub(crate) server: Server,
    pub(crate) model: Model,
    pub(crate) nodes: Vec<Node>,
    client: Client,
    _turn: MutexGuard<'static, ()>,
}

impl World {
    /// Starts a server with one registered node; `None` without a server program.
    pub(crate) async fn start(answer: fn(&str) -> Value, delay: Duration) -> Option<Self> {
        let turn = ONE_AT_A_TIME.lock().await;
        let server = Server::start().await?;
        let model = Model::start(answer, delay).await;
        let node = Node::start(&model.url);
        let client = Client::builder().no_proxy().timeout(PATIENCE).build().unwrap();
        let mut world = Self { server, model, nodes: Vec::new(), client, _turn: turn };
        world.register(node).await;
        Some(world)
    }

    /// Registers a node as the one for new runs.
    pub(crate) async fn register(&mut self, node: Node) {
        let deployment = json!({ "uri": node.address() });
        let address = format!("{}/deployments", self.server.admin());
        // The node may still be starting.
        until("a node to be registered", || async {
            let reply = self.client.post(&address).json(&deployment).send().await.unwrap();
            reply.status().is_success().then_some(())
        })
        .await;
        self.nodes.push(node);
    }

    /// Starts a run without waiting for it.
    pub(crate) async fn send<S: Serialize>(&self, service: &str, run: &str, state: S) -> String {
        let start = json!({ "state": state });
        let sent: Value = read(self.post(service, run, "run/send", &start).await).await;
        sent["invocationId"].as_str().unwrap().to_owned()
    }

    /// Waits for the end of a run.
    pub(crate) async fn attach<S: DeserializeOwned>(
        &self,
        service: &str,
        run: &str,
    ) -> RunResult<S> {
        let path = format!("{}/restate/workflow/{service}/{run}/attach", self.server.ingress());
        let reply = self.client.get(path).send().await.unwrap();
        read(reply).await
    }

    pub(crate) async fn status(&self, service: &str, run: &str) -> Status {
        self.try_status(service, run).await.unwrap()
    }

    /// Returns the status once the run has a question.
    pub(crate) async fn until_asked(&self, service: &str, run: &str) -> Status {
        until(&format!("{run} to ask"), || async {
            let status = self.try_status(service, run).await.ok();
            status.filter(|status| status.question.is_some())
        })
        .await
    }

    /// Returns the status, or the status code of the rejection.
    pub(crate) async fn try_status(&self, service: &str, run: &str) -> Result<Status, StatusCode> {
        let path = format!("{}/{service}/{run}/status", self.server.ingress());
        let reply = self.client.post(path).send().await.unwrap();
        match reply.status() {
            StatusCode::OK => Ok(reply.json().await.unwrap()),
            refused => Err(refused),
        }
    }

    pub(crate) async fn answer(&self, service: &str, run: &str, answer: &Value) -> AnswerOutcome {
        read(self.post(service, run, "answer", &json!({ "answer": answer })).await).await
    }

    /// Sends a body to a handler.
    pub(crate) async fn post(
        &self,
        service: &str,
        run: &str,
        handler: &str,
        body: &Value,
    ) -> Response {
        let path = format!("{}/{service}/{run}/{handler}", self.server.ingress());
        self.client.post(path).json(body).send().await.unwrap()
    }

    pub(crate) async fn cancel(&self, invocation: &str) {
        let path = format!("{}/invocations/{invocation}/cancel", self.server.admin());
        let reply = self.client.patch(path).send().await.unwrap();
        assert!(reply.status().is_success(), "{}", reply.text().await.unwrap());
    }

    /// Returns the result of a query of the server's tables.
    pub(crate) async fn query(&self, query: &str) -> Vec<Value> {
        let path = format!("{}/query", self.server.admin());
        let request = self.client.post(path).header("accept", "application/json");
        let reply: Value =
            read(request.json(&json!({ "query": query })).send().await.unwrap()).await;
        reply["rows"].as_array().unwrap().clone()
    }
}

async fn read<T: DeserializeOwned>(reply: Response) -> T {
    let (status, text) = (reply.status(), reply.text().await.unwrap());
    assert!(status.is_success(), "{status}: {text}");
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

/// Waits until the result is `Some`.
pub(crate) async fn until<T, F: Future<Output = Option<T>>>(what: &str, ask: impl Fn() -> F) -> T {
    let asked = async {
        loop {
            if let Some(found) = ask().await {
                return found;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    let found = tokio::time::timeout(PATIENCE, asked).await;
    found.unwrap_or_else(|_| panic!("waited in vain for {what}"))
}
