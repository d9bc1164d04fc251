//! The inbox: the runs that wait for people, the most urgent first.

use std::time::SystemTime;

use cot_store::{RunFilter, RunOrder, RunSummary, Status};
use maud::{Markup, html};

use crate::{
    error::PageError,
    frame::{
        form::{Field, input},
        number::count,
        page::{Page, Section},
        pill::{Tone, pill, pill_about},
        text::{excerpt, shown},
        time::relative,
    },
    links::with_query,
    visit::Visit,
};

/// The number of questions on a page.
const PAGE: usize = 50;
/// The length of a question in the list.
const QUESTION: usize = 240;

pub(crate) async fn show(visit: Visit) -> Result<Markup, PageError> {
    let query = visit.query();
    let mut filter = RunFilter::default();
    filter.is_asking = Some(true);
    filter.search = query.filled("q").map(str::to_owned);
    filter.process = query.filled("process").map(str::to_owned);
    filter.order = RunOrder::AttentionFirst;
    let all = visit.store().count(&filter).await?;
    let page: usize = query.parsed("page").unwrap_or(1).max(1);
    filter.offset = (page - 1).saturating_mul(PAGE);
    filter.limit = Some(PAGE);
    let runs = visit.store().runs(&filter).await?;
    let is_filtered = filter.search.is_some() || filter.process.is_some();
    let body = html! {
        div.page-head { h1 { "What waits for people" } }
        @if is_filtered || all > 5 { (search(&visit)) }
        section.stack #inbox data-live aria-live="polite" aria-label="Questions" {
            @if runs.is_empty() { (nothing(is_filtered)) }
            @else {
                p.muted { (count(all, "question", "questions")) @if is_filtered { " found" } }
                (table(&visit, &runs))
                (pager(&visit, page, all))
            }
        }
    };
    let live = visit.links().live();
    Ok(Page::new(&visit, "People").section(Section::People).live(live).body(body))
}

fn search(visit: &Visit) -> Markup {
    let value = |name: &str| visit.query().filled(name).unwrap_or_default();
    html! {
        form.filters method="get" action=(visit.links().people()) role="search" {
            (Field::new("q", "Search").control(|attributes| input(attributes, "q", "search", value("q"))))
            (Field::new("process", "Process").control(|attributes| {
                input(attributes, "process", "text", value("process"))
            }))
            button.button type="submit" { "Search" }
        }
    }
}

fn nothing(is_filtered: bool) -> Markup {
    html! {
        div.card.empty {
            @if is_filtered { p { "No question matches." } }
            @else {
                p.lead { "Nobody is asked anything." }
                p.muted {
                    "Questions of human tasks, and calls of tools with " code { "approve: person" }
                    ", appear here while their runs wait."
                }
            }
        }
    }
}

fn table(visit: &Visit, runs: &[RunSummary]) -> Markup {
    html! {
        div.table-frame {
            table.data {
                caption.visually-hidden { "Questions that wait for people, the most urgent first" }
                thead {
                    tr {
                        th scope="col" { "Question" }
                        th scope="col" { "Run" }
                        th scope="col" { "Asked" }
                        th scope="col" { "Deadline" }
                    }
                }
                tbody { @for run in runs { (row(visit, run)) } }
            }
        }
    }
}

fn row(visit: &Visit, run: &RunSummary) -> Markup {
    let Status::Asking { task, key, question, issues, since, until, .. } = &run.status else {
        return html! {};
    };
    let links = visit.links();
    let before = key.attempt().saturating_sub(1);
    html! {
        tr {
            th scope="row" {
                a href=(links.answer(&run.run)) { (excerpt(question, QUESTION)) }
                span.pills {
                    @if run.is_answered {
                        (pill_about(Tone::Active, "answered", "No program has taken the answer yet."))
                    }
                    @if let Some(issues) = issues {
                        @let number = u64::try_from(issues.len()).unwrap_or(u64::MAX);
                        (pill(Tone::Bad, &format!("rejected with {}", count(number, "issue", "issues"))))
                    }
                    @if before > 1 { (pill(Tone::Plain, &format!("answered {before} times before"))) }
                }
            }
            td data-label="Run" {
                a.mono href=(links.run(&run.run)) { (shown(run.run.as_str())) }
                span.sub { (shown(&run.process)) " · " (shown(task)) }
            }
            td data-label="Asked" { (relative(*since, visit.now())) }
            td data-label="Deadline" { (deadline(*until, visit.now())) }
        }
    }
}

/// Shows when the time for an answer ends, if it does.
pub(super) fn deadline(until: Option<SystemTime>, now: SystemTime) -> Markup {
    match until {
        None => html! { span.muted { "none" } },
        Some(until) if until <= now => {
            html! { (pill(Tone::Bad, "overdue")) " " (relative(until, now)) }
        }
        Some(until) => relative(until, now),
    }
}

fn pager(visit: &Visit, page: usize, all: u64) -> Markup {
    let pages = usize::try_from(all).unwrap_or(usize::MAX).div_ceil(PAGE);
    let address = |page: usize| {
        let number = page.to_string();
        let mut query: Vec<_> = visit.query().iter().filter(|(name, _)| *name != "page").collect();
        query.push(("page", &number));
        with_query(visit.links().people(), &query)
    };
    html! {
        @if pages > 1 {
            nav.pager aria-label="Pages" {
                @if page > 1 { a.button.button-small href=(address(page - 1)) { "Previous" } }
                span.muted { "Page " (page) " of " (pages) }
                @if page < pages { a.button.button-small href=(address(page + 1)) { "Next" } }
            }
        }
    }
}
