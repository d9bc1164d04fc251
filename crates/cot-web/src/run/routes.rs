//! The routes of this section.

use axum::{Router, routing::get};

use super::{case, entry, page, state};
use crate::state::AppState;

pub(crate) fn routes() -> Router<AppState> {
    Router::new()
        .route("/runs/{run}", get(page::show))
        .route("/runs/{run}/case", get(case::download))
        .route("/runs/{run}/steps/{n}", get(state::show))
        .route("/runs/{run}/entries/{n}", get(entry::show))
}
