//! The thread that waits for answers and cancellations.

use std::{
    collections::HashMap,
    io, mem,
    sync::{
        Arc,
        mpsc::{Receiver, RecvTimeoutError},
    },
    time::{Duration, Instant},
};

use cot_engine::CallKey;
use cot_store::{CancelRequest, RunId, StoreError};
use rusqlite::Connection;
use serde_json::Value;
use tokio::sync::oneshot;

use crate::{
    database_file::DatabaseFile,
    error::{OperationError, failed},
    prompt::data_version,
    threads::Threads,
    waiting::{answers, cancels},
};

/// The polling period for what other programs stored.
const PERIOD: Duration = Duration::from_millis(150);

/// A thread that waits for answers and cancellations. It sleeps while no call waits.
pub(crate) struct Watcher {
    threads: Threads<WatchCommand>,
}

enum WatchCommand {
    Wait(Waiter),
    /// An answer or a cancellation may have been stored through this store.
    Check,
}

/// The calls that wait, by run.
#[derive(Default)]
struct Waiters {
    runs: HashMap<RunId, Vec<Waiter>>,
    count: usize,
    /// The number of waiters at which those whose callers are gone are dropped.
    prune_at: usize,
}

impl Waiters {
    fn add(&mut self, waiting: Waiter) {
        self.runs.entry(waiting.run.clone()).or_default().push(waiting);
        self.count += 1;
        if self.count >= self.prune_at {
            self.drop_gone();
        }
    }

    /// Removes the waiters of a run.
    fn take(&mut self, run: &RunId) -> Vec<Waiter> {
        let taken = self.runs.remove(run).unwrap_or_default();
        self.count -= taken.len();
        taken
    }

    fn take_all(&mut self) -> Vec<Waiter> {
        self.count = 0;
        mem::take(&mut self.runs).into_values().flatten().collect()
    }

    /// Drops the waiters whose callers are gone. It takes as long as there are waiters.
    fn drop_gone(&mut self) {
        self.runs.retain(|_, waiters| {
            waiters.retain(|waiting| !waiting.is_gone());
            !waiters.is_empty()
        });
        self.count = self.runs.values().map(Vec::len).sum();
        self.prune_at = (2 * self.count).max(MIN_PRUNED);
    }
}

/// The number of waiters below which those whose callers are gone are kept until the next idle period.
const MIN_PRUNED: usize = 64;

struct Waiter {
    run: RunId,
    wanted: Wanted,
}

/// What a caller waits for.
enum Wanted {
    /// The answer to the question of this key.
    Answer(String, Reply<Value>),
    /// A request to cancel the run.
    Cancel(Reply<CancelRequest>),
}

type Reply<T> = oneshot::Sender<Result<T, StoreError>>;

impl Waiter {
    fn is_gone(&self) -> bool {
        match &self.wanted {
            Wanted::Answer(_, to) => to.is_closed(),
            Wanted::Cancel(to) => to.is_closed(),
        }
    }

    /// Sends what the caller waits for. Returns the waiter if it is not there yet.
    fn try_reply(self, connection: &Connection, file: &DatabaseFile) -> Option<Self> {
        let Self { run, wanted } = self;
        let wanted = match wanted {
            Wanted::Answer(key, to) => {
                let found = file.check().and_then(|()| answers::find(connection, &run, &key));
                let found = found.map_err(|problem| problem.into_error(WHAT));
                let found = found.and_then(|answer| answer.map(parse).transpose());
                try_send(found, to).map(|to| Wanted::Answer(key, to))
            }
            Wanted::Cancel(to) => {
                let found = file.check().and_then(|()| cancels::find(connection, &run));
                let found = found.map_err(|problem| problem.into_error(WHAT_CANCEL));
                try_send(found, to).map(Wanted::Cancel)
            }
        };
        wanted.map(|wanted| Self { run, wanted })
    }
}

/// Sends what was found. Returns the sender if nothing was found and the caller still waits.
fn try_send<T>(found: Result<Option<T>, StoreError>, to: Reply<T>) -> Option<Reply<T>> {
    if let Some(outcome) = found.transpose() {
        // The receiver may be dropped.
        let _ = to.send(outcome);
        return None;
    }
    (!to.is_closed()).then_some(to)
}

fn parse(answer: String) -> Result<Value, StoreError> {
    serde_json::from_str(&answer)
        .map_err(|error| failed(WHAT, ": the stored one is not JSON", error))
}

impl Watcher {
    pub(crate) fn start(connection: Connection, file: Arc<DatabaseFile>) -> io::Result<Self> {
        let watcher = WatchThread { connection, file, waiting: Waiters::default(), version: 0 };
        Ok(Self { threads: Threads::one("watch", move |inbox| watcher.run(&inbox))? })
    }

    /// Waits until the answer is stored, and returns it.
    pub(crate) async fn wait_for_answer(
        &self,
        run: &RunId,
        key: &CallKey,
    ) -> Result<Value, StoreError> {
        let (to, answer) = oneshot::channel();
        self.wait(run, Wanted::Answer(key.to_string(), to));
        answer.await.unwrap_or_else(|gone| Err(failed(WHAT, "", gone)))
    }

    /// Waits until a request to cancel the run is stored, and returns it.
    pub(crate) async fn wait_for_cancel(&self, run: &RunId) -> Result<CancelRequest, StoreError> {
        let (to, request) = oneshot::channel();
        self.wait(run, Wanted::Cancel(to));
        request.await.unwrap_or_else(|gone| Err(failed(WHAT_CANCEL, "", gone)))
    }

