//! The routes of this section.

use axum::{Router, response::Response, routing::get};
use cot_store::RunSummary;
use maud::{Markup, html};

use super::{
    overview::Overview,
    query::{Group, PAGE_SIZE, TableQuery},
    table::{Listing, counts, filters, listing},
    welcome::welcome,
};
use crate::{
    error::PageError,
    frame::page::{Page, Section},
    live::{stream::events, topics::Topic},
    state::AppState,
    visit::{RunName, Visit},
};

pub(crate) fn routes() -> Router<AppState> {
    Router::new()
        .route("/", get(table))
        .route("/live", get(table_events))
        .route("/runs/{run}/live", get(run_events))
}

async fn table(visit: Visit) -> Result<Markup, PageError> {
    let mut query = TableQuery::parse(visit.query());
    let overview = visit.state.overview().read(visit.store(), visit.now()).await?;
    let mut filter = query.filter(visit.now());
    let total = if query.is_filtered() {
        visit.store().count(&filter).await?
    } else {
        overview.count(Group::All)
    };
    // A page after the last one is the last one.
    query.page = query.page.min(total.div_ceil(PAGE_SIZE).max(1));
    filter.offset = usize::try_from((query.page - 1) * PAGE_SIZE).unwrap_or(usize::MAX);
    filter.limit = usize::try_from(PAGE_SIZE).ok();
    let runs = visit.store().runs(&filter).await?;
    let page = Page::new(&visit, "Runs").section(Section::Runs).live(visit.links().live());
    Ok(page.body(content(&visit, &overview, &Listing { query, total, runs })))
}

fn content(visit: &Visit, overview: &Overview, found: &Listing<Vec<RunSummary>>) -> Markup {
    let is_empty = found.runs.is_empty() && !found.query.is_filtered();
    html! {
        h1 { "Runs" }
        @if !is_empty {
            (filters(visit, overview, &found.query))
        }
        div.stack #table data-live {
            @if is_empty {
                (welcome(visit))
            } @else {
                (counts(visit, overview, &found.query))
                (listing(visit, found))
            }
        }
    }
}

async fn table_events(visit: Visit) -> Response {
    events(&visit, Topic::Table)
}

async fn run_events(visit: Visit, RunName(run): RunName) -> Response {
    events(&visit, Topic::Run(run))
}
