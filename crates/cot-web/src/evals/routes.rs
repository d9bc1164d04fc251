//! The routes of this section.

use axum::{Router, routing::get};

use super::{case_page, list, page};
use crate::state::AppState;

pub(crate) fn routes() -> Router<AppState> {
    Router::new()
        .route("/evals", get(list::show))
        .route("/evals/report", get(page::show))
        .route("/evals/case", get(case_page::show))
}
