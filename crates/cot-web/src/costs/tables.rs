//! Sums by process, task and engine.

use cot_store::Spending;
use maud::{Markup, html};

use super::{
    query::{CostsQuery, Measure, Split},
    sums::{by_key, total},
};
use crate::{
    frame::{
        number::{grouped, money, tokens},
        plot::{percent, percent_text, share},
        table::table,
        text::shown,
    },
    visit::Visit,
};

/// The number of rows of a table.
const MAX_ROWS: usize = 100;

/// Renders the sums of all parts of one kind.
pub(super) fn sums(visit: &Visit, rows: &[Spending], split: Split, measure: Measure) -> Markup {
    let sums = by_key(rows, |row| split.part_name(row), |row| measure.amount(row));
    let whole = total(rows).map_or(0.0, |row| measure.amount(&row));
    let id = format!("by-{}", split.word());
    let columns = [
        (name_of(split), false),
        ("Share", false),
        ("Cost", true),
        ("Calls", true),
        ("Tokens in", true),
        ("Cached", false),
        ("Tokens out", true),
    ];
    html! {
        section.stack aria-labelledby=(id) {
            h2 id=(id) { "By " (split.word()) }
            (table(&format!("What was spent, by {}", split.word()), &columns, html! {
                @for (name, sum) in sums.iter().take(MAX_ROWS) { (row(visit, split, (name, sum), (measure, whole))) }
            }))
            @if sums.len() > MAX_ROWS { p.muted { "The " (MAX_ROWS) " largest of " (sums.len()) " are shown." } }
        }
    }
}

const fn name_of(split: Split) -> &'static str {
    match split {
        Split::Process => "Process",
        Split::Task => "Task",
        Split::Engine => "Engine",
    }
}

fn row(
    visit: &Visit,
    split: Split,
    (name, sum): (&str, &Spending),
    (measure, whole): (Measure, f64),
) -> Markup {
    let usage = &sum.usage;
    let part = if whole > 0.0 { measure.amount(sum) * 100.0 / whole } else { 0.0 };
    let cached = percent(usage.cached_tokens, usage.input_tokens);
    html! {
        tr {
            th scope="row" {
                (label(visit, split, (name, sum)))
                @if split == Split::Process {
                    a.sub href=(visit.links().home_with(&[("process", &sum.process)])) { "its runs" }
                }
            }
            td data-label="Share" { (percent_text(part)) (share(part, "series-1")) }
            td.num data-label="Cost" { (money(usage.cost)) }
            td.num data-label="Calls" { (grouped(usage.calls)) }
            td.num data-label="Tokens in" { (tokens(usage.input_tokens)) }
            td data-label="Cached" { (percent_text(cached)) (share(cached, "series-3")) }
            td.num data-label="Tokens out" { (tokens(usage.output_tokens)) }
        }
    }
}

/// The name of a part: a process leads to the page of its costs.
fn label(visit: &Visit, split: Split, (name, sum): (&str, &Spending)) -> Markup {
    match split {
        Split::Process => html! {
            a href=(CostsQuery::with(visit, &[("process", &sum.process)])) { (shown(name)) }
        },
        Split::Task => {
            html! { span.mono { (shown(&sum.task)) } span.sub { (shown(&sum.process)) } }
        }
        Split::Engine => html! { span.mono { (shown(name)) } },
    }
}
