//! `cot eval show`: shows a report.

use std::path::PathBuf;

use clap::Args;

use super::report;
use crate::{
    help, output,
    text::escape_hidden,
    verdict::{Outcome, Verdict},
};

/// Shows the pass rates, the cost and the worst cases of a report.
#[derive(Debug, Args)]
#[command(after_help = help::after(
    &[
        "cot eval show report.json",
        "cot eval show --markdown report.json",
        "jq '.trials[] | select(.passed | not)' report.json",
    ],
    "",
))]
pub(super) struct Show {
    /// Print Markdown, for a pull request.
    #[arg(long)]
    markdown: bool,
    /// A file with the report; `-` is standard input.
    #[arg(value_name = "FILE")]
    file: PathBuf,
}

impl Show {
    pub(super) fn run(self) -> Outcome {
        let report = report::read(&self.file)?;
        let text = if self.markdown { report.to_markdown() } else { report.to_string() };
        output::text(&escape_hidden(&text))?;
        Ok(Verdict::Fine)
    }
}
