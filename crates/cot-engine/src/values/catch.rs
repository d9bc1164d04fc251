//! Catches panics in code of the process. They halt the run and do not reach the driver.

use std::{
    any::Any,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::atomic::{AtomicU8, Ordering},
};

use crate::values::panicked::PanicPlace;

/// The payload of a panic.
pub(crate) type PanicPayload = Box<dyn Any + Send>;

/// Runs code of the process and catches its panics. The caller discards whatever the code may have left
/// inconsistent, or passes it a copy.
pub(crate) fn catch_panic<T>(code: impl FnOnce() -> T) -> Result<T, PanicPayload> {
    catch_unwind(AssertUnwindSafe(code))
}

/// Records which code of the process is running, for the report of a panic.
#[derive(Debug, Default)]
pub(crate) struct RunningCode(AtomicU8);

/// The places of panics, indexed by the number that a [`RunningCode`] stores.
const PLACES: [PanicPlace; 17] = [
    PanicPlace::Other,
    PanicPlace::Guard,
    PanicPlace::Template,
    PanicPlace::Inputs,
    PanicPlace::Mock,
    PanicPlace::Check,
    PanicPlace::Update,
    PanicPlace::Hook,
    PanicPlace::ForEach,
    PanicPlace::SubProcess,
    PanicPlace::Function,
    PanicPlace::Data,
    PanicPlace::Turns,
    PanicPlace::ToolSource,
    PanicPlace::Calls,
    PanicPlace::Read,
    PanicPlace::Until,
];

impl RunningCode {
    /// Runs code of the process and records its place meanwhile.
    pub(crate) fn run<T>(&self, place: PanicPlace, code: impl FnOnce() -> T) -> T {
        self.set(place);
        let result = code();
        self.set(PanicPlace::Other);
        result
    }

    // No part of `run`, which is compiled for each piece of code.
    fn set(&self, place: PanicPlace) {
        self.0.store(place as u8, Ordering::Relaxed);
    }

    /// Returns the place of the code that is running, or that was running when it panicked.
    pub(crate) fn place(&self) -> PanicPlace {
        PLACES[usize::from(self.0.load(Ordering::Relaxed)) % PLACES.len()]
    }
}
