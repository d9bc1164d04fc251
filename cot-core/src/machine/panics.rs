//! Panics of code of the process: they halt the run, and go no further.

use std::{
    any::Any,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::atomic::{AtomicU8, Ordering},
};

use super::{
    Directive, Event, Handled, calls::Named, core::Core, due::Advanced, phase::Phase, typed::Typed,
};
use crate::{HaltReason, Panic, PanicPlace, panicked::message};

/// What a panic carries.
pub(super) type Payload = Box<dyn Any + Send>;

/// Runs code of the process. What it may break in a panic is a copy, or is not looked at any more.
pub(super) fn caught<T>(code: impl FnOnce() -> T) -> Result<T, Payload> {
    catch_unwind(AssertUnwindSafe(code))
}

/// Which code of the process is being run, for the case that it panics.
#[derive(Debug, Default)]
pub(super) struct Doing(AtomicU8);

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
    pub(super) fn run<T>(&self, place: PanicPlace, code: impl FnOnce() -> T) -> T {
        self.0.store(place as u8, Ordering::Relaxed);
        let done = code();
        self.0.store(PanicPlace::Other as u8, Ordering::Relaxed);
        done
    }

    /// The code that is being run, or was when it panicked.
    pub(super) fn place(&self) -> PanicPlace {
        PLACES[usize::from(self.0.load(Ordering::Relaxed)) % PLACES.len()]
    }
}

impl Core {
    /// Advances until the driver is needed; a panic halts the run.
    pub(super) fn contained_advance(
        &mut self,
        named: Named,
        host: &mut dyn Typed,
        due: &mut Vec<Directive>,
    ) -> Advanced {
        caught(|| self.advance(named, host, due)).unwrap_or_else(|payload| {
            self.halt_panicked(message(&*payload).unwrap_or_default(), host);
            due.clear();
            self.advance(named, host, due)
        })
    }

    /// Takes in what happened; a panic halts the run.
    pub(super) fn contained_handle(&mut self, event: Event, host: &mut dyn Typed) -> Handled {
        let handled = caught(|| self.handle(event, host));
        handled.unwrap_or_else(|payload| {
            self.halt_panicked(message(&*payload).unwrap_or_default(), host);
            Handled::Applied
        })
    }

    /// Halts the run where it stands. What was about to be committed is forgotten.
    pub(super) fn halt_panicked(&mut self, said: &str, host: &mut dyn Typed) {
        let reason = HaltReason::Panicked(Box::new(self.panic(said, host.place())));
        host.forget_output();
        self.add_up();
        let task = self.phase.task();
        let attempts = self.taken().into_attempts();
        self.halt(task, reason, attempts, host);
    }

    /// Where a panic was: in the innermost process whose code was being run.
    fn panic(&self, said: &str, place: PanicPlace) -> Panic {
        if let Phase::Within { child, .. } = &self.phase
            && let Some(core) = &child.core
        {
            return core.panic(said, child.host.place());
        }
        let task = self.name(self.phase.task());
        Panic::new(self.definition.about.name, task, place, said)
    }
}
