//! `cot runs retry`: puts a run back that was set aside.

use annotate_snippets::Level;
use clap::Args;
use cot_store::{RunId, Store};

use super::{
    store::{StoreFile, require_run, wait},
    words::STATUS_ONE,
};
use crate::{
    help, message, output,
    verdict::{Outcome, Verdict},
};

/// Puts a run back that was set aside, and prints its name: workers drive it again.
///
/// `cot runs list --set-aside` shows these runs and their reasons.
#[derive(Debug, Args)]
#[command(after_help = help::after(
    &["cot runs retry order-17 --store runs.db"],
    STATUS_ONE,
))]
pub(super) struct Retry {
    #[command(flatten)]
    store: StoreFile,
    /// The run.
    #[arg(value_name = "RUN")]
    run: RunId,
}

impl Retry {
    pub(super) fn run(self) -> Outcome {
        let store = self.store.open_writable()?;
        if wait(store.retry(&self.run))?? {
            output::line(self.run.as_str())?;
            return Ok(Verdict::Fine);
        }
        let status = wait(require_run(&store, &self.run))??.status;
        let what = format!("run `{}` is not set aside: {}", self.run, status.word());
        message::print(Level::ERROR, what);
        Ok(Verdict::Findings)
    }
}
