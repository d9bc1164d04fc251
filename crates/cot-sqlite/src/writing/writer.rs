//! The writing thread.
//!
//! All waiting tasks are written in one transaction, so that many runs share the cost of a durable
//! commit; each task succeeds or fails alone. A run that is alone may write small records in place,
//! without the thread: waking the thread and being woken by it would take longer than the write.

use std::{
    io, iter, mem,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU64, AtomicUsize, Ordering},
        mpsc::{Receiver, RecvTimeoutError},
    },
    time::Duration,
};

use cot_store::StoreError;
use rusqlite::Connection;
use tokio::sync::oneshot;

use crate::{
    driving::lease,
    error::{BusyError, OperationError, failed},
    threads::Threads,
    writing::{checkpointer::Checkpointer, write_connection::WriteConnection},
};

/// The limit on tasks that are committed together.
const MAX_GROUP: usize = 512;

/// The delay before a failed release of a lease is retried if no other task arrives.
const RETRY_DELAY: Duration = Duration::from_secs(1);

/// The size in bytes up to which records are written in place.
const MAX_IN_PLACE_BYTES: usize = 1 << 16;

/// The writing thread, and the connection for writes in place. Dropping it waits until all tasks are
/// done.
pub(crate) struct Writer {
    threads: Threads<WriteTask>,
    queue: Arc<Queue>,
    /// Whether callers may write without the thread.
    may_write_in_place: bool,
}

/// The state that the thread and the callers share.
struct Queue {
    db: Mutex<WriteConnection>,
    /// The number of tasks that are sent and not done yet.
    length: AtomicUsize,
}

enum WriteTask {
    /// Work within a transaction.
    Job(Box<dyn Job>),
    /// Work that must run outside of a transaction.
    OutsideTransaction(Box<dyn FnOnce(&mut WriteConnection) + Send>),
    /// Releases the lease of this epoch, after all earlier tasks.
    Release(Arc<AtomicU64>),
}

/// Work within a transaction. It may be attempted again after a rollback.
trait Job: Send {
    fn attempt(&mut self, db: &mut WriteConnection) -> Result<(), JobFailed>;
    /// Reports the outcome to the caller.
    fn answer(self: Box<Self>, committed: Result<(), OperationError>);
}

/// Marks a failed attempt; the job stores the error itself.
struct JobFailed;

struct TransactionJob<T, F> {
    what: &'static str,
    work: F,
    outcome: Option<Result<T, OperationError>>,
    to: oneshot::Sender<Answer<T, F>>,
}

/// The outcome of a job, and its work, which holds records that the caller's thread allocated. That thread
/// drops them: if this one did, both would contend for a lock of the allocator.
type Answer<T, F> = (Result<T, StoreError>, F);

impl<T, F> Job for TransactionJob<T, F>
where
    T: Send,
    F: FnMut(&mut WriteConnection) -> Result<T, OperationError> + Send,
{
    fn attempt(&mut self, db: &mut WriteConnection) -> Result<(), JobFailed> {
        let outcome = (self.work)(db);
        let done = outcome.as_ref().map(|_| ()).map_err(|_| JobFailed);
        self.outcome = Some(outcome);
        done
    }

    fn answer(self: Box<Self>, committed: Result<(), OperationError>) {
        let outcome = match (self.outcome, committed) {
            (Some(Err(problem)), _) | (_, Err(problem)) => Err(problem.into_error(self.what)),
            (Some(Ok(outcome)), Ok(())) => Ok(outcome),
            (None, Ok(())) => Err(failed(self.what, "", "the work was not done")),
        };
        // The receiver may be dropped.
        let _ = self.to.send((outcome, self.work));
    }
}

impl Writer {
    /// Starts the thread. `log` is a connection that moves the write-ahead log.
    pub(crate) fn start(
        db: WriteConnection,
        log: Connection,
        may_write_in_place: bool,
    ) -> io::Result<Self> {
        let log_pages = db.log.shared();
        let queue = Arc::new(Queue { db: Mutex::new(db), length: AtomicUsize::new(0) });
        let shared = Arc::clone(&queue);
        let checkpointer = Checkpointer::start(log, log_pages, move || shared.db().checkpoint())?;
        let shared = Arc::clone(&queue);
        let threads = Threads::one("write", move |inbox| write(&shared, &checkpointer, &inbox))?;
        Ok(Self { threads, queue, may_write_in_place })
    }

