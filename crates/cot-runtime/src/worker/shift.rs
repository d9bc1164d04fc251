//! The loop of a worker.

use std::{
    cmp::Reverse,
    collections::HashMap,
    future::{pending, poll_fn},
    pin::{Pin, pin},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    task::{Context, Poll},
    time::Duration,
};

use cot_engine::internal::describe_panic;
use cot_schema::internal::sentence;
use cot_store::{DueFilter, DueRun, RunId, StoreError};
use tokio::task::{Id, JoinError, JoinSet};

use crate::{
    clock::{self, Deadline},
    persistence::supervision::Supervision,
    runner::error::RunError,
    worker::{
        claim::{self, Claim, ClaimEnd},
        error::WorkerError,
        event::WorkerEvent,
        held_back::{HeldBack, retry_delay},
        process::DriveEnd,
        settings::Settings,
        verdict::Verdict,
    },
};

/// How long to wait for runs that were dropped before the worker returns: only a function that blocks its thread
/// takes longer.
const DROP_TIME: Duration = Duration::from_secs(1);

/// A worker at work.
pub(super) struct Shift {
    settings: Settings,
    running: JoinSet<Result<ClaimEnd, RunError>>,
    /// The runs in memory.
    in_hand: HashMap<Id, InHand>,
    held_back: HeldBack,
    is_stopping: Arc<AtomicBool>,
    /// How many times the store has failed in a row, and when it is tried again.
    trouble: u32,
    paused_until: Option<Deadline>,
    /// Whether more runs were due than the worker could take.
    has_more: bool,
    /// Whether it has driven one of those that it took. Otherwise other workers have them, and looking again at once
    /// would only burden the store.
    has_driven: bool,
    /// The failure of the store that ends the work, if one does.
    fatal: Option<StoreError>,
    ends_when_idle: bool,
}

/// A run in memory.
struct InHand {
    due: DueRun,
    supervision: Arc<Supervision>,
    /// Whether its next crash would set it aside.
    is_suspect: bool,
}

/// The end of the task of a run, or its panic.
type RunEnd = Result<(Id, Result<ClaimEnd, RunError>), JoinError>;

/// Why the loop wakes up.
enum Wake {
    Stop,
    Ended(RunEnd),
    /// The store has heard of a due run.
    Due,
    Time,
}

impl Shift {
    pub(super) fn new(settings: Settings) -> Self {
        Self {
            settings,
            running: JoinSet::new(),
            in_hand: HashMap::new(),
            held_back: HeldBack::default(),
            is_stopping: Arc::default(),
            trouble: 0,
            paused_until: None,
            has_more: false,
            has_driven: false,
            fatal: None,
            ends_when_idle: false,
        }
    }

    /// Works until nothing is left to do.
    pub(super) async fn run_until_idle(mut self) -> Result<(), WorkerError> {
        self.ends_when_idle = true;
        self.work(pin!(pending())).await
    }

    /// Works until `stop` resolves.
    pub(super) async fn work(
        &mut self,
        mut stop: Pin<&mut impl Future<Output = ()>>,
    ) -> Result<(), WorkerError> {
        let mut tick = Deadline::after(Duration::ZERO);
        let store = Arc::clone(&self.settings.store);
        // Waited for before the store is looked at, so that no news is missed.
        let mut news = store.wait_for_due();
        loop {
            if tick.is_over() || self.may_find_news() {
                tick = Deadline::after(self.settings.poll_interval());
                let found = self.claim_due().await;
                if !found && self.may_be_idle() && self.fatal.is_none() {
                    return Ok(());
                }
            }
            if self.ends_when_idle
                && let Some(error) = self.fatal.take()
            {
                return Err(error.into());
            }
            match self.next_wake(stop.as_mut(), news.as_mut(), &tick).await {
                Wake::Stop => break,
                Wake::Ended(ended) => self.settle(ended),
                Wake::Due => {
                    tick = Deadline::after(Duration::ZERO);
                    news = store.wait_for_due();
                }
                Wake::Time => {}
            }
        }
        self.shut_down().await;
        Ok(())
    }

    /// Returns whether the work may be over, if it ends when nothing is left.
    fn may_be_idle(&self) -> bool {
        self.ends_when_idle && self.running.is_empty() && !self.held_back.has_delayed()
    }

