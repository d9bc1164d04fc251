//! The report that a request names.

use std::sync::Arc;

use axum::http::StatusCode;

use super::reports::{Reports, ShownReport};
use crate::{error::PageError, visit::Visit};

impl Visit {
    /// Returns the reports of the site.
    ///
    /// # Errors
    ///
    /// An error page for a site without reports.
    pub(super) fn reports(&self) -> Result<&Reports, PageError> {
        self.state.reports().ok_or_else(|| {
            PageError::new(
                StatusCode::NOT_FOUND,
                "No reports",
                "This page was started without a folder of reports.",
            )
            .command("cot serve --evals FOLDER")
        })
    }

    /// Returns the file that the query names, and the report in it.
    pub(super) async fn report(&self) -> Result<(String, Arc<ShownReport>), PageError> {
        let file = self.query().get("file").unwrap_or_default().to_owned();
        let report = self.reports()?.read(&file).await?;
        Ok((file, report))
    }
}
