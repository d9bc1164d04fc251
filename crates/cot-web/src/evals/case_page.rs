//! The trials of a case.

use axum::http::StatusCode;
use cot_eval::{Report, TrialResult};
use cot_store::RunId;
use maud::{Markup, html};

use super::mark::{name, tags};
use crate::{
    error::PageError,
    frame::{
        number::usage,
        page::{Page, Section},
        pill::{Tone, pill},
        text::{json, shown},
        time::took,
    },
    visit::Visit,
};

/// The number of trials that are shown.
const MAX_TRIALS: usize = 100;

pub(super) async fn show(visit: Visit) -> Result<Markup, PageError> {
    let (file, shown) = visit.report().await?;
    let case = visit.query().get("case").unwrap_or_default().to_owned();
    let trials = worst_first(&shown.report, &case);
    if trials.is_empty() {
        let message = format!("The report `{file}` has no case `{case}`.");
        return Err(PageError::new(StatusCode::NOT_FOUND, "No such case", message));
    }
    let origin =
        run_link(&visit, case.parse().ok().as_ref(), "The run that it was made of").await?;
    let mut links = Vec::new();
    for trial in trials.iter().take(MAX_TRIALS) {
        links.push(run_link(&visit, trial.run.as_ref(), "Its run").await?);
    }
    let (of_page, of_case) = (visit.clone(), case.clone());
    let render = move || body(&of_page, (&file, &shown.report), &of_case, (&origin, &links));
    let body = visit.reports()?.render(render).await?;
    Ok(Page::new(&visit, &case).section(Section::Evals).body(body))
}

fn body(
    visit: &Visit,
    (file, report): (&str, &Report),
    case: &str,
    (origin, links): (&Markup, &[Markup]),
) -> Markup {
    let trials = worst_first(report, case);
    html! {
        p.crumbs {
            a href=(visit.links().evals()) { "Evals" } " › "
            a href=(visit.links().eval_report(file)) { (shown(&report.name)) }
        }
        div.page-head { h1 { (shown(case)) } (origin) }
        p { (tags(&trials)) }
        @for (trial, link) in trials.iter().zip(links) { (card(report, trial, link)) }
        @if trials.len() > links.len() { p.muted { "The first " (links.len()) " of " (trials.len()) " trials are shown." } }
    }
}

/// Returns the trials of a case, those first that did not pass.
fn worst_first<'a>(report: &'a Report, case: &str) -> Vec<&'a TrialResult> {
    let mut trials: Vec<_> = report.trials.iter().filter(|trial| trial.case == case).collect();
    trials.sort_by_key(|trial| trial.passed);
    trials
}

/// A link to a run, if the store of the site has it.
async fn run_link(visit: &Visit, run: Option<&RunId>, text: &str) -> Result<Markup, PageError> {
    let Some(run) = run else { return Ok(html! {}) };
    let is_stored = visit.store().run(run).await?.is_some();
    Ok(html! { @if is_stored { a.button.button-small href=(visit.links().run(run)) { (text) } } })
}

fn card(report: &Report, trial: &TrialResult, link: &Markup) -> Markup {
    let variant = report.variants.iter().position(|known| *known == trial.variant);
    let verdict = match trial {
        TrialResult { error: Some(_), .. } => pill(Tone::Plain, "error"),
        TrialResult { passed: true, .. } => pill(Tone::Good, "passed"),
        _ => pill(Tone::Bad, "failed"),
    };
    html! {
        section.card {
            div.row {
                (verdict)
                @if let Some(variant) = variant { (name(&report.variants, variant)) } @else { (shown(&trial.variant)) }
                span.muted { "repeat " (trial.repeat) }
                @if let Some(end) = &trial.end { span.muted { "ended at " span.mono { (shown(end)) } } }
                span.muted { (usage(&trial.usage)) " · " (took(trial.elapsed)) }
                (link)
            }
            @for why in trial.error.iter().chain(&trial.why) { p.bad { (shown(why)) } }
            (scores(report, trial))
            @if let Some(state) = &trial.state { details.fold { summary { "The state in which it ended" } (json(state)) } }
        }
    }
}

fn scores(report: &Report, trial: &TrialResult) -> Markup {
    let is_low =
        |scorer: &str, value: f64| report.scorers.get(scorer).is_some_and(|least| value < *least);
    html! {
        @if !trial.scores.is_empty() {
            dl.facts {
                @for (scorer, score) in &trial.scores {
                    dt { (shown(scorer)) }
                    dd class=[is_low(scorer, score.value).then_some("bad")] {
                        (format!("{:.2}", score.value)) @if !score.why.is_empty() { " – " (shown(&score.why)) }
                    }
                }
            }
        }
    }
}
