//! The table of answers, and the thread that waits for them.

use std::{
    collections::{HashMap, HashSet},
    io,
    sync::mpsc::{Receiver, RecvTimeoutError},
    time::{Duration, Instant, SystemTime},
};

use cot_core::{
    CallKey,
    store::{RunId, StoreError},
};
use rusqlite::{Connection, OptionalExtension, params};
use serde_json::Value;
use tokio::sync::oneshot;

use crate::{
    column::millis,
    error::{Problem, failed},
    prompt::data_version,
    runs,
    threads::Threads,
};

/// How often the thread looks for what other programs have answered, while somebody waits.
const PERIOD: Duration = Duration::from_millis(150);

/// Leaves an answer.
pub(crate) fn leave(
    connection: &Connection,
    run: &RunId,
    key: &CallKey,
    answer: &Value,
) -> Result<(), Problem> {
    let known = runs::find(connection, run)?.ok_or_else(|| runs::unknown(run))?;
    known.summary.check_answer(key, answer)?;
    let mut statement = connection.prepare_cached(
        "INSERT OR REPLACE INTO answers (run, key, at, answer) VALUES (?, ?, ?, ?)",
    )?;
    let (key, at, answer) = (key.to_string(), millis(SystemTime::now()), answer.to_string());
    statement.execute(params![known.id, key, at, answer])?;
    Ok(())
}

/// The thread that waits for answers. It sleeps while nobody waits.
pub(crate) struct Watch {
    threads: Threads<Order>,
}

enum Order {
    Wait(Waiting),
    /// Something may have been answered through this store.
    Look,
}

/// The keys of what is answered, by run.
#[derive(Default)]
struct Answered(HashMap<String, HashSet<String>>);

impl Answered {
    fn contains(&self, waiting: &Waiting) -> bool {
        self.0.get(waiting.run.as_str()).is_some_and(|keys| keys.contains(&waiting.key))
    }
}

struct Waiting {
    run: RunId,
    key: String,
    to: oneshot::Sender<Result<Value, StoreError>>,
}

impl Watch {
    pub(crate) fn start(connection: Connection) -> io::Result<Self> {
        let watcher = Watcher { connection, waiting: Vec::new(), version: 0 };
        Ok(Self { threads: Threads::one("watch", move |inbox| watcher.run(&inbox))? })
    }

    /// The answer, once there is one.
    pub(crate) async fn wait(&self, run: &RunId, key: &CallKey) -> Result<Value, StoreError> {
        let (to, answer) = oneshot::channel();
        let waiting = Waiting { run: run.clone(), key: key.to_string(), to };
        self.threads.order(Order::Wait(waiting));
        answer.await.unwrap_or_else(|gone| Err(failed(WHAT, "", gone)))
    }

    pub(crate) fn look(&self) {
        self.threads.order(Order::Look);
    }
}

const WHAT: &str = "waiting for an answer";

struct Watcher {
    connection: Connection,
    waiting: Vec<Waiting>,
    version: i64,
}

impl Watcher {
    fn run(mut self, inbox: &Receiver<Order>) {
        let mut looked = Instant::now();
        loop {
            let order = if self.waiting.is_empty() {
                inbox.recv().map_err(|_| RecvTimeoutError::Disconnected)
            } else if looked.elapsed() >= PERIOD {
                // However many orders come, what other programs have answered is not left lying.
                looked = Instant::now();
                self.look_if_changed();
                continue;
            } else {
                inbox.recv_timeout(PERIOD.saturating_sub(looked.elapsed()))
            };
            match order {
                Ok(Order::Wait(waiting)) => self.waiting.extend(self.look_for(waiting)),
                Ok(Order::Look) => self.look(),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return,
            }
        }
    }

    fn look_if_changed(&mut self) {
        match data_version(&self.connection) {
            Ok(version) if version == self.version => {
                self.waiting.retain(|waiting| !waiting.to.is_closed());
            }
            Ok(version) => {
                self.version = version;
                self.look();
            }
            // What is wrong is told to those who wait.
            Err(_) => self.look(),
        }
    }

    fn look(&mut self) {
        self.waiting.retain(|waiting| !waiting.to.is_closed());
        if self.waiting.is_empty() {
            return;
        }
        let answered = answered(&self.connection).ok();
        let waiting = std::mem::take(&mut self.waiting);
        let look_for = |waiting| match &answered {
            Some(answered) if !answered.contains(&waiting) => Some(waiting),
            // What is wrong is told to those who wait.
            _ => self.look_for(waiting),
        };
        self.waiting = waiting.into_iter().filter_map(look_for).collect();
    }

    /// Gives back whoever has to wait on.
    fn look_for(&self, waiting: Waiting) -> Option<Waiting> {
        let outcome = match find(&self.connection, &waiting) {
            Ok(None) if waiting.to.is_closed() => return None,
            Ok(None) => return Some(waiting),
            Ok(Some(answer)) => serde_json::from_str(&answer)
                .map_err(|error| failed(WHAT, ": the stored one is not JSON", error)),
            Err(problem) => Err(problem.into_error(WHAT)),
        };
        // Nobody may wait for it any more.
        let _ = waiting.to.send(outcome);
        None
    }
}

fn find(connection: &Connection, waiting: &Waiting) -> Result<Option<String>, Problem> {
    let mut statement = connection.prepare_cached(
        "SELECT answer FROM answers WHERE run = (SELECT id FROM runs WHERE run = ?) AND key = ?",
    )?;
    let answer = statement.query_row(params![waiting.run.as_str(), waiting.key], |row| row.get(0));
    Ok(answer.optional()?)
}

/// All that is answered and not taken yet: one query, however many wait.
fn answered(connection: &Connection) -> Result<Answered, Problem> {
    let mut statement = connection.prepare_cached(
        "SELECT runs.run, key FROM answers CROSS JOIN runs ON runs.id = answers.run",
    )?;
    let mut answered = Answered::default();
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        answered.0.entry(row.get(0)?).or_default().insert(row.get(1)?);
    }
    Ok(answered)
}

#[cfg(test)]
mod tests {
    use std::sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    };

    use super::*;

    const WAITERS: usize = 10_000;

    /// SQLite tells how much work a query is in instructions of its own.
    #[test]
    fn an_answer_costs_the_same_however_many_wait() {
        let mut connection = Connection::open_in_memory().unwrap();
        crate::schema::migrate(&mut connection).unwrap();
        let insert = "INSERT INTO runs VALUES (7, 'run-7', '', '', 0, '', 0, 0, 0, 0, 0, 0, 0, 0, NULL, NULL, NULL)";
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
        let waiting = to.into_iter().enumerate().map(|(number, to)| Waiting {
            run: format!("run-{number}").parse().unwrap(),
            key: "ask#1@1".to_owned(),
            to,
        });
        let mut watcher = Watcher { connection, waiting: waiting.collect(), version: 0 };
        watcher.look();
        assert_eq!(watcher.waiting.len(), WAITERS - 1);
        assert_eq!(answers[7].try_recv().unwrap().unwrap(), Value::Bool(true));
        let steps = steps.load(Ordering::Relaxed);
        assert!(steps < 200, "{steps} instructions");

        answers.truncate(20);
        watcher.look();
        assert_eq!(watcher.waiting.len(), 19, "nobody looks for those who have gone");
    }
}
