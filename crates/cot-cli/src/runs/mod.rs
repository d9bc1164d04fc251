//! `cot runs`: looks after runs that are kept in a store.

mod advice;
mod answer;
mod cut;
mod entry;
mod fork;
mod list;
mod page;
mod prune;
mod remove;
mod show;
mod store;
mod table;
mod tail;
mod words;

use annotate_snippets::Level;
use clap::{Args, Subcommand};

use crate::{
    help, message,
    verdict::{Outcome, Verdict},
};

/// What 1 means, where the runs of a store are read or changed.
const ONE: &str = "there is no such run or step, or it can't be done as the runs stand";

/// Looks after runs that are kept in a SQLite file, whether a program drives them or not.
#[derive(Debug, Args)]
#[command(after_help = help::after(
    &[
        "cot runs list --store runs.db --asking",
        "COT_STORE=runs.db cot runs show order-17",
        "cot runs answer order-17 approve '{\"is_good\":true}' --store runs.db",
        "cot runs fork order-17 --at 3 --store runs.db",
    ],
    ONE,
))]
pub(crate) struct Runs {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    List(list::List),
    Show(show::Show),
    Tail(tail::Tail),
    Answer(answer::Answer),
    Fork(fork::Fork),
    Prune(prune::Prune),
    Cut(cut::Cut),
    Remove(remove::Remove),
}

impl Runs {
    pub(crate) fn run(self) -> Outcome {
        let outcome = match self.command {
            Command::List(list) => list.run(),
            Command::Show(show) => show.run(),
            Command::Tail(tail) => tail.run(),
            Command::Answer(answer) => answer.run(),
            Command::Fork(fork) => fork.run(),
            Command::Prune(prune) => prune.run(),
            Command::Cut(cut) => cut.run(),
            Command::Remove(remove) => remove.run(),
        };
        outcome.or_else(advice::tell)
    }
}

/// Says what would be done, and can't be undone.
fn refuse_without_yes(what: String) -> Verdict {
    message::say(Level::ERROR, what);
    message::say(Level::HELP, "copy the file first, then add `--yes`");
    Verdict::Failed
}
