//! The routes of this section.

use axum::{
    Router,
    routing::{get, post},
};

use super::{act, compare, fork, start};
use crate::state::AppState;

pub(crate) fn routes() -> Router<AppState> {
    Router::new()
        .route("/runs/{run}/fork", get(fork::show).post(fork::submit))
        .route("/runs/{run}/cancel", get(act::ask_cancel).post(act::cancel))
        .route("/runs/{run}/retry", post(act::retry))
        .route("/compare", get(compare::page::show))
        .route("/start", get(start::show).post(start::submit))
}
