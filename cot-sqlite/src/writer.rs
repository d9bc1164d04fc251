//! The thread that writes.
//!
//! It owns the one connection of a store that writes. What waits when it comes round is written in one
//! transaction, so that many runs share the price of making it durable; each succeeds or fails for itself.

use std::{
    io, mem,
    sync::{
        Arc,
        atomic::AtomicU64,
        mpsc::{Receiver, RecvTimeoutError},
    },
    time::Duration,
};

use cot_core::store::StoreError;
use rusqlite::Connection;
use tokio::sync::oneshot;

use crate::{
    driven::Driven,
    error::{Busy, Problem, failed},
    lease::{self, Owed},
    owner::Owners,
    prompt::{FixedTexts, data_version},
    threads::Threads,
};

/// How many pieces of work are committed together at most.
const GROUP: usize = 512;

/// How long a lease that could not be given back waits for the next piece of work, before it is tried alone.
const AGAIN: Duration = Duration::from_secs(1);

/// What only the writer has.
#[derive(Debug)]
pub(crate) struct Desk {
    pub(crate) connection: Connection,
    pub(crate) fixed: FixedTexts,
    pub(crate) driven: Driven,
    pub(crate) owners: Arc<Owners>,
    pub(crate) owed: Owed,
    /// Changes when another program has written, and might have dropped a text or taken a run.
    version: i64,
}

impl Desk {
    pub(crate) fn new(connection: Connection, owners: Arc<Owners>) -> Self {
        Self {
            connection,
            fixed: FixedTexts::default(),
            driven: Driven::default(),
            owners,
            owed: Owed::default(),
            version: 0,
        }
    }

    /// Forgets all that is known of the database, as what was written is undone.
    fn forget(&mut self) {
        self.fixed.forget();
        self.driven.forget();
        self.owed.undo();
    }

    /// Forgets what other programs may have changed.
    fn renew(&mut self) -> Result<(), Problem> {
        let version = data_version(&self.connection)?;
        if version != self.version {
            self.forget();
            self.version = version;
        }
        Ok(())
    }
}

/// The writing thread. Dropping it waits until all that was asked for is written.
pub(crate) struct Writer {
    threads: Threads<Task>,
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
    pub(crate) fn start(desk: Desk) -> io::Result<Self> {
        Ok(Self { threads: Threads::one("write", move |inbox| write(desk, &inbox))? })
    }

    /// Does work in a transaction and waits until it is durable. `what` says in words what it is. It is done
    /// even if nobody waits for it.
    pub(crate) async fn perform<T: Send + 'static>(
        &self,
        what: &'static str,
        work: impl FnMut(&mut Desk) -> Result<T, Problem> + Send + 'static,
    ) -> Result<T, StoreError> {
        let (to, answer) = oneshot::channel();
        self.threads.order(Task::Job(Box::new(Work { what, work, outcome: None, to })));
        answer.await.unwrap_or_else(|gone| Err(failed(what, "", gone)))
    }

    /// Does work that no transaction may surround.
    pub(crate) async fn perform_bare<T: Send + 'static>(
        &self,
        what: &'static str,
        work: impl FnOnce(&mut Desk) -> Result<T, Problem> + Send + 'static,
    ) -> Result<T, StoreError> {
        let (to, answer) = oneshot::channel();
        self.threads.order(Task::Bare(Box::new(move |desk| {
            let outcome = work(desk).map_err(|problem| problem.into_error(what));
            // Nobody may wait for it any more.
            let _ = to.send(outcome);
        })));
        answer.await.unwrap_or_else(|gone| Err(failed(what, "", gone)))
    }

    /// Gives a lease back, some time soon: nobody waits for it. If it fails, it is tried again.
    pub(crate) fn give_back(&self, epoch: Arc<AtomicU64>) {
        self.threads.order(Task::GiveBack(epoch));
    }
}

