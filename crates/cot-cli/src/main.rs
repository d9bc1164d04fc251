//! The command-line tool `cot`.
//!
//! Standard output is machine-readable and stable; messages for people go to standard error. The exit
//! status is 0 without problems, 1 for problems in the input, and 2 for invalid arguments or errors in
//! reading and writing.

mod completions;
mod eval;
mod explain;
mod fmt;
mod help;
mod input;
mod layout;
mod man;
mod message;
mod new;
mod output;
mod read;
mod runs;
#[cfg(feature = "serve")]
mod serve;
mod steps;
mod task;
mod text;
mod verdict;

use std::process::ExitCode;

use clap::{ColorChoice, CommandFactory, Parser, Subcommand};

use crate::verdict::Verdict;

/// Reads and checks the output of language models, and manages stored runs.
#[derive(Debug, Parser)]
#[command(name = "cot", version, after_help = help::after(
    &[
        "cot new orders --template extract --path ../cot",
        "cot task check trace.task",
        "cot task fmt --write *.task",
        "cot steps reply.txt",
        "cot read --schema schema.json reply.txt",
        "cot layout --against old.json manifest.json",
        "cot fmt --check src",
        "cot explain COT0001",
        "cot eval compare old.json new.json",
        "cot runs list --store runs.db",
        "cot serve --store runs.db",
        "cot man task check | man -l -",
    ],
    "the input has problems",
))]
struct Cli {
    /// When to colour messages; `auto` means on a terminal, unless `NO_COLOR` is set.
    #[arg(long, global = true, display_order = 100, value_name = "WHEN", default_value_t)]
    color: ColorChoice,
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    New(new::New),
    Task(task::Task),
    Steps(steps::Steps),
    Read(read::Read),
    Layout(layout::Layout),
    Fmt(fmt::Fmt),
    Eval(eval::Eval),
    Explain(explain::Explain),
    Runs(runs::Runs),
    #[cfg(feature = "serve")]
    Serve(serve::Serve),
    Completions(completions::Completions),
    Man(man::Man),
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    message::color(cli.color);
    let outcome = match cli.command {
        Command::New(new) => new.run(),
        Command::Task(task) => task.run(),
        Command::Steps(steps) => steps.run(),
        Command::Read(read) => read.run(),
        Command::Layout(layout) => layout.run(),
        Command::Fmt(fmt) => fmt.run(),
        Command::Eval(eval) => eval.run(),
        Command::Explain(explain) => explain.run(),
        Command::Runs(runs) => runs.run(),
        #[cfg(feature = "serve")]
        Command::Serve(serve) => serve.run(),
        Command::Completions(completions) => completions.run(Cli::command()),
        Command::Man(man) => man.run(Cli::command()),
    };
    Verdict::from_outcome(outcome).into()
}
