//! The cases of a report, the worst ones first.

use std::collections::BTreeMap;

use cot_eval::{Report, TrialResult};
use maud::{Markup, html};

use super::mark::{name, tags};
use crate::{
    frame::{
        pill::{Tone, pill},
        table::table,
        text::shown,
    },
    visit::Visit,
};

/// The number of cases of a page.
const PAGE_SIZE: usize = 50;

/// A case with its trials.
struct CaseTrials<'a> {
    case: &'a str,
    trials: Vec<&'a TrialResult>,
}

impl CaseTrials<'_> {
    /// Returns the share of trials that failed, of those without an error. A case all of whose trials have one counts as
    /// half: it is neither right nor wrong.
    fn failure_rate(&self) -> f64 {
        let scored = self.trials.iter().filter(|trial| trial.error.is_none());
        let all = scored.clone().count();
        let failed = scored.filter(|trial| !trial.passed).count();
        if all == 0 { 0.5 } else { failed as f64 / all as f64 }
    }
}

/// Renders the cases after so many.
pub(super) fn cases(visit: &Visit, file: &str, report: &Report, after: usize) -> Markup {
    let all = worst_first(report);
    let end = all.len().min(after.saturating_add(PAGE_SIZE));
    let columns = [("Case", false), ("Passed", false), ("Why a trial failed", false)];
    let rows = html! {
        @for case in all.iter().take(end).skip(after) { (row(visit, file, report, case)) }
    };
    html! {
        section.stack aria-labelledby="cases" {
            h2 #cases { "Cases, the worst first" }
            @if all.is_empty() { p.muted { "The report has no trials." } }
            @else { (table("Cases with their trials", &columns, rows)) }
            @if all.len() > PAGE_SIZE {
                nav.pager aria-label="Cases" {
                    @if after > 0 { a.button.button-small href=(visit.links().eval_cases(file, after.saturating_sub(PAGE_SIZE))) { "Before" } }
                    span.muted { (after.min(all.len()) + 1) " to " (end) " of " (all.len()) }
                    @if end < all.len() { a.button.button-small href=(visit.links().eval_cases(file, end)) { "Next" } }
                }
            }
        }
    }
}

fn worst_first(report: &Report) -> Vec<CaseTrials<'_>> {
    let mut cases: BTreeMap<&str, Vec<&TrialResult>> = BTreeMap::new();
    for trial in &report.trials {
        cases.entry(&trial.case).or_default().push(trial);
    }
    let cases = cases.into_iter().map(|(case, trials)| CaseTrials { case, trials });
    let mut cases: Vec<_> = cases.map(|case| (case.failure_rate(), case)).collect();
    cases.sort_by(|(a, _), (b, _)| b.total_cmp(a));
    cases.into_iter().map(|(_, case)| case).collect()
}

fn row(visit: &Visit, file: &str, report: &Report, case: &CaseTrials<'_>) -> Markup {
    let failed = case.trials.iter().find(|trial| !trial.passed);
    html! {
        tr {
            th scope="row" {
                a href=(visit.links().eval_case(file, case.case)) { (shown(case.case)) }
                (tags(&case.trials))
            }
            td data-label="Passed" { ul.plain { @for index in 0..report.variants.len() { (passed(report, case, index)) } } }
            td data-label="Why" { @if let Some(trial) = failed { (shown(&report.reason(trial))) } }
        }
    }
}

/// How many trials of a variant passed.
fn passed(report: &Report, case: &CaseTrials<'_>, variant: usize) -> Markup {
    let own = case.trials.iter().filter(|trial| trial.variant == report.variants[variant]);
    let (all, errors) =
        (own.clone().count(), own.clone().filter(|trial| trial.error.is_some()).count());
    let passed = own.filter(|trial| trial.error.is_none() && trial.passed).count();
    let scored = all - errors;
    let tone = match passed {
        _ if scored == 0 => Tone::Plain,
        passed if passed == scored => Tone::Good,
        0 => Tone::Bad,
        _ => Tone::Waiting,
    };
    html! {
        @if all > 0 {
            li.row {
                (pill(tone, &format!("{passed} of {scored}")))
                @if report.variants.len() > 1 { (name(&report.variants, variant)) }
                @if errors > 0 { span.muted { (errors) " with an error" } }
            }
        }
    }
}
