//! A store with runs.

use std::{fs, path::PathBuf, thread::JoinHandle, time::Duration};

use cot_core::{
    CotOutput, RunError, Runner, Usage, cot_process,
    model::{ModelReply, ScriptedModel},
    store::Store,
};
use cot_sqlite::SqliteStore;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use tempfile::TempDir;

use crate::{Ended, cot};

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Letter {
    pub(super) text: String,
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
pub(super) struct Text {
    #[schemars(length(min = 2))]
    pub(super) text: String,
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
pub(super) struct Approval {
    pub(super) is_good: bool,
}

cot_process! {
    pub(super) process Letters {
        state: Letter,
        goal: "A letter",
        max_retries: 1,

        task write -> Text {
            prompt: "For ${goal}: write.",
            update: { text = output.text },
            next: approve,
        }

        task approve -> Approval {
            ask: "Send this?\n${state.text}",
            next: { sent if output.is_good, write },
        }

        task sent { end }
    }
}

/// A reply with a cost.
pub(super) fn said(text: &str) -> ModelReply {
    let mut reply = ModelReply::new(text);
    reply.usage = Usage::for_call(1000, 100).cost(0.25);
    reply
}

/// A folder with a store.
pub(crate) struct World {
    folder: TempDir,
}

impl World {
    pub(crate) fn new() -> Self {
        Self { folder: TempDir::new().unwrap() }
    }

    /// Creates a store with a run that asks a person after a retry, one that ended, and one that
    /// failed.
    pub(crate) fn with_runs() -> Self {
        let world = Self::new();
        world.ask("asking", vec![said(r#"{"text":""}"#), said("{text: 'Dear Ann'}")]);
        world.ask("done", vec![said(r#"{"text":"Dear Ben"}"#)]);
        let answered = world.cot(&["answer", "done", "approve", r#"{"is_good":true}"#]);
        assert_eq!(answered.code, 0, "{}", answered.err);
        world.resume("done", vec![]).join().unwrap().unwrap();
        world.ask("failed", vec![said("Hm."), said("Hm.")]);
        world
    }

    pub(crate) fn path(&self) -> PathBuf {
        self.folder.path().join("runs.db")
    }

    pub(crate) fn store(&self) -> SqliteStore {
        SqliteStore::open(self.path()).unwrap()
    }

    /// Creates a file in this folder. Returns its name.
    pub(crate) fn file(&self, name: &str, content: &str) -> String {
        let path = self.folder.path().join(name);
        fs::write(&path, content).unwrap();
        path.into_os_string().into_string().unwrap()
    }

    /// Submits so many runs, from `run-0` on, that no program drives.
    pub(super) fn submit(&self, runs: usize) {
        let runner = self.runner(Vec::new());
        wait(async {
            for number in 0..runs {
                let runner = runner.clone().run_id(format!("run-{number}"));
                runner.submit(&Letter::default()).await.unwrap();
            }
        });
    }

    /// Drives a run until it ends or its question is stored; then no program drives it.
    pub(super) fn ask(&self, run: &str, replies: Vec<ModelReply>) {
        let (store, id) = (self.store(), run.parse().unwrap());
        let runner = self.runner(replies).run_id(run);
        wait(async {
            let mut run = runner.start(Letter::default()).unwrap();
            loop {
                let event = tokio::time::timeout(Duration::from_millis(5), run.next()).await;
                if let Ok(None) = event {
                    return drop(run.finish().report().await.unwrap());
                }
                let known = store.run(&id).await.unwrap();
                if known.is_some_and(|run| run.status.word() == "asking") {
                    return;
                }
            }
        });
    }

    /// Resumes a run to its end, like a separate program.
    pub(super) fn resume(
        &self,
        run: &'static str,
        replies: Vec<ModelReply>,
    ) -> JoinHandle<Result<Letter, RunError>> {
        let runner = self.runner(replies);
        std::thread::spawn(move || {
            wait(async { Ok(runner.resume(run)?.finish().report().await?.state) })
        })
    }

    fn runner(&self, replies: Vec<ModelReply>) -> Runner<Letters> {
        Letters::runner().model(ScriptedModel::new(replies)).store(self.store())
    }

    /// Adds the store to the arguments of a call.
    pub(super) fn call<'a>(&self, arguments: &[&'a str], store: &'a str) -> Vec<&'a str> {
        [&["runs"], arguments, &["--store", store]].concat()
    }

    /// Calls `cot runs`.
    pub(super) fn cot(&self, arguments: &[&str]) -> Ended {
        self.cot_with(arguments, "")
    }

    pub(super) fn cot_with(&self, arguments: &[&str], input: &str) -> Ended {
        let path = self.path().into_os_string().into_string().unwrap();
        cot(&self.call(arguments, &path), input)
    }

    /// Returns the output of a call that must succeed.
    pub(super) fn printed(&self, arguments: &[&str]) -> String {
        let Ended { out, err, code } = self.cot(arguments);
        assert_eq!((err.as_str(), code), ("", 0), "{arguments:?}: {out}");
        out
    }

    /// Returns the JSON lines of a call's output.
    pub(crate) fn json(&self, arguments: &[&str]) -> Vec<Value> {
        let printed = self.printed(&[arguments, &["--json"]].concat());
        printed.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    /// Returns the names of the runs in a list.
    pub(super) fn listed(&self, arguments: &[&str]) -> Vec<String> {
        let runs = self.json(&[&["list"], arguments].concat());
        runs.iter().map(|run| run["run"].as_str().unwrap().to_owned()).collect()
    }
}

pub(super) fn wait<T>(future: impl Future<Output = T>) -> T {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build();
    runtime.unwrap().block_on(future)
}
