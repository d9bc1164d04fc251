//! `cot runs cancel`: requests that a run is cancelled.

use std::time::SystemTime;

use clap::Args;
use cot_store::{CancelRequest, RunId};

use super::{
    store::{StoreFile, wait},
    words::STATUS_ONE,
};
use crate::{
    help, output,
    verdict::{Outcome, Verdict},
};

/// Requests that a run is cancelled, and prints its name.
///
/// The program that drives the run ends it; a run that waits, is queued or was set aside is ended by the next
/// worker. Calls that are in flight are dropped. `cot runs show` shows the request until it is applied.
#[derive(Debug, Args)]
#[command(after_help = help::after(
    &[
        "cot runs cancel order-17 --store runs.db",
        "cot runs cancel order-17 --reason 'ordered twice' --store runs.db",
    ],
    STATUS_ONE,
))]
pub(super) struct Cancel {
    #[command(flatten)]
    store: StoreFile,
    /// The run.
    #[arg(value_name = "RUN")]
    run: RunId,
    /// The reason, which becomes that of the ending.
    #[arg(long, value_name = "TEXT", default_value = "cancelled on the command line")]
    reason: String,
}

impl Cancel {
    pub(super) fn run(self) -> Outcome {
        let store = self.store.open_writable()?;
        let request = CancelRequest::new(self.reason, SystemTime::now());
        wait(store.request_cancel(&self.run, request))??;
        output::line(self.run.as_str())?;
        Ok(Verdict::Fine)
    }
}
