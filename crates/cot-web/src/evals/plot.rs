//! The plots of a report: quality against cost, and pass rates over the last reports.

use std::sync::Arc;

use cot_eval::{Report, Summary};
use maud::{Markup, html};

use super::{
    mark::{colour, ring},
    reports::Digest,
};
use crate::{
    frame::{
        number::{money, tokens},
        plot::{percent_text, round_up},
        text::{excerpt, shown},
        time::exact,
    },
    visit::Visit,
};

/// The size of a plot, and the place of the points in it.
const WIDTH: f64 = 420.0;
const HEIGHT: f64 = 250.0;
const LEFT: f64 = 46.0;
const RIGHT: f64 = 20.0;
const TOP: f64 = 14.0;
const BOTTOM: f64 = 42.0;

/// Returns the place of a share of the width.
fn x(share: f64) -> f64 {
    LEFT + (WIDTH - LEFT - RIGHT) * share.clamp(0.0, 1.0)
}

/// Returns the place of a rate.
fn y(rate: f64) -> f64 {
    TOP + (HEIGHT - TOP - BOTTOM) * (1.0 - rate.clamp(0.0, 1.0))
}

/// A plot with a grid of rates, and words below it. Its role is `img`, or `group` if points are links.
fn plot((id, role): (&str, &str), title: &str, about: &str, points: Markup) -> Markup {
    html! {
        figure.card {
            figcaption { h2 { (title) } p.muted.small { (about) } }
            svg.chart.plot viewBox=(format!("0 0 {WIDTH} {HEIGHT}")) role=(role) aria-labelledby=(id) {
                title id=(id) { (title) ". " (about) }
                g aria-hidden="true" {
                    @for rate in [0.0, 0.25, 0.5, 0.75, 1.0] {
                        @let at = format!("{:.1}", y(rate));
                        line class=(if rate > 0.0 { "gridline" } else { "axis" }) x1=(LEFT) x2=(WIDTH) y1=(at) y2=(at) {}
                        text x=(LEFT - 8.0) y=(at) text-anchor="end" dominant-baseline="middle" { (format!("{:.0} %", rate * 100.0)) }
                    }
                }
                (points)
            }
        }
    }
}

