//! A node: a process with the services of the tests, which is the test program itself.

use std::{
    net::SocketAddr,
    path::PathBuf,
    process::{Child, Command, Stdio},
    time::Duration,
};

use cot_core::{Models, model::OpenAiCompatible};
use cot_restate::Workflow;
use restate_sdk::prelude::{Endpoint, HttpServer, IntoServiceDefinition, ServiceOptions};
use tokio::net::TcpListener;

use crate::{
    many::EverythingWorkflow,
    once::{ChargesWorkflow, Sink},
    processes::{
        HastyWorkflow, PatienceWorkflow, PileWorkflow, StepsWorkflow, TicksWorkflow, TourWorkflow,
    },
    server::free_ports,
    versions::{changed, first, reworded},
};

const PORT: &str = "COT_RESTATE_NODE_PORT";
const MODEL: &str = "COT_RESTATE_NODE_MODEL";
/// Set if a node uses the SDK's own listener.
const DELAYED: &str = "COT_RESTATE_NODE_DELAYED";
const VERSION: &str = "COT_RESTATE_NODE_VERSION";

/// The version of the process `Letter` on a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Version {
    First,
    /// Other prompts, which are not accepted.
    Reworded,
    /// Other prompts, which are accepted.
    RewordedOnPurpose,
    /// Another task.
    Changed,
}

const VERSIONS: [(&str, Version); 4] = [
    ("first", Version::First),
    ("reworded", Version::Reworded),
    ("reworded on purpose", Version::RewordedOnPurpose),
    ("changed", Version::Changed),
];

/// A node, which is stopped with the test.
pub(crate) struct Node {
    port: u16,
    model: String,
    version: Version,
    process: Option<Child>,
}

impl Node {
    pub(crate) fn start(model: &str) -> Self {
        Self::with_version(model, Version::First)
    }

    pub(crate) fn with_version(model: &str, version: Version) -> Self {
        let [port] = free_ports();
        let mut node = Self { port, model: model.to_owned(), version, process: None };
        node.restart();
        node
    }

    /// Starts another version at the same address.
    pub(crate) fn replace(&mut self, version: Version) {
        self.version = version;
        self.restart();
    }

    pub(crate) fn restart(&mut self) {
        self.kill();
        let version = VERSIONS.iter().find(|(_, version)| *version == self.version).unwrap();
        let started = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "node::node", "--ignored", "--nocapture"])
            .env(PORT, self.port.to_string())
            .env(MODEL, &self.model)
            .env(VERSION, version.0)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .spawn();
        self.process = Some(started.unwrap());
    }

    /// Ends the node with SIGKILL.
    pub(crate) fn kill(&mut self) {
        if let Some(mut process) = self.process.take() {
            process.kill().unwrap();
            process.wait().unwrap();
        }
    }

    pub(crate) const fn port(&self) -> u16 {
        self.port
    }

    pub(crate) fn address(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }
}

impl Drop for Node {
    fn drop(&mut self) {
        self.kill();
    }
}

/// Returns the file in which the node at a port records its calls with effects.
pub(crate) fn sink(port: u16) -> PathBuf {
    std::env::temp_dir().join(format!("cot-restate-sink-{port}"))
}

#[tokio::test]
#[ignore = "it is the program of a node, which the other tests start"]
async fn node() {
    let (Ok(port), Ok(model)) = (std::env::var(PORT), std::env::var(MODEL)) else {
        return;
    };
    let version = std::env::var(VERSION).unwrap();
    let version = VERSIONS.iter().find(|(name, _)| *name == version).unwrap().1;
    let model = OpenAiCompatible::builder(model, "counted").build().unwrap();
    let models = Models::new().model(model);
    let charges = Sink { file: sink(port.parse().unwrap()) };
    let hasty = HastyWorkflow::from(Workflow::new(models.clone()).unwrap());
    let hasty = hasty
        .into_service_definition()
        .options(ServiceOptions::new().inactivity_timeout(Duration::from_millis(100)));
    let endpoint = Endpoint::builder()
        .bind(hasty)
        .bind(TicksWorkflow::from(Workflow::new(models.clone()).unwrap()))
        .bind(EverythingWorkflow::from(Workflow::new(models.clone()).unwrap()))
        .bind(TourWorkflow::from(Workflow::new(models.clone()).unwrap()))
        .bind(PileWorkflow::from(Workflow::new(models.clone()).unwrap()))
        .bind(PatienceWorkflow::from(Workflow::new(models.clone()).unwrap()))
        .bind(StepsWorkflow::from(Workflow::new(models.clone()).unwrap()))
        .bind(ChargesWorkflow::from(Workflow::with_context(charges, models.clone()).unwrap()));
    let endpoint = match version {
        Version::First => {
            endpoint.bind(first::LetterWorkflow::from(Workflow::new(models).unwrap()))
        }
        Version::Changed => {
            endpoint.bind(changed::LetterWorkflow::from(Workflow::new(models).unwrap()))
        }
        Version::Reworded => {
            endpoint.bind(reworded::LetterWorkflow::from(Workflow::new(models).unwrap()))
        }
        Version::RewordedOnPurpose => {
            let workflow = Workflow::new(models).unwrap().accept_changed_prompts();
            endpoint.bind(reworded::LetterWorkflow::from(workflow))
        }
    };
    let address: SocketAddr = format!("127.0.0.1:{port}").parse().unwrap();
    let listener = match std::env::var_os(DELAYED) {
        None => cot_restate::listen(address).unwrap(),
        Some(_) => TcpListener::bind(address).await.unwrap(),
    };
    HttpServer::new(endpoint.build()).serve(listener).await;
}
