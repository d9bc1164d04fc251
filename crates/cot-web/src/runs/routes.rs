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
    let overview = visit.state.overview().read(visit.store(), visit.now()).await?;
    let found = list(&visit, &overview, TableQuery::parse(visit.query())).await?;
    let page = Page::new(&visit, "Runs").section(Section::Runs).live(visit.links().live());
    Ok(page.body(content(&visit, &overview, &found)))
}

/// Lists a page of runs. A page after the last one is the last one.
async fn list(
    visit: &Visit,
    overview: &Overview,
    mut query: TableQuery,
) -> Result<Listing<Vec<RunSummary>>, PageError> {
    let mut runs = page_of(visit, &query).await?;
    let (before, shown) = ((query.page - 1).saturating_mul(PAGE_SIZE), runs.len() as u64);
    let total = if !query.is_filtered() {
        overview.count(Group::All)
    } else if shown < PAGE_SIZE && (before == 0 || shown > 0) {
        // This is the last page, so that nothing need be counted: a search looks at all runs.
        before.saturating_add(shown)
    } else {
        visit.store().count(&query.filter(visit.now())).await?
    };
    let last = total.div_ceil(PAGE_SIZE).max(1);
    if query.page > last {
        query.page = last;
        runs = page_of(visit, &query).await?;
    }
    Ok(Listing { query, total, runs })
}

async fn page_of(visit: &Visit, query: &TableQuery) -> Result<Vec<RunSummary>, PageError> {
    let mut filter = query.filter(visit.now());
    let before = (query.page - 1).saturating_mul(PAGE_SIZE);
    filter.offset = usize::try_from(before).unwrap_or(usize::MAX);
    filter.limit = usize::try_from(PAGE_SIZE).ok();
    Ok(visit.store().runs(&filter).await?)
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