fn write(mut desk: Desk, inbox: &Receiver<Task>) {
    loop {
        let mut group: Vec<Box<dyn Job>> = Vec::new();
        // What could not be given back before.
        if !desk.owed.is_empty() {
            group.push(GivingBack::all(&desk));
        }
        let first = match next(&desk, inbox) {
            Ok(task) => Some(task),
            Err(RecvTimeoutError::Timeout) => None,
            Err(RecvTimeoutError::Disconnected) => break,
        };
        for task in first.into_iter().chain(inbox.try_iter().take(GROUP - 1)) {
            match task {
                Task::Job(job) => group.push(job),
                Task::GiveBack(epoch) => {
                    group.push(Box::new(GivingBack { until: desk.owed.add(epoch) }));
                }
                Task::Bare(work) => {
                    commit(&mut desk, mem::take(&mut group));
                    work(&mut desk);
                }
            }
        }
        commit(&mut desk, group);
    }
    close(desk);
}

/// What is to be done next. What is owed is tried again after a while, if nothing else is.
fn next(desk: &Desk, inbox: &Receiver<Task>) -> Result<Task, RecvTimeoutError> {
    if desk.owed.is_empty() {
        inbox.recv().map_err(|_| RecvTimeoutError::Disconnected)
    } else {
        inbox.recv_timeout(AGAIN)
    }
}

/// Tries a last time to give back what is owed. Without its owner a lease is worth nothing, so this is for the
/// sake of order, and takes no time.
fn close(mut desk: Desk) {
    if !desk.owed.is_empty() && desk.connection.busy_timeout(Duration::ZERO).is_ok() {
        let all = GivingBack::all(&desk);
        commit(&mut desk, vec![all]);
    }
}

/// Gives leases back that nobody holds any more, and that are owed until that is done.
struct GivingBack {
    until: u64,
}

impl GivingBack {
    fn all(desk: &Desk) -> Box<dyn Job> {
        Box::new(Self { until: desk.owed.last() })
    }
}

impl Job for GivingBack {
    fn attempt(&mut self, desk: &mut Desk) -> Result<(), Failed> {
        lease::give_back(desk, self.until).map_err(|_| Failed)
    }

    fn answer(self: Box<Self>, _: Result<(), Problem>) {}
}

/// Writes a group in one transaction; if nothing comes of that, each piece in its own.
fn commit(desk: &mut Desk, mut group: Vec<Box<dyn Job>>) {
    let together = if group.len() > 1 { together(desk, &mut group) } else { Err(None) };
    for job in group {
        match &together {
            Ok(()) => job.answer(Ok(())),
            Err(Some(busy)) => job.answer(Err(busy.clone().into())),
            Err(None) => alone(desk, job),
        }
    }
}

/// One transaction for all, which comes to nothing when one of them fails: that is rare, and savepoints for
/// it would cost each. When another program keeps the database locked, there is no use in trying again: each
/// would wait as long.
fn together(desk: &mut Desk, group: &mut [Box<dyn Job>]) -> Result<(), Option<Busy>> {
    let done = within(desk, |desk| group.iter_mut().try_for_each(|job| attempt(desk, &mut **job)));
    done.map_err(|problem| Busy::of(&problem))
}

fn alone(desk: &mut Desk, mut job: Box<dyn Job>) {
    let mut is_done = true;
    let committed = within(desk, |desk| {
        let attempted = attempt(desk, &mut *job);
        is_done = attempted.is_ok();
        attempted
    });
    job.answer(if is_done { committed } else { Ok(()) });
}

/// The error says no more than that there is one: the job has an error of its own to tell.
fn attempt(desk: &mut Desk, job: &mut dyn Job) -> Result<(), Problem> {
    job.attempt(desk).map_err(|Failed| rusqlite::Error::InvalidQuery.into())
}

/// All or nothing.
fn within(
    desk: &mut Desk,
    work: impl FnOnce(&mut Desk) -> Result<(), Problem>,
) -> Result<(), Problem> {
    let done = say(desk, "BEGIN IMMEDIATE").and_then(|()| {
        desk.renew()?;
        work(desk)?;
        say(desk, "COMMIT")
    });
    if done.is_ok() {
        desk.owed.settle();
    } else {
        desk.forget();
        if !desk.connection.is_autocommit() {
            // The first error says more than one about the way back.
            let _ = say(desk, "ROLLBACK");
        }
    }
    done
}

fn say(desk: &Desk, statement: &str) -> Result<(), Problem> {
    desk.connection.prepare_cached(statement)?.execute([])?;
    Ok(())
}
