//! The routes of this section.

use axum::{Router, routing::get};

use super::page;
use crate::state::AppState;

pub(crate) fn routes() -> Router<AppState> {
    Router::new().route("/costs", get(page::show))
}
