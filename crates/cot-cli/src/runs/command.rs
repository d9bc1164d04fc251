//! The subcommands of `cot runs`.

use clap::{Args, Subcommand};

use super::{
    advice, answer, cancel, case, compatible, copy, cut, fork, list, prune, remove, retry, show,
    start, tail, trace, watch, words::STATUS_ONE,
};
use crate::{help, verdict::Outcome};

/// Manages the runs in a store, whether or not a program drives them.
#[derive(Debug, Args)]
#[command(after_help = help::after(
    &[
        "cot runs list --store runs.db --asking",
        "COT_STORE=runs.db cot runs show order-17",
        "cot runs answer order-17 approve '{\"is_good\":true}' --store runs.db",
        "cot runs fork order-17 --at 3 --store runs.db",
    ],
    STATUS_ONE,
))]
pub(crate) struct Runs {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Start(start::Start),
    List(list::List),
    Show(show::Show),
    Tail(tail::Tail),
    Watch(watch::Watch),
    Trace(trace::Trace),
    Answer(answer::Answer),
    Cancel(cancel::Cancel),
    Retry(retry::Retry),
    Case(case::Case),
    Fork(fork::Fork),
    Compatible(compatible::Compatible),
    Copy(copy::Copy),
    Prune(prune::Prune),
    Cut(cut::Cut),
    Remove(remove::Remove),
}

impl Runs {
    pub(crate) fn run(self) -> Outcome {
        let outcome = match self.command {
            Command::Start(start) => start.run(),
            Command::List(list) => list.run(),
            Command::Show(show) => show.run(),
            Command::Tail(tail) => tail.run(),
            Command::Watch(watch) => watch.run(),
            Command::Trace(trace) => trace.run(),
            Command::Answer(answer) => answer.run(),
            Command::Cancel(cancel) => cancel.run(),
            Command::Retry(retry) => retry.run(),
            Command::Case(case) => case.run(),
            Command::Fork(fork) => fork.run(),
            Command::Compatible(compatible) => compatible.run(),
            Command::Copy(copy) => copy.run(),
            Command::Prune(prune) => prune.run(),
            Command::Cut(cut) => cut.run(),
            Command::Remove(remove) => remove.run(),
        };
        outcome.or_else(advice::report)
    }
}
