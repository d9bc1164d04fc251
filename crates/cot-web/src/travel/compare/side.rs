//! One of the two runs of a comparison.

use cot_store::{HistoryWindow, RunId, RunSummary, Status, StepHistory, StoreError, snapshot_at};
use serde_json::Value;

use super::align::shared_steps;
use crate::{error::PageError, visit::Visit};

/// The number of steps of each run that are compared.
pub(super) const MAX_STEPS: u64 = 400;

/// One of the two runs of a comparison.
pub(super) struct Side {
    pub(super) summary: RunSummary,
    /// The steps after those that both runs share, at most [`MAX_STEPS`].
    pub(super) steps: Vec<StepHistory>,
    /// Why not all of these steps could be read.
    pub(super) error: Option<StoreError>,
    /// The last state, or why it can't be read.
    pub(super) state: Result<Value, String>,
}

/// Two runs, without the steps that they share.
pub(super) struct Sides {
    /// The number of steps that both runs share.
    pub(super) shared: u64,
    pub(super) a: Side,
    pub(super) b: Side,
}

impl Sides {
    /// Reads two runs. The time does not depend on the lengths of their journals, but for the logarithms.
    pub(super) async fn load(visit: &Visit, a: &RunId, b: &RunId) -> Result<Self, PageError> {
        let (a, b) = (visit.require_run(a).await?, visit.require_run(b).await?);
        let shared = shared_steps(&a, &b);
        let (a, b) = (Side::load(visit, a, shared).await?, Side::load(visit, b, shared).await?);
        Ok(Self { shared, a, b })
    }
}

impl Side {
    async fn load(visit: &Visit, summary: RunSummary, shared: u64) -> Result<Self, PageError> {
        let (mut steps, mut error) = (Vec::new(), None);
        if summary.status != Status::Queued {
            let window = shared + 1..=shared + MAX_STEPS;
            let found = HistoryWindow::load(visit.store(), &summary.run, window).await?;
            (steps, error) = (found.steps, found.error);
        }
        let state = state(visit, &summary).await;
        Ok(Self { summary, steps, error, state })
    }
}

async fn state(visit: &Visit, run: &RunSummary) -> Result<Value, String> {
    let snapshot = snapshot_at(visit.store(), &run.run, run.steps).await;
    let snapshot = snapshot.map_err(|error| error.to_string())?;
    serde_json::from_str(snapshot.state().get()).map_err(|error| error.to_string())
}
