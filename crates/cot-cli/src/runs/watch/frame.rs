//! Watched runs as text.

use cot_store::RunSummary;

use super::{
    super::{
        table::{Cell, Table},
        words::{self, one_line},
    },
    look::Row,
};

/// Formats runs as a table.
pub(super) fn table(rows: &[Row]) -> String {
    let mut table = Table::new([
        Cell::text("run"),
        Cell::text("process"),
        Cell::text("status"),
        Cell::text("task"),
        Cell::number("steps"),
        Cell::number("calls"),
        Cell::number("tokens"),
        Cell::number("cost"),
        Cell::text("driven"),
        Cell::text("now"),
    ]);
    for row in rows {
        let run @ RunSummary { status, usage, .. } = &row.summary;
        table.push([
            Cell::text(&run.run),
            Cell::text(&run.process),
            match &run.set_aside {
                Some(_) => Cell::text("set_aside").style(words::SET_ASIDE),
                None => Cell::text(status.word()).style(words::style(status)),
            },
            Cell::text(status.task()),
            Cell::number(run.steps),
            Cell::number(usage.calls),
            Cell::number(usage.total_tokens()),
            Cell::number(words::cost(usage)),
            Cell::text(words::driven(run)),
            Cell::text(row.doing.describe(run, &row.drafts)),
        ]);
    }
    table.to_text()
}

/// Formats a run as a line, for what is no terminal and for a run that has ended.
pub(super) fn line(row: &Row) -> String {
    let run = &row.summary;
    let (status, at) = (&run.status, words::time(run.updated));
    let word = if run.set_aside.is_some() { "set_aside" } else { status.word() };
    let task = if status.task().is_empty() { "" } else { " at " };
    let mut line = format!("{at}  {} ({}) {word}{task}{}", run.run, run.process, status.task());
    let doing = row.doing.describe(run, &[]);
    if !doing.is_empty() {
        line.push_str(&format!(": {doing}"));
    }
    let steps = words::count(run.steps, "step", "steps");
    one_line(&format!("{line} [{steps}, {}]", words::usage(&run.usage)))
}
