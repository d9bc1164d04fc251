//! Where each task loses: trials that failed at it, attempts that failed, and replies that were repaired.

use std::collections::BTreeMap;

use cot_eval::{Report, TaskTotals};
use maud::{Markup, html};

use super::mark::name;
use crate::frame::{
    number::grouped,
    plot::{percent, percent_text, share},
    table::table,
    text::shown,
};

/// The number of rows that are shown.
const MAX_ROWS: usize = 100;

/// What a task loses with a variant.
struct Loss<'a> {
    task: &'a str,
    variant: usize,
    /// The trials that did not pass and ended at the task, and all that did not pass.
    failed_here: u64,
    failed: u64,
    totals: TaskTotals,
}

impl Loss<'_> {
    /// Returns the attempts at the task. A task that calls no model has none.
    const fn attempts(&self) -> u64 {
        if self.totals.usage.calls == 0 {
            return 0;
        }
        self.totals.accepted_replies.saturating_add(self.totals.failed_attempts)
    }

    /// Returns the replies that could be repaired. One of them can have several calls of tools that were.
    fn replies(&self) -> u64 {
        match self.totals.usage.calls {
            0 => 0,
            calls => calls.max(self.totals.repaired_replies),
        }
    }

    const fn is_any(&self) -> bool {
        self.failed_here > 0 || self.totals.usage.calls > 0
    }
}

/// Renders the tasks of all variants, those first at which most trials failed.
pub(super) fn losses(report: &Report) -> Markup {
    let mut losses: Vec<Loss<'_>> =
        (0..report.variants.len()).flat_map(|variant| variant_losses(report, variant)).collect();
    losses.retain(Loss::is_any);
    losses.sort_by_key(|loss| {
        std::cmp::Reverse((
            loss.failed_here,
            loss.totals.failed_attempts,
            loss.totals.repaired_replies,
        ))
    });
    let columns = [
        ("Task", false),
        ("Variant", false),
        ("Failed trials that ended here", false),
        ("Failed attempts", false),
        ("Repaired replies", false),
        ("Calls", true),
    ];
    html! {
        section.stack aria-labelledby="tasks" {
            h2 #tasks { "Where each task loses" }
            @if losses.is_empty() { p.muted { "No task has called a model, and no trial failed." } }
            @else { (table("What each task loses", &columns, html! { @for loss in losses.iter().take(MAX_ROWS) { (row(report, loss)) } })) }
            @if losses.len() > MAX_ROWS { p.muted { "The first " (MAX_ROWS) " of " (losses.len()) " rows are shown." } }
        }
    }
}

fn row(report: &Report, loss: &Loss<'_>) -> Markup {
    let TaskTotals { failed_attempts, repaired_replies, usage, .. } = loss.totals;
    let bar = |part: u64, whole: u64, class: &str| {
        let percent = percent(part, whole);
        html! {
            @if whole > 0 {
                span.nowrap { (grouped(part)) span.muted { " of " (grouped(whole)) ", " (percent_text(percent)) } }
                (share(percent, class))
            }
        }
    };
    html! {
        tr {
            th scope="row" { span.mono { (shown(loss.task)) } }
            td data-label="Variant" { (name(&report.variants, loss.variant)) }
            td data-label="Ended here" { (bar(loss.failed_here, loss.failed, "bar-bad")) }
            td data-label="Attempts" { (bar(failed_attempts, loss.attempts(), "bar-bad")) }
            td data-label="Repaired" { (bar(repaired_replies, loss.replies(), "bar-wait")) }
            td.num data-label="Calls" { (grouped(usage.calls)) }
        }
    }
}

fn variant_losses(report: &Report, variant: usize) -> Vec<Loss<'_>> {
    let name = &report.variants[variant];
    let mut ends: BTreeMap<&str, u64> = BTreeMap::new();
    let failed = |trial: &&cot_eval::TrialResult| {
        trial.variant == *name && !trial.passed && trial.error.is_none()
    };
    for trial in report.trials.iter().filter(failed) {
        *ends.entry(trial.end.as_deref().unwrap_or_default()).or_default() += 1;
    }
    let failed = ends.values().sum();
    let mut tasks = report.by_task(name);
    for end in ends.keys().filter(|end| !end.is_empty()) {
        tasks.entry(end).or_default();
    }
    let tasks = tasks.into_iter().map(|(task, totals)| Loss {
        task,
        variant,
        failed_here: ends.get(task).copied().unwrap_or_default(),
        failed,
        totals,
    });
    tasks.collect()
}
