//! The page of a report.

use cot_eval::Report;
use maud::{Markup, html};

use super::{
    cases::cases,
    mark::name,
    plot::{over_reports, quality_against_cost},
    reports::{FolderList, ShownReport},
    tables::{agreements, by_tag, by_variant},
    tasks::losses,
};
use crate::{
    error::PageError,
    frame::{
        number::{count, usage},
        page::{Page, Section},
        text::shown,
        time::relative,
    },
    visit::Visit,
};

pub(super) async fn show(visit: Visit) -> Result<Markup, PageError> {
    let (file, shown) = visit.report().await?;
    let reports = visit.reports()?;
    let listing = reports.list().await?;
    let (of_page, title) = (visit.clone(), shown.report.name.clone());
    let body = reports.render(move || body(&of_page, &file, &shown, &listing)).await?;
    Ok(Page::new(&visit, &title).section(Section::Evals).body(body))
}

fn body(visit: &Visit, file: &str, shown: &ShownReport, listing: &FolderList) -> Markup {
    let ShownReport { report, more_variants } = shown;
    let others: Vec<_> = listing.reports_named(&report.name).collect();
    let after = visit.query().parsed("after").unwrap_or_default();
    html! {
        (head(visit, file, report))
        @if report.variants.len() > 1 {
            ul.legend aria-label="Variants" { @for index in 0..report.variants.len() { li { (name(&report.variants, index)) } } }
        }
        @if *more_variants > 0 { p.muted { (more_variants) " more variants are not shown." } }
        div.grid { (quality_against_cost(report)) (over_reports(visit, &report.variants, &others)) }
        (by_variant(report))
        (losses(report))
        (agreements(report))
        (by_tag(report))
        (cases(visit, file, report, after))
    }
}

fn head(visit: &Visit, file: &str, report: &Report) -> Markup {
    let trials = u64::try_from(report.trials.len()).unwrap_or(u64::MAX);
    html! {
        p.crumbs { a href=(visit.links().evals()) { "Evals" } }
        div.page-head {
            h1 { (shown(&report.name)) }
            nav.row aria-label="Parts of the page" {
                @for (part, text) in [("#tasks", "Tasks"), ("#tags", "Tags"), ("#cases", "Worst cases")] { a href=(part) { (text) } }
            }
        }
        p.muted {
            "Process " span.mono { (shown(&report.process)) }
            @if let Some(version) = &report.version { " " (shown(version)) }
            " · " (count(trials, "trial", "trials"))
            @if let Some(at) = report.at { " · " (relative(at, visit.now())) }
            " · " span.mono { (shown(file)) }
        }
        p.muted.small { "Paid: " (usage(&report.paid)) }
        @if report.left_out > 0 { p.notice.notice-warn { "The budget left out " (report.left_out) " trials." } }
        @if let Some(error) = &report.cache_error { p.notice.notice-warn { "The cache could not be written: " (shown(error)) } }
    }
}
