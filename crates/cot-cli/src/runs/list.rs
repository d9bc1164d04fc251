//! `cot runs list`: lists runs.

use std::collections::BTreeSet;

use annotate_snippets::Level;
use clap::Args;
use cot_store::{RunFilter, RunSummary, SetAside};

use super::{
    store::{StoreFile, wait},
    table::{Cell, Table},
    words::{self, one_line},
};
use crate::{
    help, message,
    output::{self, OutputError},
    verdict::{Outcome, Verdict},
};

/// Lists runs, newest first.
///
/// Times are in UTC. `driven` tells whether a program drives the run now; `unknown` if the lock file of
/// the last driver can't be opened.
#[derive(Debug, Args)]
#[command(after_help = help::after(
    &[
        "cot runs list --store runs.db",
        "cot runs list --store runs.db --asking --process Letters",
        "cot runs list --store runs.db --set-aside",
        "cot runs list --store runs.db --unfinished --json | jq -r .run",
    ],
    "",
))]
pub(super) struct List {
    #[command(flatten)]
    store: StoreFile,
    /// Only runs of this process.
    #[arg(long, value_name = "PROCESS")]
    process: Option<String>,
    /// Only runs that wait for a person's answer.
    #[arg(long)]
    asking: bool,
    /// Only runs that have ended.
    #[arg(long, conflicts_with = "unfinished")]
    ended: bool,
    /// Only runs that have not ended.
    #[arg(long)]
    unfinished: bool,
    /// Only runs that are set aside: they failed so often that workers leave them alone.
    #[arg(long)]
    set_aside: bool,
    /// At most this many runs.
    #[arg(long, value_name = "N")]
    limit: Option<usize>,
    /// Print one JSON object for each run.
    #[arg(long)]
    json: bool,
}

impl List {
    pub(super) fn run(self) -> Outcome {
        let mut filter = RunFilter::default();
        filter.process = self.process;
        filter.is_asking = self.asking.then_some(true);
        filter.is_set_aside = self.set_aside.then_some(true);
        filter.is_ended = (self.ended || self.unfinished).then_some(self.ended);
        filter.limit = self.limit;
        let store = self.store.open_read_only()?;
        print(&wait(store.runs(&filter))??, self.json)?;
        Ok(Verdict::Fine)
    }
}

pub(super) fn print(runs: &[RunSummary], as_json: bool) -> Result<(), OutputError> {
    if as_json {
        return runs.iter().try_for_each(output::json);
    }
    // Several runs can have the same driver.
    let errors: BTreeSet<&str> =
        runs.iter().filter_map(|run| run.driver_error.as_deref()).collect();
    for error in errors {
        message::print(Level::WARNING, one_line(error));
    }
    output::styled(&(table(runs) + &reasons(runs)))
}

/// Formats why runs are set aside.
fn reasons(runs: &[RunSummary]) -> String {
    let aside = runs.iter().filter_map(|run| Some((&run.run, run.set_aside.as_ref()?)));
    let line = |(run, SetAside { why, at, .. }): (_, &SetAside)| {
        let since = words::time(*at);
        format!("\n{run} is set aside since {since}: {}\n", one_line(why))
    };
    aside.map(line).collect()
}

fn table(runs: &[RunSummary]) -> String {
    let mut table = Table::new([
        Cell::text("run"),
        Cell::text("process"),
        Cell::text("status"),
        Cell::text("task"),
        Cell::number("steps"),
        Cell::number("calls"),
        Cell::number("tokens"),
        Cell::number("cost"),
        Cell::text("updated"),
        Cell::text("driven"),
    ]);
    for run in runs {
        let RunSummary { status, usage, .. } = run;
        table.push([
            Cell::text(&run.run),
            Cell::text(&run.process),
            match (&run.set_aside, &run.cancel_requested) {
                (Some(_), _) => Cell::text("set_aside").style(words::SET_ASIDE),
                (None, Some(_)) => Cell::text("cancelling").style(words::SET_ASIDE),
                (None, None) => Cell::text(status.word()).style(words::style(status)),
            },
            Cell::text(status.task()),
            Cell::number(run.steps),
            Cell::number(usage.calls),
            Cell::number(usage.total_tokens()),
            Cell::number(words::cost(usage)),
            Cell::text(words::time(run.updated)),
            Cell::text(words::driven(run)),
        ]);
    }
    table.to_text()
}
