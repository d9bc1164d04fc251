//! Panics of code of the process: they halt the run, and go no further.

use std::{
    any::Any,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::atomic::{AtomicU8, Ordering},
};

use crate::values::panicked::PanicPlace;

/// What a panic carries.
pub(crate) type Payload = Box<dyn Any + Send>;

/// Runs code of the process. What it may break in a panic is a copy, or is not looked at any more.
pub(crate) fn catch_panic<T>(code: impl FnOnce() -> T) -> Result<T, Payload> {
    catch_unwind(AssertUnwindSafe(code))
}

/// Which code of the process is being run, for the case that it panics.
#[derive(Debug, Default)]
pub(crate) struct Doing(AtomicU8);

/// The places of panics, by their number in a [`Doing`].
const PLACES: [PanicPlace; 12] = [
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
];

impl Doing {
    /// Runs code of the process.
    pub(crate) fn run<T>(&self, place: PanicPlace, code: impl FnOnce() -> T) -> T {
        self.0.store(place as u8, Ordering::Relaxed);
        let done = code();
        self.0.store(PanicPlace::Other as u8, Ordering::Relaxed);
        done
    }

    /// The code that is being run, or was when it panicked.
    pub(crate) fn place(&self) -> PanicPlace {
        PLACES[usize::from(self.0.load(Ordering::Relaxed)) % PLACES.len()]
    }
}
