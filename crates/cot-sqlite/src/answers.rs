//! The table of answers, and the thread that waits for them.

use std::{
    collections::{HashMap, HashSet},
    io,
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
    let (key, at, answer) = (key.to_string(), millis(SystemTime::now()), answer.to_string());
    statement.execute(params![known.id, key, at, answer])?;
    Ok(())
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

/// The keys of the stored answers, by run.
#[derive(Default)]
struct PendingAnswers(HashMap<String, HashSet<String>>);

impl PendingAnswers {
    fn contains(&self, waiting: &Waiter) -> bool {
        self.0.get(waiting.run.as_str()).is_some_and(|keys| keys.contains(&waiting.key))
    }
}

struct Waiter {
    run: RunId,
    key: String,
    to: oneshot::Sender<Result<Value, StoreError>>,
}

impl AnswerWatcher {
    pub(crate) fn start(connection: Connection) -> io::Result<Self> {
        let watcher = WatchThread { connection, waiting: Vec::new(), version: 0 };
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
    waiting: Vec<Waiter>,
    version: i64,
}

impl WatchThread {
    fn run(mut self, inbox: &Receiver<WatchCommand>) {
        let mut looked = Instant::now();
        loop {
            let order = if self.waiting.is_empty() {
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
                Ok(WatchCommand::Wait(waiting)) => self.waiting.extend(self.try_answer(waiting)),
                Ok(WatchCommand::Check) => self.check(),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return,
            }
        }
    }

    fn check_if_changed(&mut self) {
        match data_version(&self.connection) {
            Ok(version) if version == self.version => {
                self.waiting.retain(|waiting| !waiting.to.is_closed());
            }
            Ok(version) => {
                self.version = version;
                self.check();
            }
            // The error is reported to the waiting calls.
            Err(_) => self.check(),
        }
    }

    fn check(&mut self) {
        self.waiting.retain(|waiting| !waiting.to.is_closed());
        if self.waiting.is_empty() {
            return;
        }
        let pending = pending(&self.connection).ok();
        let waiting = std::mem::take(&mut self.waiting);
        let still_waiting = |waiting| match &pending {
            Some(pending) if !pending.contains(&waiting) => Some(waiting),
            // The error is reported to the waiting calls.
            _ => self.try_answer(waiting),
        };
        self.waiting = waiting.into_iter().filter_map(still_waiting).collect();
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

/// Reads the keys of all stored answers, in one query for any number of waiters.
fn pending(connection: &Connection) -> Result<PendingAnswers, OperationError> {
    let mut statement = connection.prepare_cached(
        "SELECT runs.run, key FROM answers CROSS JOIN runs ON runs.id = answers.run",
    )?;
    let mut pending = PendingAnswers::default();
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        pending.0.entry(row.get(0)?).or_default().insert(row.get(1)?);
    }
    Ok(pending)
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
        let insert = "INSERT INTO runs VALUES (7, 'run-7', '', '', 0, '', 0, 0, 0, 0, 0, 0, 0, 0, NULL, NULL, NULL, 0, 0, 0)";
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
        let waiting = to.into_iter().enumerate().map(|(number, to)| Waiter {
            run: format!("run-{number}").parse().unwrap(),
            key: "ask#1@1".to_owned(),
            to,
        });
        let mut watcher = WatchThread { connection, waiting: waiting.collect(), version: 0 };
        watcher.check();
        assert_eq!(watcher.waiting.len(), WAITERS - 1);
        assert_eq!(answers[7].try_recv().unwrap().unwrap(), Value::Bool(true));
        let steps = steps.load(Ordering::Relaxed);
        assert!(steps < 200, "{steps} instructions");

        answers.truncate(20);
        watcher.check();
        assert_eq!(watcher.waiting.len(), 19, "nobody looks for those who have gone");
    }
}
