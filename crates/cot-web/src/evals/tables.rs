//! The figures of variants, as a whole and by tag.

use cot_eval::{Report, Summary};
use maud::{Markup, html};

use super::mark::{colour, name};
use crate::frame::{
    number::{grouped, money, tokens},
    plot::{percent_text, share},
    table::table,
    text::shown,
    time::took,
};

/// The number of rows of a table of tags or judges.
const MAX_ROWS: usize = 100;

/// The number of scorers that are listed.
const MAX_SCORERS: usize = 20;

/// The columns of both tables after the first one.
const COLUMNS: [(&str, bool); 8] = [
    ("Passed", false),
    ("95 %", true),
    ("Errors", true),
    ("Calls", true),
    ("Tokens", true),
    ("Cost", true),
    ("Time of a trial", true),
    ("Retries, repaired", true),
];

/// Renders the figures of each variant, with the mean of each scorer.
pub(super) fn by_variant(report: &Report) -> Markup {
    let scorers: Vec<&str> = report.scorers.keys().take(MAX_SCORERS).map(String::as_str).collect();
    let titles: Vec<String> = scorers.iter().map(|scorer| shown(scorer).into_owned()).collect();
    let scores = titles.iter().map(|title| (title.as_str(), true));
    let columns: Vec<_> = [("Variant", false)].into_iter().chain(COLUMNS).chain(scores).collect();
    let rows = html! {
        @for (index, variant) in report.variants.iter().enumerate() {
            @let summary = report.summary(variant);
            tr {
                th scope="row" { (name(&report.variants, index)) }
                (figures(&summary, index))
                @for (scorer, title) in scorers.iter().zip(&titles) {
                    td.num data-label=(title) { (format!("{:.2}", summary.mean_score(scorer))) }
                }
            }
        }
    };
    html! {
        (table("The figures of each variant", &columns, rows))
        @if report.scorers.len() > MAX_SCORERS { p.muted { "The first " (MAX_SCORERS) " of " (report.scorers.len()) " scorers are shown." } }
    }
}

/// Renders how far judges agree with people, if cases have labels.
pub(super) fn agreements(report: &Report) -> Markup {
    let all = report.variants.iter().enumerate().flat_map(|(index, variant)| {
        report
            .agreement(variant)
            .into_iter()
            .map(move |(scorer, agreement)| (index, scorer, agreement))
    });
    let all: Vec<_> = all.collect();
    let columns = [("Scorer", false), ("Variant", false), ("Agrees", false)];
    html! {
        @if !all.is_empty() {
            section.stack aria-labelledby="judges" {
                h2 #judges { "Agreement with people" }
                (table("How far judges agree with people", &columns, html! {
                    @for (index, scorer, agreement) in all.iter().take(MAX_ROWS) {
                        tr {
                            th scope="row" { (shown(scorer)) }
                            td data-label="Variant" { (name(&report.variants, *index)) }
                            td data-label="Agrees" {
                                (shown(&agreement.to_string())) (share(agreement.raw() * 100.0, &colour(*index)))
                            }
                        }
                    }
                }))
                @if all.len() > MAX_ROWS { p.muted { "The first " (MAX_ROWS) " of " (all.len()) " rows are shown." } }
            }
        }
    }
}

/// Renders the figures by tag and variant.
pub(super) fn by_tag(report: &Report) -> Markup {
    let mut rows = Vec::new();
    for (index, variant) in report.variants.iter().enumerate() {
        let tags = report.by_tag(variant).into_iter();
        rows.extend(tags.map(|(tag, summary)| (tag, index, summary)));
    }
    rows.retain(|(_, _, summary)| summary.trials + summary.errors > 0);
    rows.sort_by_key(|(tag, index, _)| (*tag, *index));
    let columns: Vec<_> = [("Tag", false), ("Variant", false)].into_iter().chain(COLUMNS).collect();
    html! {
        @if !rows.is_empty() {
            section.stack aria-labelledby="tags" {
                h2 #tags { "By tag" }
                (table("The figures of each tag", &columns, html! {
                    @for (tag, index, summary) in rows.iter().take(MAX_ROWS) {
                        tr {
                            th scope="row" { span.tag { (shown(tag)) } }
                            td data-label="Variant" { (name(&report.variants, *index)) }
                            (figures(summary, *index))
                        }
                    }
                }))
                @if rows.len() > MAX_ROWS { p.muted { "The first " (MAX_ROWS) " of " (rows.len()) " rows are shown." } }
            }
        }
    }
}

fn figures(summary: &Summary, variant: usize) -> Markup {
    let Summary { trials, passed, errors, usage, totals, elapsed, .. } = summary;
    let rate = summary.pass_rate() * 100.0;
    let all_tokens = usage.input_tokens.saturating_add(usage.output_tokens);
    let mean = *elapsed / u32::try_from(*trials).unwrap_or(u32::MAX).max(1);
    html! {
        td data-label="Passed" {
            span.nowrap { (percent_text(rate)) span.muted { " (" (passed) " of " (trials) ")" } } (share(rate, &colour(variant)))
        }
        td.num.nowrap data-label="95 %" { (summary.interval()) }
        td.num data-label="Errors" { (errors) }
        td.num data-label="Calls" { (grouped(usage.calls)) }
        td.num data-label="Tokens" { (tokens(all_tokens)) }
        td.num data-label="Cost" { (money(usage.cost)) }
        td.num data-label="Time" { (took(mean)) }
        td.num data-label="Retries" { (totals.retries) ", " (totals.repaired_replies) }
    }
}
