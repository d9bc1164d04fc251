//! `cot eval`: shows and compares reports of evals.

mod compare;
mod report;
mod show;

use clap::{Args, Subcommand};

use crate::{help, verdict::Outcome};

/// Shows and compares reports of evals.
///
/// A report is what `Eval::run` returns, written as JSON by your program.
#[derive(Debug, Args)]
#[command(after_help = help::after(
    &[
        "cot eval show report.json",
        "cot eval show --markdown report.json >> \"$GITHUB_STEP_SUMMARY\"",
        "cot eval compare yesterday.json today.json",
    ],
    "a comparison found something worse, or missing",
))]
pub(crate) struct Eval {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Show(show::Show),
    Compare(compare::Compare),
}

impl Eval {
    pub(crate) fn run(self) -> Outcome {
        match self.command {
            Command::Show(show) => show.run(),
            Command::Compare(compare) => compare.run(),
        }
    }
}