    /// Returns whether a look at the store before the next tick may show something new.
    fn may_find_news(&self) -> bool {
        let free = self.settings.max_runs.saturating_sub(self.running.len());
        let has_room = self.has_more && free.saturating_mul(4) >= self.settings.max_runs;
        self.has_driven && (has_room || self.may_be_idle())
    }

    async fn next_wake(
        &mut self,
        mut stop: Pin<&mut impl Future<Output = ()>>,
        mut news: Pin<&mut (dyn Future<Output = ()> + Send)>,
        tick: &Deadline,
    ) -> Wake {
        let mut time = pin!(tick.wait());
        poll_fn(|cx| {
            if stop.as_mut().poll(cx).is_ready() {
                return Poll::Ready(Wake::Stop);
            }
            if let Poll::Ready(ended) = self.poll_ended(cx) {
                return Poll::Ready(Wake::Ended(ended));
            }
            if news.as_mut().poll(cx).is_ready() {
                return Poll::Ready(Wake::Due);
            }
            time.as_mut().poll(cx).map(|()| Wake::Time)
        })
        .await
    }

    /// Polls for a run that is not driven any more; pending if none is driven.
    fn poll_ended(&mut self, cx: &mut Context<'_>) -> Poll<RunEnd> {
        match self.running.poll_join_next_with_id(cx) {
            Poll::Ready(Some(ended)) => Poll::Ready(ended),
            Poll::Ready(None) | Poll::Pending => Poll::Pending,
        }
    }

    /// Claims due runs, as many as there is room for. Returns whether there were any.
    async fn claim_due(&mut self) -> bool {
        if self.paused_until.as_ref().is_some_and(|pause| !pause.is_over()) {
            return true;
        }
        self.paused_until = None;
        let max_runs = self.settings.max_runs;
        let mut free = max_runs.saturating_sub(self.running.len());
        if self.trouble > 0 {
            // One run shows whether the store works again.
            free = free.min(1);
        }
        if free == 0 {
            return true;
        }
        // One more than there can be room for, to know whether there are more.
        let limit = max_runs.saturating_add(1);
        let mut filter = DueFilter::new(self.settings.names(), clock::now(), limit);
        filter.skip = self.held_back.skipped_now();
        let has_suspect =
            self.in_hand.values().any(|run| run.is_suspect && !run.supervision.has_progressed());
        filter.crashes_below = has_suspect.then(|| self.settings.suspect_from());
        let mut due = match self.settings.store.due(&filter).await {
            Ok(due) => due,
            Err(error) => {
                self.note_trouble(None, error);
                return true;
            }
        };
        // The next crash of the worst suspect may set it aside, so it is the first that can make progress.
        due.sort_by_key(|due| Reverse(due.crashes));
        (self.has_more, self.has_driven) = (false, false);
        let mut suspects = usize::from(has_suspect);
        let found = !due.is_empty();
        for due in due {
            let is_suspect = due.crashes >= self.settings.suspect_from();
            let is_in_hand = self.in_hand.values().any(|run| run.due.run == due.run);
            if is_in_hand || (is_suspect && suspects > 0) {
                continue;
            }
            if free == 0 {
                self.has_more = true;
                break;
            }
            suspects += usize::from(is_suspect);
            free -= 1;
            self.take(due, is_suspect);
        }
        found
    }

    fn take(&mut self, due: DueRun, is_suspect: bool) {
        let Some(process) = self.settings.process(&due.process) else { return };
        let supervision = Arc::new(Supervision::new(&self.is_stopping));
        let claim = Claim {
            due: due.clone(),
            store: Arc::clone(&self.settings.store),
            process,
            supervision: Arc::clone(&supervision),
            observers: self.settings.observers.clone(),
            max_crashes: self.settings.max_crashes,
        };
        let task = self.running.spawn(claim.perform());
        self.in_hand.insert(task.id(), InHand { due, supervision, is_suspect });
    }

    /// Acts on a run that is not driven any more.
    fn settle(&mut self, ended: RunEnd) {
        let (id, ended) = match ended {
            Ok((id, ended)) => (id, ended.map_err(Some)),
            Err(error) => (error.id(), Err(self.panic_error(error))),
        };
        let Some(InHand { due, supervision, .. }) = self.in_hand.remove(&id) else { return };
        match ended {
            Ok(end) => self.settle_end(due.run, end),
            Err(Some(error)) => self.settle_error(due, &supervision, error),
            // It was dropped.
            Err(None) => self.settings.observers.notify(&WorkerEvent::Released { run: due.run }),
        }
    }

