//! The lanes of a group: concurrent calls take the time of the slowest lane.

use std::time::Duration;

use crate::run::{context::RunFacts, limits::Lane};

/// The lanes, each with the time of the sequential calls in it.
#[derive(Debug)]
pub(super) struct Lanes {
    times: Vec<Duration>,
    /// The maximum of `times`.
    longest: Duration,
    /// The lanes without a slot.
    free: Vec<usize>,
    /// The elapsed time of the run at the start of the task.
    pub(super) began: Duration,
}

/// One lane, and what is in flight in the others.
pub(crate) struct LaneClock<'a> {
    pub(super) lanes: &'a mut Lanes,
    pub(super) lane: usize,
    /// The number of model calls in flight in other lanes.
    pub(super) others: u64,
}

impl Lanes {
    pub(super) fn new(count: usize, began: Duration) -> Self {
        let free = (0..count).rev().collect();
        Self { times: vec![Duration::ZERO; count], longest: Duration::ZERO, free, began }
    }

    /// Restores the lanes of pending slots, which are the first ones, and free lanes up to a count. `run` is the
    /// elapsed time of the run.
    pub(super) fn restore(
        mut times: Vec<Duration>,
        count: usize,
        began: Duration,
        run: Duration,
    ) -> Self {
        let pending = times.len();
        // More slots may be pending than the current limit allows.
        let count = count.max(pending);
        times.resize(count, run.saturating_sub(began));
        let longest = times.iter().max().copied().unwrap_or_default();
        Self { times, longest, free: (pending..count).rev().collect(), began }
    }

    /// Takes a free lane.
    pub(super) fn take(&mut self) -> Option<usize> {
        self.free.pop()
    }

    /// Frees a lane.
    pub(super) fn free(&mut self, lane: usize) {
        self.free.push(lane);
    }

    /// Returns the time of the calls in a lane.
    pub(super) fn time(&self, lane: usize) -> Duration {
        self.times.get(lane).copied().unwrap_or_default()
    }
}

impl LaneClock<'_> {
    /// Returns the elapsed time of the run as the lane sees it.
    pub(crate) fn elapsed(&self) -> Duration {
        self.lanes.began.saturating_add(self.lanes.time(self.lane))
    }

    pub(crate) fn lane(&self) -> Lane {
        Lane { elapsed: self.elapsed(), others: self.others }
    }

    /// Adds the time of a call to the lane, and thereby to the run if the lane is the slowest.
    pub(crate) fn add_time(&mut self, elapsed: Duration, facts: &mut RunFacts) {
        let lanes = &mut *self.lanes;
        if let Some(time) = lanes.times.get_mut(self.lane) {
            *time = time.saturating_add(elapsed);
            lanes.longest = lanes.longest.max(*time);
        }
        facts.elapsed = lanes.began.saturating_add(lanes.longest);
    }
}
