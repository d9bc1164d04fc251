//! The report that a request names.

use axum::http::StatusCode;
use cot_eval::Report;

use super::reports::Reports;
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
    pub(super) async fn report(&self) -> Result<(String, Report), PageError> {
        let file = self.query().get("file").unwrap_or_default().to_owned();
        let report = self.reports()?.read(&file).await?;
        Ok((file, report))
    }
}
