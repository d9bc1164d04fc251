//! The routes of this section.

use axum::{Extension, Router, routing::get};

use super::{answer, batch, inbox, recent::RecentForms};
use crate::state::AppState;

pub(crate) fn routes() -> Router<AppState> {
    Router::new()
        .route("/people", get(inbox::show))
        .route("/people/{run}", get(answer::show).post(answer::submit))
        .route("/answers", get(batch::show::show).post(batch::show::submit))
        .layer(Extension(RecentForms::default()))
}