    /// Runs `work` in a transaction and waits until it is durable. `what` describes it in errors. The
    /// work is done even if the future is dropped.
    pub(crate) async fn perform<T: Send + 'static>(
        &self,
        what: &'static str,
        work: impl FnMut(&mut WriteConnection) -> Result<T, OperationError> + Send + 'static,
    ) -> Result<T, StoreError> {
        let (to, answer) = oneshot::channel();
        self.send(WriteTask::Job(Box::new(TransactionJob { what, work, outcome: None, to })));
        let (outcome, _work) = answer.await.map_err(|gone| failed(what, "", gone))?;
        outcome
    }

    /// Runs `work` that writes about `bytes` bytes: in place if possible, otherwise on the thread.
    pub(crate) async fn perform_sized(
        &self,
        what: &'static str,
        bytes: usize,
        mut work: impl FnMut(&mut WriteConnection) -> Result<(), OperationError> + Send + 'static,
    ) -> Result<(), StoreError> {
        if bytes <= MAX_IN_PLACE_BYTES
            && let Some(done) = self.try_in_place(&mut work)
        {
            return done.map_err(|problem| problem.into_error(what));
        }
        self.perform(what, work).await
    }

    /// Runs `work` now, unless it would have to wait for another writer.
    fn try_in_place(
        &self,
        work: impl FnMut(&mut WriteConnection) -> Result<(), OperationError>,
    ) -> Option<Result<(), OperationError>> {
        if !self.may_write_in_place || self.queue.length.load(Ordering::Acquire) > 0 {
            return None;
        }
        let mut db = self.queue.db.try_lock().ok()?;
        // Appends of several runs are better committed together, by the thread.
        let is_alone = db.owners.is_alone() && db.releases.is_empty();
        if !is_alone || !db.only_appends_to_log() {
            return None;
        }
        let done = db.transaction_at_once(work);
        let is_busy =
            done.as_ref().is_err_and(|problem| BusyError::from_operation(problem).is_some());
        (!is_busy).then_some(done)
    }

    /// Runs `work` outside of a transaction.
    pub(crate) async fn perform_outside_transaction<T: Send + 'static>(
        &self,
        what: &'static str,
        work: impl FnOnce(&mut WriteConnection) -> Result<T, OperationError> + Send + 'static,
    ) -> Result<T, StoreError> {
        let (to, answer) = oneshot::channel();
        self.send_outside_transaction(move |db| {
            let outcome = work(db).map_err(|problem| problem.into_error(what));
            // The receiver may be dropped.
            let _ = to.send(outcome);
        });
        answer.await.unwrap_or_else(|gone| Err(failed(what, "", gone)))
    }

    /// Runs `work` outside of a transaction, after all earlier tasks.
    pub(crate) fn send_outside_transaction(
        &self,
        work: impl FnOnce(&mut WriteConnection) + Send + 'static,
    ) {
        self.send(WriteTask::OutsideTransaction(Box::new(work)));
    }

    /// Releases a lease in the background. JobFailed releases are retried.
    pub(crate) fn release(&self, epoch: Arc<AtomicU64>) {
        self.send(WriteTask::Release(epoch));
    }

    fn send(&self, task: WriteTask) {
        self.queue.length.fetch_add(1, Ordering::AcqRel);
        self.threads.send(task);
    }
}

