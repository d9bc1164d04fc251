//! The coverage report as a text table.

use std::fmt;

use cot_engine::Route;

use super::counts::{Exercised, Exit, Row, ToolCount, add};

const HEADS: [&str; 6] = ["task", "visits", "retries", "transitions", "routes", "tools"];
/// The numeric columns, which are right-aligned.
const NUMBERS: [usize; 2] = [1, 2];

/// The position of the column of tools, which is left out where no task has tools.
const TOOLS: usize = 5;

/// Writes one line per task and a summary.
pub(super) fn write(exercised: &Exercised, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let heads = HEADS.map(str::to_owned);
    let rows: Vec<_> = exercised.rows.iter().map(|row| cells(row, exercised)).collect();
    let mut lines: Vec<_> = [heads].into_iter().chain(rows).collect();
    if exercised.rows.iter().all(|row| row.tools.is_empty()) {
        lines.iter_mut().for_each(|cells| cells[TOOLS].clear());
    }
    let widths = std::array::from_fn(|column| width(&lines, column));
    for line in &lines {
        write_line(line, &widths, f)?;
    }
    let tasks = exercised.rows.iter().map(|row| row.visits > 0).fold((0, 0), add);
    let percent = (exercised.share() * 100.0).floor();
    write!(f, "{} of {} tasks, {percent} % covered", tasks.0, tasks.1)
}

fn width(lines: &[[String; 6]], column: usize) -> usize {
    let lengths = lines.iter().map(|cells| cells[column].chars().count());
    lengths.max().unwrap_or_default()
}

fn write_line(cells: &[String; 6], widths: &[usize; 6], f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let mut line = String::new();
    for (column, (cell, width)) in cells.iter().zip(widths).enumerate() {
        if NUMBERS.contains(&column) {
            line.push_str(&format!("{cell:>width$}  "));
        } else {
            line.push_str(&format!("{cell:<width$}  "));
        }
    }
    writeln!(f, "{}", line.trim_end())
}

fn cells(row: &Row, all: &Exercised) -> [String; 6] {
    let (transitions, routes): (Vec<_>, Vec<_>) =
        row.exits.iter().partition(|exit| exit.route == Route::Transition);
    [
        row.name.to_owned(),
        row.visits.to_string(),
        row.retries.map_or_else(|| "-".to_owned(), |retries| retries.to_string()),
        summary(&transitions, all),
        summary(&routes, all),
        tools(&row.tools),
    ]
}

/// Formats the exits of a task, such as `2/3, not escalate`.
fn summary(exits: &[&Exit], all: &Exercised) -> String {
    if exits.is_empty() {
        return "-".to_owned();
    }
    let (taken, total) = exits.iter().map(|exit| exit.is_taken()).fold((0, 0), add);
    let missing = exits.iter().filter(|exit| !exit.is_taken());
    let names: Vec<_> = missing.map(|exit| exit.to.map_or("back", |to| all.name(to))).collect();
    match names.is_empty() {
        true => format!("{taken}/{total}"),
        false => format!("{taken}/{total}, not {}", names.join(", ")),
    }
}

/// Formats the tools of a task, such as `1/2, not pay`.
fn tools(tools: &[ToolCount]) -> String {
    if tools.is_empty() {
        return "-".to_owned();
    }
    let missing: Vec<_> =
        tools.iter().filter(|tool| tool.calls == 0).map(|tool| tool.name).collect();
    let (called, total) = (tools.len() - missing.len(), tools.len());
    match missing.is_empty() {
        true => format!("{called}/{total}"),
        false => format!("{called}/{total}, not {}", missing.join(", ")),
    }
}
