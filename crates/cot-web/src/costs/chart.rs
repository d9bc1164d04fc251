//! The chart of costs by day: stacked bars, with the same numbers as a table beneath.

use maud::{Markup, html};

use super::{
    buckets::{Bar, Bars},
    query::Measure,
};
use crate::frame::{plot::round_up, table::table, text::shown};

/// The size of the picture, and the place of the bars in it.
const WIDTH: f64 = 900.0;
const HEIGHT: f64 = 260.0;
const LEFT: f64 = 64.0;
const TOP: f64 = 12.0;
const BOTTOM: f64 = 28.0;
/// The number of days that are named below the bars.
const LABELS: usize = 7;

/// Renders a chart with its legend and its table.
pub(super) fn chart(bars: &Bars, measure: Measure, about: &str) -> Markup {
    let highest = bars.bars.iter().map(Bar::total).fold(0.0, f64::max);
    let top = round_up(highest);
    html! {
        div.chart-scroll tabindex="0" role="group" aria-label="Chart, scrolls sideways on a narrow screen" {
            svg.chart viewBox=(format!("0 0 {WIDTH} {HEIGHT}")) role="img" aria-labelledby="chart-title chart-about" {
                title #chart-title { (about) }
                desc #chart-about { "Stacked bars. The table beneath has the same numbers." }
                (grid(measure, top))
                @for (index, bar) in bars.bars.iter().enumerate() { (stack(bars, bar, (index, top), measure)) }
                (days(bars))
            }
        }
        @if bars.series.len() > 1 { (legend(bars)) }
        (numbers(bars, measure))
    }
}

fn y(value: f64, top: f64) -> f64 {
    let height = HEIGHT - TOP - BOTTOM;
    TOP + height - if top > 0.0 { height * value / top } else { 0.0 }
}

#[expect(clippy::cast_precision_loss, reason = "there are few bars")]
fn x(bars: &Bars, index: usize) -> (f64, f64) {
    let step = (WIDTH - LEFT - 8.0) / bars.bars.len().max(1) as f64;
    (LEFT + step * index as f64, step)
}

fn grid(measure: Measure, top: f64) -> Markup {
    let lines = [0.0, 0.25, 0.5, 0.75, 1.0].map(|share| share * top);
    html! {
        g aria-hidden="true" {
            @for value in lines {
                @let at = format!("{:.1}", y(value, top));
                line class=(if value > 0.0 { "gridline" } else { "axis" }) x1=(LEFT) x2=(WIDTH) y1=(at) y2=(at) {}
                @if value > 0.0 {
                    text x=(LEFT - 8.0) y=(at) text-anchor="end" dominant-baseline="middle" { (measure.text(value)) }
                }
            }
        }
    }
}

fn stack(bars: &Bars, bar: &Bar, (index, top): (usize, f64), measure: Measure) -> Markup {
    let (left, step) = x(bars, index);
    let width = (step * 0.8).min(48.0);
    let left = left + (step - width) / 2.0;
    let mut below = 0.0;
    let parts =
        bar.values.iter().enumerate().filter(|(_, value)| **value > 0.0).map(|(series, value)| {
            let (start, end) = (y(below, top), y(below + value, top));
            below += value;
            (series, *value, end, start - end)
        });
    let parts: Vec<_> = parts.collect();
    html! {
        g {
            @for (series, value, at, height) in parts {
                rect class=(format!("series-{}", series + 1)) x=(format!("{left:.1}")) y=(format!("{at:.2}"))
                    width=(format!("{width:.1}")) height=(format!("{:.2}", height.max(0.5))) {
                    title { (bar.label()) ", " (shown(&bars.series[series])) ": " (measure.text(value)) }
                }
            }
        }
    }
}

fn days(bars: &Bars) -> Markup {
    let every = bars.bars.len().div_ceil(LABELS).max(1);
    html! {
        g aria-hidden="true" {
            @for (index, bar) in bars.bars.iter().enumerate().step_by(every) {
                @let (left, step) = x(bars, index);
                text x=(format!("{:.1}", left + step / 2.0)) y=(HEIGHT - 8.0) text-anchor="middle" { (bar.first) }
            }
        }
    }
}

fn legend(bars: &Bars) -> Markup {
    html! {
        ul.legend {
            @for (index, name) in bars.series.iter().enumerate() {
                li {
                    svg.legend-mark viewBox="0 0 12 12" aria-hidden="true" {
                        rect class=(format!("series-{}", index + 1)) width="12" height="12" rx="2" {}
                    }
                    (shown(name))
                }
            }
        }
    }
}

fn numbers(bars: &Bars, measure: Measure) -> Markup {
    let series = if bars.series.len() > 1 { &*bars.series } else { &[] };
    let titles: Vec<_> = series.iter().map(|name| shown(name)).collect();
    let columns = [(if bars.days > 1 { "Days" } else { "Day" }, false)].into_iter();
    let columns = columns.chain(titles.iter().map(|title| (&**title, true)));
    let columns: Vec<_> = columns.chain([("Together", true)]).collect();
    let filled = bars.bars.iter().rev().filter(|bar| bar.total() > 0.0);
    html! {
        details.fold {
            summary { "The numbers as a table" }
            (table("The numbers of the chart; days without any are left out", &columns, html! {
                @for bar in filled {
                    tr {
                        th scope="row" { (bar.label()) }
                        @for (value, title) in bar.values.iter().zip(&titles) {
                            td.num data-label=(title) { @if *value > 0.0 { (measure.text(*value)) } }
                        }
                        td.num data-label="Together" { (measure.text(bar.total())) }
                    }
                }
            }))
        }
    }
}