impl Queue {
    /// Locks the connection. A panic of an earlier holder leaves at most an open transaction, which the
    /// next one rolls back.
    fn db(&self) -> MutexGuard<'_, WriteConnection> {
        self.db.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn write(queue: &Queue, checkpointer: &Checkpointer, inbox: &Receiver<WriteTask>) {
    let mut has_pending = false;
    loop {
        let first = match next(inbox, has_pending) {
            Ok(task) => task,
            Err(RecvTimeoutError::Timeout) => {
                has_pending = try_release(&mut queue.db());
                continue;
            }
            Err(RecvTimeoutError::Disconnected) => break,
        };
        let tasks: Vec<WriteTask> =
            iter::once(first).chain(inbox.try_iter().take(MAX_GROUP - 1)).collect();
        let count = tasks.len();
        let mut db = queue.db();
        let done = carry_out(&mut db, tasks);
        has_pending = !db.releases.is_empty();
        let (is_log_long, is_log_too_long) = (db.is_log_long(), db.is_log_too_long());
        drop(db);
        queue.length.fetch_sub(count, Ordering::AcqRel);
        // Reports after the connection is unlocked, so that callers can write in place.
        done.into_iter().for_each(|(job, committed)| job.answer(committed));
        if is_log_long {
            checkpointer.request();
        }
        if is_log_too_long {
            checkpointer.wait();
        }
    }
    // Optional, since a lease without a live owner is invalid.
    try_release(&mut queue.db());
}

/// Waits for the next task, with a timeout while releases are pending.
fn next(inbox: &Receiver<WriteTask>, has_pending: bool) -> Result<WriteTask, RecvTimeoutError> {
    if has_pending {
        inbox.recv_timeout(RETRY_DELAY)
    } else {
        inbox.recv().map_err(|_| RecvTimeoutError::Disconnected)
    }
}

/// A finished job, and whether its transaction was committed.
type Done = (Box<dyn Job>, Result<(), OperationError>);

fn carry_out(db: &mut WriteConnection, tasks: Vec<WriteTask>) -> Vec<Done> {
    let mut group: Vec<Box<dyn Job>> = Vec::with_capacity(tasks.len() + 1);
    let mut done = Vec::new();
    if !db.releases.is_empty() {
        group.push(Box::new(ReleaseJob { until: db.releases.last() }));
    }
    for task in tasks {
        match task {
            WriteTask::Job(job) => group.push(job),
            WriteTask::Release(epoch) => {
                group.push(Box::new(ReleaseJob { until: db.releases.add(epoch) }));
            }
            WriteTask::OutsideTransaction(work) => {
                done.extend(commit(db, mem::take(&mut group)));
                work(db);
            }
        }
    }
    done.extend(commit(db, group));
    done
}

/// Tries to release the pending leases without waiting for the database lock. Returns whether some
/// remain.
fn try_release(db: &mut WriteConnection) -> bool {
    if !db.releases.is_empty() {
        let until = db.releases.last();
        // Retried later.
        let _ = db.transaction_at_once(|db| lease::release_pending(db, until));
    }
    !db.releases.is_empty()
}

/// Releases the pending leases up to a position in their order.
struct ReleaseJob {
    until: u64,
}

impl Job for ReleaseJob {
    fn attempt(&mut self, db: &mut WriteConnection) -> Result<(), JobFailed> {
        lease::release_pending(db, self.until).map_err(|_| JobFailed)
    }

    fn answer(self: Box<Self>, _: Result<(), OperationError>) {}
}

/// Commits a group of jobs in one transaction; if that fails, each job in its own.
fn commit(db: &mut WriteConnection, mut group: Vec<Box<dyn Job>>) -> Vec<Done> {
    let together = if group.len() > 1 { together(db, &mut group) } else { Err(None) };
    let each = group.into_iter().map(|mut job| {
        let committed = match &together {
            Ok(()) => Ok(()),
            Err(Some(busy)) => Err(busy.clone().into()),
            Err(None) => alone(db, &mut *job),
        };
        (job, committed)
    });
    each.collect()
}

/// Runs all jobs in one transaction, which fails if one of them fails: that is rare, and savepoints
/// would cost each job time. If another program holds the database lock, jobs are not retried alone,
/// since each would wait as long.
fn together(db: &mut WriteConnection, group: &mut [Box<dyn Job>]) -> Result<(), Option<BusyError>> {
    let done = db.transaction(|db| group.iter_mut().try_for_each(|job| attempt(db, &mut **job)));
    done.map_err(|problem| BusyError::from_operation(&problem))
}

fn alone(db: &mut WriteConnection, job: &mut dyn Job) -> Result<(), OperationError> {
    let mut is_done = true;
    let committed = db.transaction(|db| {
        let attempted = attempt(db, job);
        is_done = attempted.is_ok();
        attempted
    });
    if is_done { committed } else { Ok(()) }
}

/// Attempts a job. The error is only a marker: the job has its own error.
fn attempt(db: &mut WriteConnection, job: &mut dyn Job) -> Result<(), OperationError> {
    job.attempt(db).map_err(|JobFailed| rusqlite::Error::InvalidQuery.into())
}
