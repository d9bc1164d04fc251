//! The table: counts, filters, rows, and links to its pages.

use cot_store::{RunSummary, Status};
use maud::{Markup, html};

use super::{
    overview::Overview,
    query::{AGES, Group, PAGE_SIZE, TableQuery},
};
use crate::{
    frame::{
        form::{ControlAttributes, Field, input, select},
        number::{count, grouped, money, tokens},
        pill::status_pills,
        text::{excerpt, is_short, shown},
        time::{relative, rough},
    },
    visit::Visit,
};

/// The longest excerpt of a question or a reason, in characters.
const EXCERPT: usize = 120;

/// The runs of one page, of all that match.
pub(super) struct Listing<R> {
    pub(super) query: TableQuery,
    pub(super) total: u64,
    pub(super) runs: R,
}

/// The numbers of runs, each of which selects its runs.
pub(super) fn counts(visit: &Visit, overview: &Overview, query: &TableQuery) -> Markup {
    let is_shown = |(group, number): &&(Group, u64)| {
        *number > 0 || *group == query.group || matches!(group, Group::All | Group::Asking)
    };
    html! {
        nav aria-label="Runs by status" {
            ul.stats {
                @for (group, number) in overview.counts.iter().filter(is_shown) {
                    li {
                        a class=(stat_class(*group, *number))
                            href=(query.with(|query| query.group = *group).address(visit.links()))
                            aria-current=[(*group == query.group).then_some("true")] {
                            span.stat-value { (grouped(*number)) }
                            span.stat-label { (group.title()) }
                        }
                    }
                }
            }
        }
    }
}

const fn stat_class(group: Group, number: u64) -> &'static str {
    match group {
        _ if number == 0 => "stat",
        Group::Asking => "stat stat-waiting",
        Group::SetAside | Group::Failed => "stat stat-bad",
        Group::Running => "stat stat-active",
        Group::Succeeded => "stat stat-good",
        Group::All | Group::Queued | Group::Sleeping => "stat",
    }
}

/// The form that filters. It works by its address alone.
pub(super) fn filters(visit: &Visit, overview: &Overview, query: &TableQuery) -> Markup {
    let cost = query.min_cost.map(|cost| cost.to_string()).unwrap_or_default();
    let groups = Group::ALL.map(|group| (group.word(), group.title()));
    let ages = [("", "any time")].into_iter().chain(AGES.map(|(word, text, _)| (word, text)));
    let ages: Vec<_> = ages.collect();
    html! {
        form.filters method="get" action=(visit.links().home()) role="search" data-submit-on-change {
            div.field.field-wide {
                label.field-label for="q" { "Search" }
                input #q name="q" type="search" value=(query.search) maxlength="200"
                    placeholder="run, process, task, question or reason";
            }
            (Field::new("status", "Status").control(|attributes| {
                select(attributes, "status", &groups, query.group.word())
            }))
            (Field::new("process", "Process").control(|attributes| process(attributes, overview, query)))
            (Field::new("task", "Task").control(|attributes| {
                input(attributes, "task", "text", &query.task)
            }))
            (Field::new("age", "Changed").control(|attributes| {
                select(attributes, "age", &ages, query.age)
            }))
            (Field::new("cost", "Cost at least").control(|attributes| {
                html! {
                    input id=(attributes.id) name="cost" inputmode="decimal" value=(cost) autocomplete="off";
                }
            }))
            @if !query.sort.is_empty() { input type="hidden" name="sort" value=(query.sort); }
            div.row {
                button.button type="submit" { "Filter" }
                @if query.is_filtered() {
                    a.button.button-quiet href=(visit.links().home()) { "Clear" }
                }
            }
        }
    }
}

fn process(attributes: &ControlAttributes<'_>, overview: &Overview, query: &TableQuery) -> Markup {
    html! {
        input id=(attributes.id) name="process" value=(query.process) list="processes" autocomplete="off";
        datalist #processes {
            @for process in &overview.processes { option value=(process) {} }
        }
    }
}

