//! Reads what the page of a run shows.

use std::collections::BTreeMap;

use cot_engine::{Bound, Quantity, WorstCase};
use cot_store::{
    Draft, HistoryWindow, ProcessDescription, RunFilter, RunId, RunSummary, Status, StepHistory,
    StoreError, internal::RecoveredRun,
};
use serde::Deserialize;
use serde_json::Value;

use super::graph::model::Graph;
use crate::{error::PageError, visit::Visit};

/// What the page of a run shows.
pub(super) struct RunView {
    pub(super) summary: RunSummary,
    /// The steps of this page of the time line, in their order.
    pub(super) steps: Vec<StepHistory>,
    pub(super) window: Window,
    /// Why not all steps could be read.
    pub(super) error: Option<StoreError>,
    /// The graphs of the process and of its sub-processes, with the names of the latter.
    pub(super) graphs: Vec<(Option<String>, Graph)>,
    /// What a run of the process uses up at most, if the store has its description.
    pub(super) worst_case: Option<WorstCase>,
    /// Whether the store has a description of the process.
    pub(super) is_described: bool,
    /// The marks of trust in the description, if the process has some.
    pub(super) trust: Option<Value>,
    pub(super) drafts: Vec<Draft>,
    /// The newest forks of the run.
    pub(super) forks: Vec<RunId>,
}

/// The steps on one page of the time line.
#[derive(Debug, Clone, Copy)]
pub(super) struct Window {
    /// The number of the first step on the page.
    pub(super) first: u64,
    /// The number of the last one.
    pub(super) last: u64,
    /// The number of the first step of the run: after the shared ones of a fork.
    pub(super) lowest: u64,
    /// The number of the last step of the run.
    pub(super) highest: u64,
}

/// The number of steps on a page.
const STEPS: u64 = 50;
/// The number of the newest runs of the process among which forks are looked for.
const FORKS_AMONG: usize = 200;

impl Window {
    /// Returns the page with a step; that with the last one by default.
    fn new(summary: &RunSummary, with: Option<u64>) -> Self {
        let highest = summary.steps;
        let lowest = summary.origin.as_ref().map_or(0, |origin| origin.steps) + 1;
        let last = with.unwrap_or(highest).clamp(lowest, highest.max(lowest));
        // The last step is at the end of its page, and the pages before it are counted back from there.
        let pages_after = (highest.saturating_sub(last)) / STEPS;
        let last = highest.saturating_sub(pages_after * STEPS).max(lowest);
        let first = (last + 1).saturating_sub(STEPS).max(lowest);
        Self { first, last, lowest, highest }
    }

    /// Returns the last step of the page with older steps.
    pub(super) const fn older(self) -> Option<u64> {
        if self.first > self.lowest { Some(self.first - 1) } else { None }
    }

    /// Returns the last step of the page with newer steps.
    pub(super) fn newer(self) -> Option<u64> {
        (self.last < self.highest).then(|| self.highest.min(self.last + STEPS))
    }

    /// Returns whether the page has all steps.
    pub(super) const fn is_whole(self) -> bool {
        self.first <= self.lowest && self.last >= self.highest
    }
}

impl RunView {
    /// Reads a run with the page of the time line that has a step.
    pub(super) async fn load(
        visit: &Visit,
        run: &RunId,
        with: Option<u64>,
    ) -> Result<Self, PageError> {
        let store = visit.store();
        let summary = visit.require_run(run).await?;
        let window = Window::new(&summary, with);
        let (mut steps, mut error) = (Vec::new(), None);
        if summary.status != Status::Queued {
            // A step that has begun but not reached its next position is not counted yet.
            let is_last = window.last >= window.highest;
            let last = if is_last { u64::MAX } else { window.last };
            let found = HistoryWindow::load(store, run, window.first..=last).await?;
            (steps, error) = (found.steps, found.error);
        }
        let visits = if window.is_whole() { None } else { visits(visit, run).await };
        let described = store.process(&summary.process).await.unwrap_or_default();
        let graphs = graphs(described.as_ref(), &steps, visits.as_ref(), &summary.status);
        let drafts = store.drafts(run).await.unwrap_or_default();
        let forks = forks(visit, &summary).await.unwrap_or_default();
        let is_described = described.is_some();
        let trust = described.as_ref().and_then(|it| it.manifest.get("trust")).cloned();
        let worst_case = described.and_then(|described| worst_case(&described.manifest));
        Ok(Self {
            summary,
            steps,
            window,
            error,
            graphs,
            worst_case,
            is_described,
            trust,
            drafts,
            forks,
        })
    }
}

/// Returns what a run uses up at most. Manifests of older versions do not say it.
fn worst_case(manifest: &Value) -> Option<WorstCase> {
    let bounds = manifest.get("bounds")?.as_object()?;
    let number = |quantity: Quantity| bounds.get(quantity.key()).and_then(Value::as_u64);
    Some(WorstCase::from_fn(|quantity| number(quantity).map_or(Bound::UNBOUNDED, Bound::at_most)))
}

/// Returns the number of visits of each task; `None` if the run can't be read.
async fn visits(visit: &Visit, run: &RunId) -> Option<BTreeMap<String, u64>> {
    #[derive(Deserialize)]
    struct VisitsField {
        visits: BTreeMap<String, u64>,
    }
    let recovered = RecoveredRun::load_without_blobs(visit.store(), run, None).await.ok()??;
    let VisitsField { visits } = serde_json::from_str(&recovered.snapshot).ok()?;
    Some(visits)
}

fn graphs(
    described: Option<&ProcessDescription>,
    steps: &[StepHistory],
    visits: Option<&BTreeMap<String, u64>>,
    status: &Status,
) -> Vec<(Option<String>, Graph)> {
    let manifest = described.map(|described| &described.manifest);
    let known = manifest.and_then(Graph::from_manifest);
    let mut graph = known.unwrap_or_else(|| Graph::from_steps(steps, status));
    graph.mark(steps, visits, status);
    let sub_processes = manifest.and_then(|manifest| manifest.get("processes")?.as_object());
    let of_sub_process = |(key, manifest): (&String, &Value)| {
        let mut graph = Graph::from_manifest(manifest)?;
        let mut nested = Vec::new();
        collect_nested(steps, key, &mut nested);
        graph.mark(&nested, None, &Status::Queued);
        Some((Some(key.clone()), graph))
    };
    let nested: Vec<_> = sub_processes.into_iter().flatten().filter_map(of_sub_process).collect();
    [(None, graph)].into_iter().chain(nested).collect()
}

/// Collects the steps of a sub-process at any depth.
fn collect_nested(steps: &[StepHistory], process: &str, found: &mut Vec<StepHistory>) {
    for step in steps.iter().flat_map(|step| &step.nested) {
        if step.process.as_deref() == Some(process) {
            let mut marked = StepHistory::default();
            (marked.task, marked.step) = (step.task.clone(), step.step);
            (marked.next, marked.branches) = (step.next.clone(), step.branches.clone());
            found.push(marked);
        }
    }
    steps.iter().for_each(|step| collect_nested(&step.nested, process, found));
}

async fn forks(visit: &Visit, summary: &RunSummary) -> Result<Vec<RunId>, StoreError> {
    let mut filter = RunFilter::default();
    filter.process = Some(summary.process.clone());
    filter.begun_after = Some(summary.begun);
    filter.limit = Some(FORKS_AMONG);
    let runs = visit.store().runs(&filter).await?;
    let is_fork =
        |run: &RunSummary| run.origin.as_ref().is_some_and(|origin| origin.run == summary.run);
    Ok(runs.into_iter().filter(is_fork).map(|run| run.run).collect())
}
