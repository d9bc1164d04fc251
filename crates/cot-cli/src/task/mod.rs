//! `cot task`: processes traces in the TASK format.

mod check;
mod fmt;
mod from_json;
mod json;
mod trace;

use clap::{Args, Subcommand};

use crate::{help, verdict::Outcome};

/// Processes traces in the TASK format.
#[derive(Debug, Args)]
#[command(after_help = help::after(
    &[
        "cot task check *.task",
        "cot task fmt --check *.task",
        "cot task json trace.task | cot task from-json -",
    ],
    "a file has problems",
))]
pub(crate) struct Task {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Check(check::Check),
    Fmt(fmt::Fmt),
    Json(json::Json),
    FromJson(from_json::FromJson),
}

impl Task {
    pub(crate) fn run(self) -> Outcome {
        match self.command {
            Command::Check(check) => check.run(),
            Command::Fmt(fmt) => fmt.run(),
            Command::Json(json) => json.run(),
            Command::FromJson(from_json) => from_json.run(),
        }
    }
}
