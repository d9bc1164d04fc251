//! A process that a worker drives, without its types.

use std::{future::poll_fn, sync::Arc};

use cot_engine::Process;
use cot_model::BoxFuture;
use cot_store::{EndKind, Lease, RunSummary, Status, Store};

use crate::{
    driver::driver::Driver,
    persistence::{
        describe::describe_once,
        open_run::{OpenOptions, OpenRun},
        persistence::Persistence,
        status::ended_status,
        supervision::Supervision,
    },
    runner::{builder::Runner, error::RunError},
};

/// A process that a worker drives.
pub(super) trait ServedProcess: Send + Sync {
    fn name(&self) -> &'static str;

    /// Checks that the runner is complete.
    fn check(&self) -> Result<(), RunError>;

    /// Drives a run until it ends, waits for a person or a timer, or the worker shuts down.
    fn drive(
        &self,
        store: &Arc<dyn Store>,
        lease: Lease,
        summary: RunSummary,
        supervision: &Arc<Supervision>,
    ) -> BoxFuture<'static, Result<DriveEnd, RunError>>;
}

/// Why a driver has stopped.
#[derive(Debug)]
pub(super) enum DriveEnd {
    Ended {
        how: EndKind,
        why: String,
    },
    Parked,
    /// The worker shuts down.
    Released,
}

impl<P: Process> ServedProcess for Runner<P> {
    fn name(&self) -> &'static str {
        P::DEFINITION.about.name
    }

    fn check(&self) -> Result<(), RunError> {
        self.config.check(None)
    }

    fn drive(
        &self,
        store: &Arc<dyn Store>,
        lease: Lease,
        summary: RunSummary,
        supervision: &Arc<Supervision>,
    ) -> BoxFuture<'static, Result<DriveEnd, RunError>> {
        let supervision = Arc::clone(supervision);
        let describe = describe_once(self.config.process, store, &self.config.is_described);
        let extras = OpenOptions { describe, is_traced: self.config.is_traced() };
        let opening = OpenRun::claimed(store, lease, summary, Arc::clone(&supervision), extras);
        let persistence = Persistence::Opening(Box::new(opening));
        let machine = self.typed.new_machine(&self.config);
        let driver = Driver::new(machine, (&self.config, &self.typed), None, persistence);
        Box::pin(drive(Box::new(driver), supervision))
    }
}

async fn drive(
    mut driver: Box<Driver>,
    supervision: Arc<Supervision>,
) -> Result<DriveEnd, RunError> {
    poll_fn(|cx| driver.poll_over(cx)).await;
    if let Some(error) = driver.persistence.take_error() {
        return Err(error);
    }
    Ok(match ended_status(driver.run.machine()) {
        Some(Status::Ended { how, why, .. }) => DriveEnd::Ended { how, why },
        _ if supervision.is_stopping() => DriveEnd::Released,
        _ => DriveEnd::Parked,
    })
}