    fn wait(&self, run: &RunId, wanted: Wanted) {
        self.threads.send(WatchCommand::Wait(Waiter { run: run.clone(), wanted }));
    }

    pub(crate) fn check(&self) {
        self.threads.send(WatchCommand::Check);
    }
}

const WHAT: &str = "waiting for an answer";
const WHAT_CANCEL: &str = "waiting for a cancellation";

struct WatchThread {
    connection: Connection,
    file: Arc<DatabaseFile>,
    waiting: Waiters,
    version: i64,
}

impl WatchThread {
    fn run(mut self, inbox: &Receiver<WatchCommand>) {
        let mut looked = Instant::now();
        loop {
            let order = if self.waiting.count == 0 {
                inbox.recv().map_err(|_| RecvTimeoutError::Disconnected)
            } else if looked.elapsed() >= PERIOD {
                // Checked here too, so that frequent commands do not delay the answers of other
                // programs.
                looked = Instant::now();
                self.check_if_changed();
                continue;
            } else {
                inbox.recv_timeout(PERIOD.saturating_sub(looked.elapsed()))
            };
            match order {
                Ok(WatchCommand::Wait(waiting)) => {
                    if let Some(waiting) = self.try_reply(waiting) {
                        self.waiting.add(waiting);
                    }
                }
                Ok(WatchCommand::Check) => self.check(),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return,
            }
        }
    }

    fn check_if_changed(&mut self) {
        match self.file.check().and_then(|()| data_version(&self.connection)) {
            Ok(version) if version == self.version => self.waiting.drop_gone(),
            Ok(version) => {
                self.version = version;
                self.check();
            }
            // The error is reported to the waiting calls.
            Err(_) => self.check(),
        }
    }

    /// Looks for what all waiters wait for: one query, which takes as long as there are stored answers and
    /// cancellations.
    fn check(&mut self) {
        let told = match self.file.check().and_then(|()| told_runs(&self.connection)) {
            Ok(told) => told.iter().flat_map(|run| self.waiting.take(run)).collect(),
            // The error is reported to the waiting calls.
            Err(_) => self.waiting.take_all(),
        };
        for waiting in told {
            if let Some(waiting) = self.try_reply(waiting) {
                self.waiting.add(waiting);
            }
        }
    }

    fn try_reply(&self, waiting: Waiter) -> Option<Waiter> {
        waiting.try_reply(&self.connection, &self.file)
    }
}

/// Returns the runs with stored answers or a stored cancellation.
fn told_runs(connection: &Connection) -> Result<Vec<RunId>, OperationError> {
    let mut statement = connection.prepare_cached(
        "SELECT runs.run FROM answers CROSS JOIN runs ON runs.id = answers.run UNION \
         SELECT runs.run FROM cancels CROSS JOIN runs ON runs.id = cancels.run",
    )?;
    let mut runs = Vec::new();
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        // No call waits for a run whose name is not valid.
        runs.extend(row.get_ref(0)?.as_str().ok().and_then(|run| run.parse().ok()));
    }
    Ok(runs)
}

#[cfg(test)]
mod tests {
    use std::sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    };

    use super::*;

    const WAITERS: usize = 10_000;

    /// Measures a query in instructions of SQLite's virtual machine.
    #[test]
    fn an_answer_costs_the_same_however_many_wait() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("runs.db");
        let mut connection = Connection::open(&path).unwrap();
        crate::schema::migrate(&mut connection).unwrap();
        for number in [7, 8] {
            let insert = "INSERT INTO runs (id, run, process, status, is_ended, task, steps, calls, input_tokens, \
                output_tokens, cost, begun, updated, entries) \
                VALUES (?1, 'run-' || ?1, '', '', 0, '', 0, 0, 0, 0, 0, 0, 0, 0)";
            connection.execute(insert, [number]).unwrap();
        }
        connection.execute("INSERT INTO answers VALUES (7, 'ask#1@1', 0, 'true')", []).unwrap();
        connection.execute("INSERT INTO cancels VALUES (8, 5, 'enough')", []).unwrap();
        let steps = Arc::<AtomicUsize>::default();
        let counted = Arc::clone(&steps);
        let count = move || {
            counted.fetch_add(1, Ordering::Relaxed);
            false
        };
        connection.progress_handler(1, Some(count)).unwrap();

        let mut waiting = Waiters::default();
        let (mut answers, mut cancels) = (Vec::new(), Vec::new());
        for number in 0..WAITERS {
            let run: RunId = format!("run-{number}").parse().unwrap();
            let (to, answer) = oneshot::channel();
            let wanted = Wanted::Answer("ask#1@1".to_owned(), to);
            waiting.add(Waiter { run: run.clone(), wanted });
            answers.push(answer);
            let (to, cancel) = oneshot::channel();
            waiting.add(Waiter { run, wanted: Wanted::Cancel(to) });
            cancels.push(cancel);
        }
        let file = Arc::new(DatabaseFile::new(path).unwrap());
        let mut watcher = WatchThread { connection, file, waiting, version: 0 };
        watcher.check();
        assert_eq!(watcher.waiting.count, 2 * WAITERS - 2);
        assert_eq!(answers[7].try_recv().unwrap().unwrap(), Value::Bool(true));
        assert_eq!(cancels[8].try_recv().unwrap().unwrap().reason, "enough");
        let steps = steps.load(Ordering::Relaxed);
        assert!(steps < 400, "{steps} instructions");

        answers.truncate(20);
        cancels.clear();
        watcher.waiting.drop_gone();
        assert_eq!(watcher.waiting.count, 19, "nobody looks for those who have gone");
    }
}
