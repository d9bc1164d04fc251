//! The list of evals and their reports.

use std::sync::Arc;

use cot_eval::Summary;
use maud::{Markup, html};

use super::reports::{Digest, FolderList};
use crate::{
    error::PageError,
    frame::{
        page::{Page, Section},
        plot::{percent_text, share},
        table::table,
        text::shown,
        time::relative,
    },
    visit::Visit,
};

/// The number of reports that are listed.
const MAX_REPORTS: usize = 200;
/// The number of files that are no reports and are listed.
const MAX_UNREADABLE: usize = 20;

pub(super) async fn show(visit: Visit) -> Result<Markup, PageError> {
    let reports = visit.reports()?;
    let (of_page, listing) = (visit.clone(), reports.list().await?);
    let body = reports.render(move || body(&of_page, &listing)).await?;
    Ok(Page::new(&visit, "Evals").section(Section::Evals).body(body))
}

fn body(visit: &Visit, listing: &FolderList) -> Markup {
    html! {
        h1 { "Evals" }
        @if listing.reports.is_empty() {
            div.card.empty {
                p.lead { "The folder has no report of an eval." }
                p.muted { "Write what " code { "Eval::run" } " returns as JSON into a file whose name ends in " code { ".json" } "." }
            }
        } @else { (table_of_reports(visit, listing)) }
        @for why in listing.unreadable.iter().take(MAX_UNREADABLE) { p.notice.notice-error { (shown(why)) } }
        @if listing.unreadable.len() > MAX_UNREADABLE {
            p.muted { (listing.unreadable.len()) " files can't be read; the first ones are shown." }
        }
    }
}

fn table_of_reports(visit: &Visit, listing: &FolderList) -> Markup {
    let columns = [("Eval", false), ("Passed", false)];
    let rows = html! {
        @for report in listing.reports.iter().take(MAX_REPORTS) {
            tr {
                th scope="row" { (head(visit, report)) }
                td {
                    ul.plain.stack {
                        @for (variant, summary) in &report.variants {
                            li { (passed(variant, summary, before(listing, report, variant))) }
                        }
                        @if report.more_variants > 0 { li.muted { "and " (report.more_variants) " more variants" } }
                    }
                }
            }
        }
    };
    html! {
        (table("Reports, the newest first", &columns, rows))
        @if listing.reports.len() > MAX_REPORTS { p.muted { "The newest " (MAX_REPORTS) " of " (listing.reports.len()) " are shown." } }
    }
}

/// The pass rate of a variant, and that of the report before.
fn passed(variant: &str, summary: &Summary, before: Option<&Summary>) -> Markup {
    let rate = summary.pass_rate() * 100.0;
    html! {
        (shown(variant)) ": " strong { (percent_text(rate)) }
        span.muted {
            " (" (summary.passed) " of " (summary.trials) ", from " (summary.interval())
            @if let Some(before) = before { "; before: " (percent_text(before.pass_rate() * 100.0)) }
            ")"
        }
        (share(rate, "series-1"))
    }
}

fn head(visit: &Visit, report: &Digest) -> Markup {
    html! {
        a href=(visit.links().eval_report(&report.file)) { (shown(&report.name)) }
        span.sub { (shown(&report.process)) " · " (relative(report.at, visit.now())) " · " span.mono { (shown(&report.file)) } }
    }
}

/// Returns the figures of a variant in the report before this one of the same eval.
fn before<'a>(listing: &'a FolderList, report: &Arc<Digest>, variant: &str) -> Option<&'a Summary> {
    let mut older =
        listing.reports_named(&report.name).skip_while(|other| !Arc::ptr_eq(other, report)).skip(1);
    let (_, summary) =
        older.find_map(|other| other.variants.iter().find(|(name, _)| name == variant))?;
    Some(summary)
}
