//! Measures prompts on small real models: an eval of cases with right values, which run through the client and the
//! processes that users have.
//!
//! The texts that the model reads are those of the library alone. A change of them is measured by a run before and a
//! run after it, and `cot eval compare` says whether the difference is more than chance.

mod arguments;
mod attacks;
mod bench;
mod kinds;
mod peers;
#[cfg(test)]
mod tests;

use std::{error::Error, fs};

use crate::arguments::{Command, USAGE};

type BenchError = Box<dyn Error + Send + Sync>;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), BenchError> {
    let arguments = arguments::parse(lexopt::Parser::from_env());
    let (command, json) = arguments.map_err(|error| format!("{error}\n\n{USAGE}"))?;
    let report = match command {
        Command::Attack => {
            print!("{}", attacks::print_table().await?);
            return Ok(());
        }
        Command::Run(run) => run.bench()?.run().await?,
        Command::Judge(files) => peers::judge(&files)?,
    };
    print!("{report}");
    if let Some(json) = json {
        fs::write(json, serde_json::to_string(&report)?)?;
    }
    match report.trials.iter().find_map(|trial| trial.error.as_ref()) {
        Some(error) => Err(format!("cases have no result, one of them since {error}").into()),
        None => Ok(()),
    }
}
