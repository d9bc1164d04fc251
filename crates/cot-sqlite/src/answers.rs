//! The table of answers, and the thread that waits for them.

use std::{
    collections::HashMap,
    io, mem,
    sync::mpsc::{Receiver, RecvTimeoutError},
    time::{Duration, Instant, SystemTime},
};

use cot_engine::CallKey;
use cot_store::{RunId, StoreError};
use rusqlite::{Connection, OptionalExtension, params};
use serde_json::Value;
use tokio::sync::oneshot;

use crate::{
    column::millis,
    error::{OperationError, failed},
    prompt::data_version,
    runs,
    threads::Threads,
};

/// The polling period for answers that other programs stored.
const PERIOD: Duration = Duration::from_millis(150);

/// Stores an answer for a run that asks for it.
pub(crate) fn store(
    connection: &Connection,
    run: &RunId,
    key: &CallKey,
    answer: &Value,
) -> Result<(), OperationError> {
    let known = runs::find(connection, run)?.ok_or_else(|| runs::unknown(run))?;
    known.summary.check_answer(key, answer)?;
    let mut statement = connection.prepare_cached(
        "INSERT OR REPLACE INTO answers (run, key, at, answer) VALUES (?, ?, ?, ?)",
    )?;
    let now = SystemTime::now();
    statement.execute(params![known.id, key.to_string(), millis(now), answer.to_string()])?;
    runs::wake(connection, known.id, now)
}

/// A thread that waits for answers. It sleeps while no call waits.
pub(crate) struct AnswerWatcher {
    threads: Threads<WatchCommand>,
}

enum WatchCommand {
    Wait(Waiter),
    /// An answer may have been stored through this store.
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
            waiters.retain(|waiting| !waiting.to.is_closed());
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
    key: String,
    to: oneshot::Sender<Result<Value, StoreError>>,
}

impl AnswerWatcher {
    pub(crate) fn start(connection: Connection) -> io::Result<Self> {
        let watcher = WatchThread { connection, waiting: Waiters::default(), version: 0 };
        Ok(Self { threads: Threads::one("watch", move |inbox| watcher.run(&inbox))? })
    }

    /// Waits until the answer is stored, and returns it.
    pub(crate) async fn wait(&self, run: &RunId, key: &CallKey) -> Result<Value, StoreError> {
        let (to, answer) = oneshot::channel();
        let waiting = Waiter { run: run.clone(), key: key.to_string(), to };
        self.threads.send(WatchCommand::Wait(waiting));
        answer.await.unwrap_or_else(|gone| Err(failed(WHAT, "", gone)))
    }

    pub(crate) fn check(&self) {
        self.threads.send(WatchCommand::Check);
    }
}

const WHAT: &str = "waiting for an answer";

struct WatchThread {
    connection: Connection,
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
                    if let Some(waiting) = self.try_answer(waiting) {
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
        match data_version(&self.connection) {
            Ok(version) if version == self.version => self.waiting.drop_gone(),
            Ok(version) => {
                self.version = version;
                self.check();
            }
            // The error is reported to the waiting calls.
            Err(_) => self.check(),
        }
    }

    /// Looks for the answers of all waiters: one query, which takes as long as there are stored answers.
    fn check(&mut self) {
        let answered = match answered_runs(&self.connection) {
            Ok(answered) => answered.iter().flat_map(|run| self.waiting.take(run)).collect(),
            // The error is reported to the waiting calls.
            Err(_) => self.waiting.take_all(),
        };
        for waiting in answered {
            if let Some(waiting) = self.try_answer(waiting) {
                self.waiting.add(waiting);
            }
        }
    }

    /// Sends the answer of a waiter. Returns the waiter if it has no answer yet.
    fn try_answer(&self, waiting: Waiter) -> Option<Waiter> {
        let outcome = match find(&self.connection, &waiting) {
            Ok(None) if waiting.to.is_closed() => return None,
            Ok(None) => return Some(waiting),
            Ok(Some(answer)) => serde_json::from_str(&answer)
                .map_err(|error| failed(WHAT, ": the stored one is not JSON", error)),
            Err(problem) => Err(problem.into_error(WHAT)),
        };
        // The receiver may be dropped.
        let _ = waiting.to.send(outcome);
        None
    }
}

fn find(connection: &Connection, waiting: &Waiter) -> Result<Option<String>, OperationError> {
    let mut statement = connection.prepare_cached(
        "SELECT answer FROM answers WHERE run = (SELECT id FROM runs WHERE run = ?) AND key = ?",
    )?;
    let answer = statement.query_row(params![waiting.run.as_str(), waiting.key], |row| row.get(0));
    Ok(answer.optional()?)
}

/// Returns the runs with stored answers.
fn answered_runs(connection: &Connection) -> Result<Vec<RunId>, OperationError> {
    let mut statement = connection.prepare_cached(
        "SELECT DISTINCT runs.run FROM answers CROSS JOIN runs ON runs.id = answers.run",
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
        let mut connection = Connection::open_in_memory().unwrap();
        crate::schema::migrate(&mut connection).unwrap();
        let insert = "INSERT INTO runs (id, run, process, status, is_ended, task, steps, calls, input_tokens, output_tokens, cost, \
            begun, updated, entries) VALUES (7, 'run-7', '', '', 0, '', 0, 0, 0, 0, 0, 0, 0, 0)";
        connection.execute(insert, []).unwrap();
        connection.execute("INSERT INTO answers VALUES (7, 'ask#1@1', 0, 'true')", []).unwrap();
        let steps = Arc::<AtomicUsize>::default();
        let counted = Arc::clone(&steps);
        let count = move || {
            counted.fetch_add(1, Ordering::Relaxed);
            false
        };
        connection.progress_handler(1, Some(count)).unwrap();

        let (to, mut answers): (Vec<_>, Vec<_>) = (0..WAITERS).map(|_| oneshot::channel()).unzip();
        let mut waiting = Waiters::default();
        for (number, to) in to.into_iter().enumerate() {
            let run = format!("run-{number}").parse().unwrap();
            waiting.add(Waiter { run, key: "ask#1@1".to_owned(), to });
        }
        let mut watcher = WatchThread { connection, waiting, version: 0 };
        watcher.check();
        assert_eq!(watcher.waiting.count, WAITERS - 1);
        assert_eq!(answers[7].try_recv().unwrap().unwrap(), Value::Bool(true));
        let steps = steps.load(Ordering::Relaxed);
        assert!(steps < 200, "{steps} instructions");

        answers.truncate(20);
        watcher.waiting.drop_gone();
        assert_eq!(watcher.waiting.count, 19, "nobody looks for those who have gone");
    }
}
