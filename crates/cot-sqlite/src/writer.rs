//! The thread that writes.
//!
//! What waits when it comes round is written in one transaction, so that many runs share the price of making
//! it durable; each succeeds or fails for itself. A run that is alone may write what is small in place, without
//! the thread: to wake it and to be woken by it would take longer than to write.

use std::{
    io, iter, mem,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU64, AtomicUsize, Ordering},
        mpsc::{Receiver, RecvTimeoutError},
    },
    time::Duration,
};

use cot_core::store::StoreError;
use tokio::sync::oneshot;

use crate::{
    desk::Desk,
    error::{Busy, Problem, failed},
    lease,
    threads::Threads,
};

/// How many pieces of work are committed together at most.
const GROUP: usize = 512;

/// How long a lease that could not be given back waits for the next piece of work, before it is tried alone.
const AGAIN: Duration = Duration::from_secs(1);

/// More than so many bytes are left to the thread.
const SMALL: usize = 1 << 16;

/// The writing thread, and those who write without it. Dropping it waits until all that was asked for is
/// written.
pub(crate) struct Writer {
    threads: Threads<Task>,
    queue: Arc<Queue>,
    /// Whether those who ask may write for themselves.
    may_write_in_place: bool,
}

/// What the thread has to do, and with what.
struct Queue {
    desk: Mutex<Desk>,
    /// How much is asked for and not done yet.
    length: AtomicUsize,
}

enum Task {
    /// Work within a transaction.
    Job(Box<dyn Job>),
    /// Work that no transaction may surround.
    Bare(Box<dyn FnOnce(&mut Desk) + Send>),
    /// The lease of this epoch is given back, after all that was asked for before.
    GiveBack(Arc<AtomicU64>),
}

/// Work within a transaction. It may be done more than once: whatever it did before was undone then.
trait Job: Send {
    fn attempt(&mut self, desk: &mut Desk) -> Result<(), Failed>;
    /// Says what came of it.
    fn answer(self: Box<Self>, committed: Result<(), Problem>);
}

/// The piece of work keeps its error to itself.
struct Failed;

struct Work<T, F> {
    what: &'static str,
    work: F,
    outcome: Option<Result<T, Problem>>,
    to: oneshot::Sender<Result<T, StoreError>>,
}

impl<T, F> Job for Work<T, F>
where
    T: Send,
    F: FnMut(&mut Desk) -> Result<T, Problem> + Send,
{
    fn attempt(&mut self, desk: &mut Desk) -> Result<(), Failed> {
        let outcome = (self.work)(desk);
        let done = outcome.as_ref().map(|_| ()).map_err(|_| Failed);
        self.outcome = Some(outcome);
        done
    }

    fn answer(self: Box<Self>, committed: Result<(), Problem>) {
        let outcome = match (self.outcome, committed) {
            (Some(Err(problem)), _) | (_, Err(problem)) => Err(problem.into_error(self.what)),
            (Some(Ok(outcome)), Ok(())) => Ok(outcome),
            (None, Ok(())) => Err(failed(self.what, "", "the work was not done")),
        };
        // Nobody may wait for it any more.
        let _ = self.to.send(outcome);
    }
}

impl Writer {
    pub(crate) fn start(desk: Desk, may_write_in_place: bool) -> io::Result<Self> {
        let queue = Arc::new(Queue { desk: Mutex::new(desk), length: AtomicUsize::new(0) });
        let of_thread = Arc::clone(&queue);
        let threads = Threads::one("write", move |inbox| write(&of_thread, &inbox))?;
        Ok(Self { threads, queue, may_write_in_place })
    }

    /// Does work in a transaction and waits until it is durable. `what` says in words what it is. It is done
    /// even if nobody waits for it.
    pub(crate) async fn perform<T: Send + 'static>(
        &self,
        what: &'static str,
        work: impl FnMut(&mut Desk) -> Result<T, Problem> + Send + 'static,
    ) -> Result<T, StoreError> {
        let (to, answer) = oneshot::channel();
        self.order(Task::Job(Box::new(Work { what, work, outcome: None, to })));
        answer.await.unwrap_or_else(|gone| Err(failed(what, "", gone)))
    }

    /// The same for work that writes so many bytes: in place, where that may be.
    pub(crate) async fn perform_soon(
        &self,
        what: &'static str,
        bytes: usize,
        mut work: impl FnMut(&mut Desk) -> Result<(), Problem> + Send + 'static,
    ) -> Result<(), StoreError> {
        if bytes <= SMALL
            && let Some(done) = self.try_in_place(&mut work)
        {
            return done.map_err(|problem| problem.into_error(what));
        }
        self.perform(what, work).await
    }

    /// Does work now, if nobody else has to be waited for.
    fn try_in_place(
        &self,
        work: impl FnMut(&mut Desk) -> Result<(), Problem>,
    ) -> Option<Result<(), Problem>> {
        if !self.may_write_in_place || self.queue.length.load(Ordering::Acquire) > 0 {
            return None;
        }
        let mut desk = self.queue.desk.try_lock().ok()?;
        // What several runs append is better written together, and not by their executor.
        let is_alone = desk.owners.is_alone() && desk.owed.is_empty();
        if !is_alone || !desk.only_adds_to_log() {
            return None;
        }
        let done = desk.transaction_at_once(work);
        let is_busy = done.as_ref().is_err_and(|problem| Busy::of(problem).is_some());
        (!is_busy).then_some(done)
    }

    /// Does work that no transaction may surround.
    pub(crate) async fn perform_bare<T: Send + 'static>(
        &self,
        what: &'static str,
        work: impl FnOnce(&mut Desk) -> Result<T, Problem> + Send + 'static,
    ) -> Result<T, StoreError> {
        let (to, answer) = oneshot::channel();
        self.order(Task::Bare(Box::new(move |desk| {
            let outcome = work(desk).map_err(|problem| problem.into_error(what));
            // Nobody may wait for it any more.
            let _ = to.send(outcome);
        })));
        answer.await.unwrap_or_else(|gone| Err(failed(what, "", gone)))
    }

    /// Gives a lease back, some time soon: nobody waits for it. If it fails, it is tried again.
    pub(crate) fn give_back(&self, epoch: Arc<AtomicU64>) {
        self.order(Task::GiveBack(epoch));
    }

    fn order(&self, task: Task) {
        self.queue.length.fetch_add(1, Ordering::AcqRel);
        self.threads.order(task);
    }
}

