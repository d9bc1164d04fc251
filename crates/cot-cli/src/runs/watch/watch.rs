//! The command: looks at the runs again and again, and prints what has changed.

use std::{
    collections::BTreeMap,
    io::{self, IsTerminal},
    thread,
    time::Duration,
};

use annotate_snippets::Level;
use anstream::{AutoStream, ColorChoice, adapter::strip_str};
use clap::Args;
use console::{Term, truncate_str};
use cot_store::{RunId, RunSummary};
use serde::Serialize;

use super::{
    super::{
        store::{StoreFile, wait},
        words,
    },
    doing::Doing,
    frame,
    look::{Look, Looker, Row, Selection},
};
use crate::{
    help, message, output,
    verdict::{Outcome, Verdict},
};

/// The period between two looks.
const PERIOD: Duration = Duration::from_millis(400);

/// Shows live runs and what they do, until they have ended.
///
/// Without RUN, shows all runs that have not ended, and runs until it is stopped with Ctrl-C. On a terminal, the
/// table is refreshed in place; elsewhere, there is a line for each change.
#[derive(Debug, Args)]
#[command(after_help = help::after(
    &[
        "cot runs watch --store runs.db",
        "cot runs watch order-17 order-18 --store runs.db && echo well",
        "cot runs watch --once --process Letters --store runs.db",
        "cot runs watch --json --store runs.db | jq -c '[.run, .status.status]'",
    ],
    "a named run does not exist or ended without success",
))]
pub(in super::super) struct Watch {
    #[command(flatten)]
    store: StoreFile,
    /// The runs to watch, until all of them have ended.
    #[arg(value_name = "RUN")]
    runs: Vec<RunId>,
    /// Only runs of this process.
    #[arg(long, value_name = "PROCESS", conflicts_with = "runs")]
    process: Option<String>,
    /// Print the runs as they are now, and exit.
    #[arg(long)]
    once: bool,
    /// Print one JSON object for each run, and for each change of it.
    #[arg(long)]
    json: bool,
}

/// The JSON form of a run.
#[derive(Serialize)]
struct WatchedRun<'a> {
    #[serde(flatten)]
    summary: &'a RunSummary,
    now: &'a Doing,
}

impl Watch {
    pub(in super::super) fn run(self) -> Outcome {
        let store = self.store.open_read_only()?;
        let mut looker = Looker::new(Selection { runs: self.runs, process: self.process });
        let mut printer = Printer::new(self.json, self.once);
        loop {
            let look = wait(looker.look(&*store))??;
            if !printer.print(&look)? {
                return Ok(Verdict::Fine);
            }
            let is_over = looker.has_names() && look.rows.iter().all(Row::is_ended);
            if is_over || self.once {
                let has_failed = looker.has_names() && look.rows.iter().any(Row::has_failed);
                return Ok(if has_failed { Verdict::Findings } else { Verdict::Fine });
            }
            thread::sleep(PERIOD);
        }
    }
}

/// Prints what has changed since the last look.
struct Printer {
    form: Form,
    printed: BTreeMap<RunId, Row>,
    /// Whether standard error has the number of runs that are not watched.
    has_told_unwatched: bool,
}

enum Form {
    Json,
    Lines,
    /// A table that is printed once.
    Table,
    /// A table that is replaced. Contains the number of its lines.
    InPlace(usize),
}

impl Printer {
    fn new(json: bool, once: bool) -> Self {
        let form = match (json, once) {
            (true, _) => Form::Json,
            (_, true) => Form::Table,
            _ if io::stdout().is_terminal() => Form::InPlace(0),
            _ => Form::Lines,
        };
        Self { form, printed: BTreeMap::new(), has_told_unwatched: false }
    }

    /// Prints the runs. Returns false if the pipe is closed.
    fn print(&mut self, look: &Look) -> Result<bool, output::OutputError> {
        let rows = &look.rows;
        self.tell_unwatched(look.unwatched);
        let is_new =
            |row: &&Row| self.printed.get(&row.summary.run).is_none_or(|old| row.differs(old));
        let changed: Vec<&Row> = rows.iter().filter(is_new).collect();
        let text = match &mut self.form {
            Form::Json => json(&changed)?,
            Form::Lines => changed.iter().map(|row| frame::line(row) + "\n").collect(),
            Form::Table => {
                output::styled(&frame::table(rows))?;
                return Ok(true);
            }
            Form::InPlace(lines) => in_place(lines, look, &changed),
        };
        self.printed = rows.iter().map(|row| (row.summary.run.clone(), row.clone())).collect();
        Ok(text.is_empty() || output::try_print(&text)?)
    }

    /// Prints once how many runs are not watched; a table that is replaced has the number itself.
    fn tell_unwatched(&mut self, unwatched: u64) {
        if unwatched == 0 || self.has_told_unwatched || matches!(self.form, Form::InPlace(_)) {
            return;
        }
        self.has_told_unwatched = true;
        let runs = words::count(unwatched, "more run that has", "more runs that have");
        let text = format!("{runs} not ended: name runs, or choose them with --process");
        message::print(Level::NOTE, text);
    }
}

fn json(rows: &[&Row]) -> Result<String, output::OutputError> {
    let line = |row: &&Row| {
        let run = WatchedRun { summary: &row.summary, now: &row.doing };
        output::to_json(&run).map(|json| json + "\n")
    };
    rows.iter().map(line).collect()
}

/// Returns the text that replaces a table by one of these runs, and leaves a line of each that has ended.
fn in_place(lines: &mut usize, look: &Look, changed: &[&Row]) -> String {
    let (height, width) = Term::stdout().size();
    let (height, width) = (usize::from(height).max(4), usize::from(width).max(10));
    let live: Vec<Row> = look.rows.iter().filter(|row| !row.is_ended()).cloned().collect();
    let shown = live.len().min(height - 3);
    let table = frame::table(live.get(..shown).unwrap_or_default());
    let mut text = String::new();
    if *lines > 0 {
        // To the first line of the table, which is cleared with all below it.
        text.push_str(&format!("\u{1b}[{lines}F\u{1b}[J"));
    }
    for row in changed.iter().filter(|row| row.is_ended()) {
        text.push_str(&frame::line(row));
        text.push('\n');
    }
    let rest = (live.len() - shown) as u64 + look.unwatched;
    let more = if rest > 0 { format!("… and {rest} more\n") } else { String::new() };
    let table = if live.is_empty() { "no run is live\n".to_owned() } else { table + &more };
    let is_plain = AutoStream::choice(&io::stdout()) == ColorChoice::Never;
    let table = if is_plain { strip_str(&table).to_string() } else { table };
    *lines = table.lines().count();
    for line in table.lines() {
        text.push_str(&truncate_str(line, width - 1, "…"));
        text.push_str("\u{1b}[K\n");
    }
    text
}
