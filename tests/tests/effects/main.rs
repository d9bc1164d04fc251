//! Calls with `effect: once`: without the word that nothing was done, none is made again.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a helper that fails is a failed test")]

mod cut_off;
mod errors;
mod forks;
mod renamed;
mod versions;

use std::{
    collections::BTreeMap,
    pin::pin,
    sync::{Arc, Mutex},
    task::{Context, Poll, Waker},
};

use cot_core::{ActiveRun, Process};

/// The other side: it counts the calls that it received, by key.
#[derive(Debug, Clone, Default)]
struct Bank(Arc<Mutex<BTreeMap<String, u32>>>);

impl Bank {
    fn receive(&self, key: String) {
        *self.0.lock().unwrap().entry(key).or_default() += 1;
    }

    fn calls(&self) -> u32 {
        self.0.lock().unwrap().values().sum()
    }
}

/// Drives a run until it waits.
fn until_waiting<P: Process>(active: &mut ActiveRun<P>) {
    let mut context = Context::from_waker(Waker::noop());
    // A run lets others have the thread now and then, so that one pending poll may mean nothing.
    for _ in 0..3 {
        while let Poll::Ready(Some(_)) = pin!(active.next()).poll(&mut context) {}
    }
}
