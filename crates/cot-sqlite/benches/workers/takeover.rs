//! A program that is killed while it drives a run, and another one that continues the run.

use std::{
    env,
    io::Read as _,
    path::Path,
    process::{Command, Stdio},
    sync::mpsc,
    time::{Duration, Instant},
};

use cot_core::{
    WorkerEvent,
    model::{BoxFuture, LanguageModel, ModelError, ModelReply, ModelRequest},
};
use cot_sqlite::SqliteStore;
use tokio::sync::oneshot;

use crate::{
    crowd::{Letter, Letters, open, runner},
    median, next,
};

/// The number of killed programs.
const KILLS: usize = 5;

/// A model that says that it was called, and never replies.
struct Silent;

impl LanguageModel for Silent {
    fn reply<'a>(&'a self, _: &'a ModelRequest) -> BoxFuture<'a, Result<ModelReply, ModelError>> {
        println!("called");
        Box::pin(std::future::pending())
    }
}

/// The program that is killed: drives a run whose model does not reply.
pub(crate) async fn hang(database: &Path) {
    drop(Letters::runner().model(Silent).worker(open(database)).run().await);
}

/// Returns the time from the death of a program until another one has claimed its run, in ms.
pub(crate) async fn takeover(store: &SqliteStore, database: &Path) -> f64 {
    // The runs that were answered before.
    runner().worker(store.clone()).run_until_idle().await.expect("a worker");
    let mut times = Vec::new();
    for _ in 0..KILLS {
        runner().store(store.clone()).submit(&Letter::default()).await.expect("a run");
        let mut child = Command::new(env::current_exe().expect("a program"))
            .arg("hang")
            .arg(database)
            .stdout(Stdio::piped())
            .spawn()
            .expect("a program");
        let mut said = child.stdout.take().expect("a pipe");
        said.read_exact(&mut [0]).expect("a word");
        let (stop, stopped) = oneshot::channel::<()>();
        let (claimed, claims) = mpsc::channel();
        let worker = runner().worker(store.clone()).observe(move |event| {
            if let WorkerEvent::Claimed { crashes: 1.., .. } = event {
                claimed.send(Instant::now()).expect("the benchmark waits");
            }
        });
        let worker = tokio::spawn(worker.run_until(async { drop(stopped.await) }));
        tokio::time::sleep(Duration::from_millis(400)).await;
        let began = Instant::now();
        child.kill().expect("a living program");
        child.wait().expect("a dead program");
        times.push(next(&claims).await - began);
        drop(stop);
        worker.await.expect("a task").expect("a worker");
    }
    median(times).as_secs_f64() * 1e3
}
