//! The command `cot`.
//!
//! Its output on standard output is for machines, and a promise; what is for people goes to standard
//! error. It ends with 0 when nothing is wrong with the input, 1 when something is, and 2 when it was
//! called wrongly or could not read or write.

mod input;
mod output;
mod read;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Works with what language models write.
#[derive(Debug, Parser)]
#[command(name = "cot", version, about)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Read(read::Read),
}

/// What came of the input.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Verdict {
    Fine,
    Findings,
}

fn main() -> ExitCode {
    let result = match Cli::parse().command {
        Command::Read(read) => read.run(),
    };
    match result {
        Ok(Verdict::Fine) => ExitCode::SUCCESS,
        Ok(Verdict::Findings) => ExitCode::from(1),
        Err(error) => {
            output::complain(&*error);
            ExitCode::from(2)
        }
    }
}