    /// Returns the error of a run whose driver has panicked; `None` if it was dropped.
    fn panic_error(&self, error: JoinError) -> Option<RunError> {
        let run = self.in_hand.get(&error.id())?.due.run.clone();
        let panic = error.try_into_panic().ok()?;
        Some(RunError::Panicked { run, said: describe_panic(&*panic) })
    }

    fn settle_end(&mut self, run: RunId, end: ClaimEnd) {
        self.trouble = 0;
        self.held_back.forget(&run);
        let event = match end {
            ClaimEnd::NotDue => return,
            ClaimEnd::SetAside(why) => WorkerEvent::SetAside { run, why },
            ClaimEnd::Driven(DriveEnd::Ended { how, why }) => WorkerEvent::Ended { run, how, why },
            ClaimEnd::Driven(DriveEnd::Parked) => WorkerEvent::Parked { run },
            ClaimEnd::Driven(DriveEnd::Released) => WorkerEvent::Released { run },
        };
        self.has_driven = true;
        self.settings.observers.notify(&event);
    }

    fn settle_error(&mut self, due: DueRun, supervision: &Arc<Supervision>, error: RunError) {
        let DueRun { run, entries, .. } = due.clone();
        let verdict = Verdict::on_error(&error);
        if verdict != Verdict::StoreFailed {
            self.trouble = 0;
        }
        match (verdict, error) {
            (Verdict::LeaveIt, _) => {}
            (Verdict::Incompatible, error) => {
                self.held_back.hold(run.clone(), entries);
                self.settings.observers.notify(&WorkerEvent::Incompatible { run, error });
            }
            (Verdict::StoreFailed, RunError::Store(error)) => {
                let failures = self.held_back.count_failure(&run, entries);
                self.held_back.delay(run.clone(), retry_delay(failures));
                self.note_trouble(Some(run), error);
            }
            (Verdict::SetAside, error) => self.set_aside(due, supervision, &error),
            (_, error) => {
                let failures = self.held_back.count_failure(&run, entries);
                if failures >= self.settings.max_crashes {
                    return self.set_aside(due, supervision, &error);
                }
                let retry_in = retry_delay(failures);
                self.held_back.delay(run.clone(), retry_in);
                self.settings.observers.notify(&WorkerEvent::Failed { run, error, retry_in });
            }
        }
    }

    fn set_aside(&mut self, due: DueRun, supervision: &Arc<Supervision>, error: &RunError) {
        let (store, run) = (Arc::clone(&self.settings.store), due.run.clone());
        let task = self.running.spawn(claim::set_aside(store, run, sentence(error)));
        let supervision = Arc::clone(supervision);
        self.in_hand.insert(task.id(), InHand { due, supervision, is_suspect: false });
    }

    /// Reports a failure of the store, and claims nothing for some time. The failures of runs that were claimed
    /// before the last one are part of it, and do not lengthen the pause.
    fn note_trouble(&mut self, run: Option<RunId>, error: StoreError) {
        if self.paused_until.is_none() {
            self.trouble = self.trouble.saturating_add(1);
            self.paused_until = Some(Deadline::after(retry_delay(self.trouble)));
        }
        let retry_in = retry_delay(self.trouble);
        let event = WorkerEvent::StoreFailed { run, error, retry_in };
        self.settings.observers.notify(&event);
        if let WorkerEvent::StoreFailed { error, .. } = event {
            self.fatal = Some(error);
        }
    }

    /// Lets the runs reach a durable point, as long as there is time, and drops the others.
    async fn shut_down(&mut self) {
        self.is_stopping.store(true, Ordering::Release);
        self.settle_all(self.settings.grace).await;
        self.running.abort_all();
        self.settle_all(DROP_TIME).await;
    }

    /// Waits until no run is driven any more, or the time is over.
    async fn settle_all(&mut self, time: Duration) {
        let end = Deadline::after(time);
        while !self.running.is_empty() {
            match self.next_wake(pin!(pending()), pin!(pending()), &end).await {
                Wake::Ended(ended) => self.settle(ended),
                Wake::Stop | Wake::Due | Wake::Time => return,
            }
        }
    }
}
