//! The page of costs.

use cot_store::{Day, Spending};
use maud::{Markup, html};

use super::{
    buckets::Bars,
    chart::chart,
    query::{CostsQuery, Measure, RANGES, Split},
    rates::rates,
    sums::total,
    tables::sums,
};
use crate::{
    error::PageError,
    frame::{
        form::{Field, input},
        number::{grouped, money, tokens},
        page::{Page, Section},
        plot::{percent, percent_text, share},
        text::shown,
    },
    visit::Visit,
};

pub(crate) async fn show(visit: Visit) -> Result<Markup, PageError> {
    let query = CostsQuery::read(&visit);
    let rows = visit.store().spending(&query.filter).await?;
    let body = html! {
        div.page-head {
            h1 { "Costs" @if let Some(process) = &query.filter.process { " of " (shown(process)) } }
        }
        (ranges(&visit, &query))
        @if let Some(issue) = &query.issue { p.notice.notice-error role="alert" { (shown(issue)) } }
        @match total(&rows) {
            None => div.card.empty {
                p.lead { "Nothing was spent in this time." }
                p.muted { "Calls of models appear here when they end." }
            },
            Some(all) => (figures(&visit, &query, (&rows, &all))),
        }
    };
    let live = visit.links().live();
    Ok(Page::new(&visit, "Costs").section(Section::Costs).live(live).body(body))
}

/// The range of days and the process.
fn ranges(visit: &Visit, query: &CostsQuery) -> Markup {
    let today = Day::from_time(visit.now());
    let from = query.filter.from.map(|day| day.to_string()).unwrap_or_default();
    let until = query.filter.until.unwrap_or(today).to_string();
    let process = query.filter.process.clone().unwrap_or_default();
    let is_all =
        query.days.is_none() && query.filter.from.is_none() && query.filter.until.is_none();
    let address =
        |days: &str| CostsQuery::with(visit, &[("days", days), ("from", ""), ("until", "")]);
    html! {
        nav.row aria-label="Range of days" {
            @for days in RANGES {
                a.button.button-small href=(address(&days.to_string())) aria-current=[(query.days == Some(days)).then_some("true")] {
                    (days) " days"
                }
            }
            a.button.button-small href=(address("all")) aria-current=[is_all.then_some("true")] { "All" }
        }
        form.filters method="get" action=(visit.links().costs()) {
            (Field::new("from", "First day").control(|attributes| input(attributes, "from", "date", &from)))
            (Field::new("until", "Last day").control(|attributes| input(attributes, "until", "date", &until)))
            (Field::new("process", "Process").control(|attributes| input(attributes, "process", "text", &process)))
            input type="hidden" name="split" value=(query.split.word());
            @if let Some(measure) = query.measure { input type="hidden" name="measure" value=(measure.word()); }
            button.button type="submit" { "Show" }
            @if query.filter.process.is_some() {
                a.button.button-quiet href=(CostsQuery::with(visit, &[("process", "")])) { "All processes" }
            }
        }
    }
}

fn figures(visit: &Visit, query: &CostsQuery, (rows, all): (&[Spending], &Spending)) -> Markup {
    let default = if all.usage.cost > 0.0 { Measure::Cost } else { Measure::Tokens };
    let measure = query.measure.unwrap_or(default);
    let days = rows.iter().map(|row| row.day);
    let today = Day::from_time(visit.now());
    let first = query.filter.from.or_else(|| days.clone().min()).unwrap_or(today);
    let last = query.filter.until.or_else(|| days.max()).unwrap_or(today);
    let last = if query.days.is_some() { last.max(today) } else { last };
    let bars = Bars::new(rows, (query.split, measure), (first, last.max(first)));
    let period = match bars.days {
        1 => "day".to_owned(),
        7 => "week".to_owned(),
        days => format!("{days} days"),
    };
    let about = format!("{} by {period} and {}", capital(measure.word()), query.split.word());
    html! {
        div.stack #figures data-live {
            (stats(all))
            section.card aria-labelledby="chart-heading" {
                div.page-head {
                    h2 #chart-heading { (about) }
                    (switches(visit, query, measure))
                }
                (chart(&bars, measure, &about))
            }
            @for split in Split::ALL { (sums(visit, rows, split, measure)) }
            (rates(visit, rows))
        }
    }
}

fn capital(word: &str) -> String {
    let (first, rest) = word.split_at(1);
    first.to_uppercase() + rest
}

/// What the chart shows.
fn switches(visit: &Visit, query: &CostsQuery, measure: Measure) -> Markup {
    html! {
        div.row {
            @for other in Measure::ALL {
                a.button.button-small href=(CostsQuery::with(visit, &[("measure", other.word())]))
                    aria-current=[(other == measure).then_some("true")] { (capital(other.word())) }
            }
            span.muted { "by" }
            @for split in Split::ALL {
                a.button.button-small href=(CostsQuery::with(visit, &[("split", split.word())]))
                    aria-current=[(split == query.split).then_some("true")] { (capital(split.word())) }
            }
        }
    }
}

fn stats(all: &Spending) -> Markup {
    let usage = &all.usage;
    let cached = percent(usage.cached_tokens, usage.input_tokens);
    let failed = percent(all.failed_attempts, all.attempts);
    let stat = |value: &str, label: &str| {
        html! { li.stat { span.stat-value { (value) } span.stat-label { (label) } } }
    };
    html! {
        ul.stats {
            (stat(&money(usage.cost), "cost, in the currency of the prices"))
            (stat(&grouped(usage.calls), "model calls"))
            (stat(&tokens(usage.input_tokens), "tokens in"))
            (stat(&tokens(usage.output_tokens), "tokens out"))
            li.stat {
                span.stat-value { (percent_text(cached)) }
                span.stat-label { "of the tokens in from a cache" }
                (share(cached, "series-3"))
            }
            li.stat {
                span.stat-value { (percent_text(failed)) }
                span.stat-label { "of " (grouped(all.attempts)) " attempts failed" }
                (share(failed, "bar-bad"))
            }
        }
    }
}