/// The rows of a page, with headings that sort.
pub(super) fn listing(visit: &Visit, found: &Listing<Vec<RunSummary>>) -> Markup {
    let Listing { query, total, runs } = found;
    html! {
        @if runs.is_empty() {
            section.card.empty {
                h2 { "No run matches" }
                p.muted { "Nothing in the store is like this." }
                p { a.button href=(visit.links().home()) { "Show all runs" } }
            }
        } @else {
            div.table-frame {
                table.data {
                    caption.visually-hidden { "Runs, " (grouped(*total)) " in all" }
                    thead { tr {
                        (heading(visit, query, "Run", false, &[("name", "ascending")]))
                        th scope="col" { "Process" }
                        (heading(visit, query, "Status", false, &[("", "descending")]))
                        th scope="col" { "Task" }
                        (heading(visit, query, "Steps", true, &[("long", "descending"), ("short", "ascending")]))
                        th.num scope="col" { "Tokens" }
                        (heading(visit, query, "Cost", true, &[("costly", "descending"), ("cheap", "ascending")]))
                        (heading(visit, query, "Changed", false, &[("recent", "descending"), ("stale", "ascending")]))
                        (heading(visit, query, "Begun", false, &[("newest", "descending"), ("oldest", "ascending")]))
                    } }
                    tbody { @for run in runs { (row(visit, run)) } }
                }
            }
            (pager(visit, found))
        }
    }
}

/// A heading whose link selects its next order.
fn heading(
    visit: &Visit,
    query: &TableQuery,
    title: &str,
    is_number: bool,
    orders: &[(&'static str, &'static str)],
) -> Markup {
    let present = orders.iter().position(|(sort, _)| *sort == query.sort);
    let next = present.map_or(0, |at| (at + 1) % orders.len());
    let direction = present.and_then(|at| orders.get(at)).map(|(_, direction)| *direction);
    let sort = orders.get(next).map_or("", |(sort, _)| *sort);
    // The order by status is none of the alphabet.
    let direction = direction.filter(|_| !query.sort.is_empty());
    html! {
        th.num[is_number] scope="col" aria-sort=[direction] {
            a href=(query.with(|query| query.sort = sort).address(visit.links())) { (title) }
        }
    }
}

fn row(visit: &Visit, run: &RunSummary) -> Markup {
    let RunSummary { status, usage, .. } = run;
    let now = visit.now();
    html! {
        tr id=(format!("run-{}", run.run)) {
            th scope="row" {
                a.nowrap[is_short(run.run.as_str())] href=(visit.links().run(&run.run)) { (run.run) }
                @if let Some(origin) = &run.origin {
                    span.sub { "fork of " (origin.run) " at step " (origin.steps) }
                }
            }
            td data-label="Process" { span.nowrap[is_short(&run.process)] { (shown(&run.process)) } }
            td data-label="Status" { (status_pills(run)) }
            td data-label="Task" {
                // Nothing is shown of a run that has not begun, not even the label on a phone.
                @if *status != Status::Queued || run.set_aside.is_some() {
                    div { span.mono { (shown(status.task())) } (about(visit, run)) }
                }
            }
            td.num data-label="Steps" { (grouped(run.steps)) }
            td.num data-label="Tokens" { (tokens(usage.total_tokens())) }
            td.num data-label="Cost" { (money(usage.cost)) }
            td data-label="Changed" { (relative(run.updated, now)) }
            td data-label="Begun" { (relative(run.begun, now)) }
        }
    }
}

/// What the run waits for, or why it ended.
fn about(visit: &Visit, run: &RunSummary) -> Markup {
    if let Some(aside) = &run.set_aside {
        return html! { span.sub { (excerpt(&aside.why, EXCERPT)) } };
    }
    match &run.status {
        Status::Asking { question, until, .. } => html! {
            span.sub {
                a href=(visit.links().answer(&run.run)) { (excerpt(question, EXCERPT)) }
                @if let Some(left) = until.and_then(|until| until.duration_since(visit.now()).ok()) {
                    " · " (rough(left)) " left"
                }
            }
        },
        Status::Sleeping { until, .. } => {
            html! { span.sub { "until " (relative(*until, visit.now())) } }
        }
        Status::Ended { why, .. } if !why.is_empty() => {
            html! { span.sub { (excerpt(why, EXCERPT)) } }
        }
        _ => html! {},
    }
}

fn pager(visit: &Visit, found: &Listing<Vec<RunSummary>>) -> Markup {
    let Listing { query, total, runs } = found;
    let first = (query.page - 1) * PAGE_SIZE;
    let last = first + runs.len() as u64;
    let to = |page| TableQuery { page, ..query.clone() }.address(visit.links());
    html! {
        nav.pager aria-label="Pages" {
            p.muted {
                @if *total <= PAGE_SIZE { (count(*total, "run", "runs")) }
                @else { (grouped(first + 1)) "–" (grouped(last)) " of " (grouped(*total)) " runs" }
            }
            @if query.page > 1 {
                a.button.button-small href=(to(1)) { "First" }
                a.button.button-small rel="prev" href=(to(query.page - 1)) { "Previous" }
            }
            @if last < *total {
                a.button.button-small rel="next" href=(to(query.page + 1)) { "Next" }
                a.button.button-small href=(to(total.div_ceil(PAGE_SIZE))) { "Last" }
            }
        }
    }
}
