//! The page that compares two runs.

use cot_store::{RunId, RunSummary};
use maud::{Markup, html};
use serde_json::Value;

use super::{
    align::align,
    side::{MAX_STEPS, Sides},
    step::{differs, row},
};
use crate::{
    diff::json_diff,
    error::PageError,
    frame::{
        form::{Field, input},
        number::{count, grouped, money},
        page::{Page, Section},
        pill::status_pills,
        text::{json, shown},
        time::{absolute, took},
    },
    visit::Visit,
};

pub(crate) async fn show(visit: Visit) -> Result<Markup, PageError> {
    let query = visit.query();
    let name = |side: &str| query.filled(side).map(|text| text.parse::<RunId>().map_err(|_| text));
    let body = match (name("a"), name("b")) {
        (Some(Ok(a)), Some(Ok(b))) => comparison(&visit, &a, &b).await?,
        (a, b) => {
            let wrong = [a, b].into_iter().flatten().find_map(Result::err);
            html! {
                h1 { "Compare two runs" }
                @if let Some(wrong) = wrong {
                    p.notice.notice-error role="alert" { "“" (shown(wrong)) "” is not the name of a run." }
                }
                section.card { (choice(&visit)) }
            }
        }
    };
    Ok(Page::new(&visit, "Compare").section(Section::Runs).body(body))
}

/// The form that chooses two runs.
fn choice(visit: &Visit) -> Markup {
    let value = |side: &str| visit.query().filled(side).unwrap_or_default();
    html! {
        form.filters method="get" action=(visit.links().compare(None, None)) {
            @for (name, label) in [("a", "Run A"), ("b", "Run B")] {
                (Field::new(name, label).control(|attributes| input(attributes, name, "text", value(name))))
            }
            button.button type="submit" { "Compare" }
        }
    }
}

async fn comparison(visit: &Visit, a: &RunId, b: &RunId) -> Result<Markup, PageError> {
    let sides = Sides::load(visit, a, b).await?;
    let (a, b) = (&sides.a.summary, &sides.b.summary);
    Ok(html! {
        p.crumbs { a href=(visit.links().home()) { "Runs" } " › compare" }
        h1 { (shown(a.run.as_str())) " and " (shown(b.run.as_str())) }
        details.fold { summary { "Choose other runs" } (choice(visit)) }
        (summary_table(visit, a, b))
        (steps(&sides))
        section.card aria-labelledby="states-title" {
            h2 #states-title { "State" }
            (compare_states(&sides.a.state, &sides.b.state))
        }
    })
}

fn compare_states(a: &Result<Value, String>, b: &Result<Value, String>) -> Markup {
    match (a, b) {
        (Ok(a), Ok(b)) if a == b => html! {
            p { "The states are the same." }
            details.fold { summary { "The state" } (json(a)) }
        },
        (Ok(a), Ok(b)) => {
            html! { p.muted.small { "− only in A, + only in B" } (json_diff(a, b)) }
        }
        (a, b) => html! {
            @for (side, state) in [("A", a), ("B", b)] {
                @if let Err(error) = state { p.bad { "The state of " (side) " can't be read: " (shown(error)) } }
            }
        },
    }
}

fn steps(Sides { shared, a, b }: &Sides) -> Markup {
    let rows = align(&a.steps, &b.steps);
    let first = rows.iter().position(differs);
    let different = rows.iter().filter(|row| differs(row)).count();
    let is_cut = a.summary.steps.max(b.summary.steps) > shared + MAX_STEPS;
    html! {
        section.stack aria-labelledby="steps-title" {
            h2 #steps-title { "Steps" }
            p.muted {
                @if *shared > 0 { "Both share the first " (count(*shared, "step", "steps")) ". " }
                @if is_cut { "Of the others, the first " (MAX_STEPS) " of each run are compared. " }
                @if rows.is_empty() { "There are no others." }
                @else if different == 0 { @if is_cut { "All of them are the same." } @else { "All others are the same." } }
                @else { (different) " of " (rows.len()) " differ." }
            }
            @for (name, side) in [("A", a), ("B", b)] {
                @if let Some(error) = &side.error {
                    p.bad { "Not all steps of " (name) " can be read: " (shown(&error.to_string())) }
                }
            }
            @for (index, step) in rows.iter().enumerate() { (row(*step, Some(index) == first)) }
        }
    }
}

fn summary_table(visit: &Visit, a: &RunSummary, b: &RunSummary) -> Markup {
    let lasted = |run: &RunSummary| took(run.updated.duration_since(run.begun).unwrap_or_default());
    let numbers = |run: &RunSummary| {
        let usage = run.usage;
        [
            ("Steps", grouped(run.steps)),
            ("From start to last entry", lasted(run)),
            ("Model calls", grouped(usage.calls)),
            ("Tokens in", grouped(usage.input_tokens)),
            ("… of them cached", grouped(usage.cached_tokens)),
            ("Tokens out", grouped(usage.output_tokens)),
            ("Cost", money(usage.cost)),
        ]
    };
    let side = |run: &RunSummary| html! { a.mono href=(visit.links().run(&run.run)) { (shown(run.run.as_str())) } };
    html! {
        div.table-frame {
            table.data.comparison {
                caption.visually-hidden { "Both runs" }
                thead { tr { td {} th scope="col" { "A" } th scope="col" { "B" } } }
                tbody {
                    tr { th scope="row" { "Run" } td data-label="A" { (side(a)) } td data-label="B" { (side(b)) } }
                    tr {
                        th scope="row" { "Process" }
                        td data-label="A" { (shown(&a.process)) }
                        td data-label="B" { (shown(&b.process)) }
                    }
                    tr {
                        th scope="row" { "Status" }
                        td data-label="A" { (status_pills(a)) }
                        td data-label="B" { (status_pills(b)) }
                    }
                    tr {
                        th scope="row" { "Begun" }
                        td data-label="A" { (absolute(a.begun)) }
                        td data-label="B" { (absolute(b.begun)) }
                    }
                    @for ((name, a), (_, b)) in numbers(a).into_iter().zip(numbers(b)) {
                        tr {
                            th scope="row" { (name) }
                            td data-label="A" { (a) }
                            td data-label="B" { @if a == b { (b) } @else { strong { (b) } } }
                        }
                    }
                }
            }
        }
    }
}