impl Queue {
    /// A panic while somebody wrote left a transaction open at most: the next one fails, and undoes it.
    fn desk(&self) -> MutexGuard<'_, Desk> {
        self.desk.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn write(queue: &Queue, inbox: &Receiver<Task>) {
    let mut is_owing = false;
    loop {
        let first = match next(inbox, is_owing) {
            Ok(task) => task,
            Err(RecvTimeoutError::Timeout) => {
                is_owing = give_back(&mut queue.desk());
                continue;
            }
            Err(RecvTimeoutError::Disconnected) => break,
        };
        let tasks: Vec<Task> = iter::once(first).chain(inbox.try_iter().take(GROUP - 1)).collect();
        let count = tasks.len();
        let mut desk = queue.desk();
        let done = carry_out(&mut desk, tasks);
        is_owing = !desk.owed.is_empty();
        let is_log_long = desk.is_log_long();
        drop(desk);
        queue.length.fetch_sub(count, Ordering::AcqRel);
        // Whoever hears of it finds the desk free.
        done.into_iter().for_each(|(job, committed)| job.answer(committed));
        if is_log_long {
            queue.desk().shorten_log();
        }
    }
    // Without its owner a lease is worth nothing, so this is for the sake of order.
    give_back(&mut queue.desk());
}

/// What is to be done next. What is owed is tried again after a while, if nothing else is.
fn next(inbox: &Receiver<Task>, is_owing: bool) -> Result<Task, RecvTimeoutError> {
    if is_owing {
        inbox.recv_timeout(AGAIN)
    } else {
        inbox.recv().map_err(|_| RecvTimeoutError::Disconnected)
    }
}

/// A piece of work that is done, and whether it is in the database.
type Done = (Box<dyn Job>, Result<(), Problem>);

fn carry_out(desk: &mut Desk, tasks: Vec<Task>) -> Vec<Done> {
    let mut group: Vec<Box<dyn Job>> = Vec::with_capacity(tasks.len() + 1);
    let mut done = Vec::new();
    if !desk.owed.is_empty() {
        group.push(Box::new(GivingBack { until: desk.owed.last() }));
    }
    for task in tasks {
        match task {
            Task::Job(job) => group.push(job),
            Task::GiveBack(epoch) => {
                group.push(Box::new(GivingBack { until: desk.owed.add(epoch) }));
            }
            Task::Bare(work) => {
                done.extend(commit(desk, mem::take(&mut group)));
                work(desk);
            }
        }
    }
    done.extend(commit(desk, group));
    done
}

/// Tries to give back what is owed; whether something still is. It is not urgent, so nobody is waited for.
fn give_back(desk: &mut Desk) -> bool {
    if !desk.owed.is_empty() {
        let until = desk.owed.last();
        // It is tried again.
        let _ = desk.transaction_at_once(|desk| lease::give_back(desk, until));
    }
    !desk.owed.is_empty()
}

/// Gives leases back that nobody holds any more, and that are owed until that is done.
struct GivingBack {
    until: u64,
}

impl Job for GivingBack {
    fn attempt(&mut self, desk: &mut Desk) -> Result<(), Failed> {
        lease::give_back(desk, self.until).map_err(|_| Failed)
    }

    fn answer(self: Box<Self>, _: Result<(), Problem>) {}
}

/// Writes a group in one transaction; if nothing comes of that, each piece in its own.
fn commit(desk: &mut Desk, mut group: Vec<Box<dyn Job>>) -> Vec<Done> {
    let together = if group.len() > 1 { together(desk, &mut group) } else { Err(None) };
    let each = group.into_iter().map(|mut job| {
        let committed = match &together {
            Ok(()) => Ok(()),
            Err(Some(busy)) => Err(busy.clone().into()),
            Err(None) => alone(desk, &mut *job),
        };
        (job, committed)
    });
    each.collect()
}

/// One transaction for all, which comes to nothing when one of them fails: that is rare, and savepoints for
/// it would cost each. When another program keeps the database locked, there is no use in trying again: each
/// would wait as long.
fn together(desk: &mut Desk, group: &mut [Box<dyn Job>]) -> Result<(), Option<Busy>> {
    let done =
        desk.transaction(|desk| group.iter_mut().try_for_each(|job| attempt(desk, &mut **job)));
    done.map_err(|problem| Busy::of(&problem))
}

fn alone(desk: &mut Desk, job: &mut dyn Job) -> Result<(), Problem> {
    let mut is_done = true;
    let committed = desk.transaction(|desk| {
        let attempted = attempt(desk, job);
        is_done = attempted.is_ok();
        attempted
    });
    if is_done { committed } else { Ok(()) }
}

/// The error says no more than that there is one: the job has an error of its own to tell.
fn attempt(desk: &mut Desk, job: &mut dyn Job) -> Result<(), Problem> {
    job.attempt(desk).map_err(|Failed| rusqlite::Error::InvalidQuery.into())
}