/// A word below a plot, at a share of its width.
fn tick(share: f64, text: &str) -> Markup {
    let anchor = match share {
        share if share <= 0.0 => "start",
        share if share >= 1.0 => "end",
        _ => "middle",
    };
    html! { text x=(format!("{:.1}", x(share))) y=(HEIGHT - BOTTOM + 18.0) text-anchor=(anchor) aria-hidden="true" { (text) } }
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a mean of counts")]
fn cost_text(value: f64, is_priced: bool) -> String {
    match () {
        () if value <= 0.0 => "0".to_owned(),
        () if is_priced => money(value),
        () => tokens(value.round() as u64),
    }
}

/// Plots the pass rate of each variant against what a trial costs, in tokens unless all prices are known: an engine without
/// one would be the cheapest.
pub(super) fn quality_against_cost(report: &Report) -> Markup {
    let all: Vec<Summary> = report.variants.iter().map(|name| report.summary(name)).collect();
    let mut called = all.iter().filter(|all| all.trials > 0 && all.usage.calls > 0).peekable();
    let is_priced = called.peek().is_some() && called.all(|all| all.usage.cost > 0.0);
    let costs: Vec<f64> = all.iter().map(|summary| cost_of_a_trial(summary, is_priced)).collect();
    let top = round_up(costs.iter().copied().fold(0.0, f64::max));
    let what = if is_priced { "Cost of a trial" } else { "Tokens of a trial" };
    let points = html! {
        @for share in [0.0, 0.5, 1.0] { (tick(share, &cost_text(top * share, is_priced))) }
        text x=(x(0.5)) y=(HEIGHT - 6.0) text-anchor="middle" aria-hidden="true" { (what) }
        @for (variant, (summary, cost)) in all.iter().zip(&costs).enumerate() {
            @if summary.trials > 0 {
                @let at = x(if top > 0.0 { cost / top } else { 0.0 });
                @let interval = summary.interval();
                g {
                    title { (shown(&report.variants[variant])) ": " (percent_text(summary.pass_rate() * 100.0)) ", from " (interval) "; " (cost_text(*cost, is_priced)) }
                    line class=(format!("line {}", colour(variant))) x1=(format!("{at:.1}")) x2=(format!("{at:.1}"))
                        y1=(format!("{:.1}", y(interval.high))) y2=(format!("{:.1}", y(interval.low))) {}
                    (ring(variant, (at, y(summary.pass_rate()))))
                }
            }
        }
    };
    let about = "Pass rate with its 95 % interval. Better is higher, cheaper is further left.";
    plot(("plot-cost", "img"), "Quality against cost", about, points)
}

#[expect(clippy::cast_precision_loss, reason = "points are not that exact")]
fn cost_of_a_trial(summary: &Summary, is_priced: bool) -> f64 {
    let usage = &summary.usage;
    let all = match is_priced {
        true => usage.cost,
        false => usage.input_tokens.saturating_add(usage.output_tokens) as f64,
    };
    all / summary.trials.max(1) as f64
}

/// The reports that the plot over time shows at most.
const MAX_REPORTS: usize = 20;

/// Plots the pass rates of variants over the last reports of an eval, which are given with the newest first.
pub(super) fn over_reports(visit: &Visit, variants: &[String], reports: &[&Arc<Digest>]) -> Markup {
    let shown: Vec<&Digest> =
        reports.iter().take(MAX_REPORTS).rev().map(|report| &***report).collect();
    let (Some(first), Some(last)) = (shown.first(), shown.last()) else { return html! {} };
    let about = match shown.len() {
        1 => "There is one report of this eval so far.".to_owned(),
        count => format!(
            "The last {count} reports of this eval, one by one. A point leads to its report."
        ),
    };
    let day = |report: &Digest| exact(report.at).chars().take(10).collect::<String>();
    let points = html! {
        @if shown.len() > 1 { (tick(0.0, &day(first))) (tick(1.0, &day(last))) } @else { (tick(0.5, &day(last))) }
        @for (variant, name) in variants.iter().enumerate() { (course(visit, (variant, name), &shown)) }
    };
    plot(("plot-reports", "group"), "Pass rate over the last reports", &about, points)
}

/// The line of a variant, and its points.
fn course(visit: &Visit, (variant, name): (usize, &str), reports: &[&Digest]) -> Markup {
    let found = |report: &Digest| {
        let (_, summary) = report.variants.iter().find(|(known, _)| known == name)?;
        (summary.trials > 0).then(|| summary.pass_rate())
    };
    let points: Vec<Option<(f64, f64)>> = reports
        .iter()
        .enumerate()
        .map(|(index, report)| Some((place(index, reports.len()), y(found(report)?))))
        .collect();
    let line: Vec<_> = points.iter().flatten().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
    let last = points.iter().rposition(Option::is_some);
    html! {
        polyline class=(format!("line {}", colour(variant))) points=(line.join(" ")) {}
        @for (index, report) in reports.iter().enumerate() {
            @if let Some(at) = points[index] {
                a href=(visit.links().eval_report(&report.file)) {
                    title { (excerpt(&report.file, 80)) ", " (excerpt(name, 80)) }
                    @if Some(index) == last { (ring(variant, at)) }
                    @else { circle class=(colour(variant)) cx=(format!("{:.1}", at.0)) cy=(format!("{:.1}", at.1)) r="4" {} }
                }
            }
        }
    }
}

#[expect(clippy::cast_precision_loss, reason = "there are few reports")]
fn place(index: usize, count: usize) -> f64 {
    x(if count > 1 { index as f64 / (count - 1) as f64 } else { 0.5 })
}
