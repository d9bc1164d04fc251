//! The inbox: the runs that wait for people, the most urgent first.

use std::{collections::BTreeMap, time::SystemTime};

use cot_store::{RunFilter, RunOrder, RunSummary};
use maud::{Markup, html};

use super::{batch::group::Group, question::OpenQuestion};
use crate::{
    error::PageError,
    frame::{
        form::{Field, input},
        number::count,
        page::{Page, Section},
        pill::{Tone, pill, pill_about},
        table::table,
        text::{excerpt, is_short, shown},
        time::relative,
    },
    links::with_query,
    visit::Visit,
};

/// The number of questions on a page.
const PAGE: usize = 50;
/// The length of a question in the list.
pub(super) const QUESTION: usize = 240;

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
                (groups(&visit, &runs))
                (questions(&visit, &runs))
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
                    "Questions of tasks for people, and calls of tools with " code { "approve: person" }
                    ", appear here while their runs wait."
                }
            }
        }
    }
}

fn questions(visit: &Visit, runs: &[RunSummary]) -> Markup {
    let columns = ["Question", "Run", "Asked", "Deadline"].map(|title| (title, false));
    let rows = html! { @for run in runs { (row(visit, run)) } };
    table("Questions that wait for people, the most urgent first", &columns, rows)
}

fn row(visit: &Visit, run: &RunSummary) -> Markup {
    let Some(question) = OpenQuestion::find(run) else { return html! {} };
    let OpenQuestion { task, text, since, until, .. } = question;
    let links = visit.links();
    html! {
        tr {
            th scope="row" {
                a href=(links.answer(&run.run)) { (excerpt(text, QUESTION)) }
                (pills(&question))
            }
            td data-label="Run" {
                div {
                    a.mono.nowrap[is_short(run.run.as_str())] href=(links.run(&run.run)) { (shown(run.run.as_str())) }
                    @let place = format!("{} · {task}", run.process);
                    span.sub.nowrap[is_short(&place)] { (shown(&place)) }
                }
            }
            td data-label="Asked" { (relative(since, visit.now())) }
            td data-label="Deadline" { (deadline(until, visit.now())) }
        }
    }
}

/// Shows what became of the answers to a question.
pub(super) fn pills(question: &OpenQuestion<'_>) -> Markup {
    let before = question.key.attempt().saturating_sub(1);
    html! {
        span.pills {
            @if question.run.is_answered {
                (pill_about(Tone::Active, "answered", "No program has taken the answer yet."))
            }
            @if let Some(issues) = question.issues {
                @let number = u64::try_from(issues.len()).unwrap_or(u64::MAX);
                (pill(Tone::Bad, &format!("rejected with {}", count(number, "issue", "issues"))))
            }
            @if before > 1 { (pill(Tone::Plain, &format!("answered {before} times before"))) }
        }
    }
}

/// Links to the forms that answer several of the listed questions.
fn groups(visit: &Visit, runs: &[RunSummary]) -> Markup {
    let open = runs.iter().filter_map(OpenQuestion::find);
    let open = open.filter(|question| question.is_open(visit.now()));
    let mut groups: BTreeMap<Group, usize> = BTreeMap::new();
    for group in open.filter_map(|question| Group::from_question(&question)) {
        *groups.entry(group).or_default() += 1;
    }
    groups.retain(|_, questions| *questions > 1 && !visit.is_read_only());
    let search = visit.query().filled("q");
    html! {
        @if !groups.is_empty() {
            nav.row aria-label="Answer several questions" {
                span.muted { "Answer several at once:" }
                @for group in groups.keys() {
                    a.button.button-small href=(group.address(visit.links(), search)) {
                        (shown(&group.process)) " · " (shown(&group.task))
                    }
                }
            }
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
