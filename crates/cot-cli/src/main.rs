//! The command `cot`.
//!
//! Its output on standard output is for machines, and a promise; what is for people goes to standard
//! error. It ends with 0 when nothing is wrong with the input, 1 when something is, and 2 when it was
//! called wrongly or could not read or write.

mod completions;
mod help;
mod input;
mod man;
mod message;
mod output;
mod read;
mod runs;
mod steps;
mod task;
mod text;
mod verdict;

use std::process::ExitCode;

use clap::{ColorChoice, CommandFactory, Parser, Subcommand};

use crate::verdict::Verdict;

/// Reads and checks what language models write, and looks after their runs.
#[derive(Debug, Parser)]
#[command(name = "cot", version, after_help = help::after(
    &[
        "cot task check trace.task",
        "cot task fmt --write *.task",
        "cot steps reply.txt",
        "cot read --schema schema.json reply.txt",
        "cot runs list --store runs.db",
        "cot man task check | man -l -",
    ],
    "something is wrong with the input",
))]
struct Cli {
    /// Whether messages have colours; `auto` is on a terminal, unless `NO_COLOR` is set.
    #[arg(long, global = true, display_order = 100, value_name = "WHEN", default_value_t)]
    color: ColorChoice,
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Task(task::Task),
    Steps(steps::Steps),
    Read(read::Read),
    Runs(runs::Runs),
    Completions(completions::Completions),
    Man(man::Man),
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    message::color(cli.color);
    let outcome = match cli.command {
        Command::Task(task) => task.run(),
        Command::Steps(steps) => steps.run(),
        Command::Read(read) => read.run(),
        Command::Runs(runs) => runs.run(),
        Command::Completions(completions) => completions.run(Cli::command()),
        Command::Man(man) => man.run(Cli::command()),
    };
    Verdict::of(outcome).into()
}
