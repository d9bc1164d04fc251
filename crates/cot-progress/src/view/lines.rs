//! The lines that show runs.

use crate::{
    text::{fit, tail, width},
    view::{
        place::{Level, Place},
        run::RunView,
    },
};

/// The sub-processes of a task that are shown.
const MAX_CHILDREN: usize = 4;
/// The columns that an end of a text needs at least, to be shown.
const MIN_TAIL: usize = 16;

/// A line of the display.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Line {
    /// What the line is about: lines of two displays with the same key are the same line.
    pub(crate) key: String,
    pub(crate) kind: LineKind,
    pub(crate) text: String,
}

/// The form of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LineKind {
    /// The first line of a run, with its time.
    Head,
    /// Text alone.
    Text,
    /// A bar before the text.
    Bar { done: usize, total: usize },
}

/// Returns the lines of all runs, at most `max`, none wider than `columns`.
pub(crate) fn lines(runs: &[(String, RunView)], columns: usize, max: usize) -> Vec<Line> {
    let all = runs.iter().map(|(id, run)| run.lines(id, columns));
    let lines: Vec<Line> = all.flatten().collect();
    if lines.len() <= max {
        return lines;
    }
    // One line for each run, and if they are still too many, the number of the others.
    let shown = if runs.len() <= max { runs.len() } else { max.saturating_sub(1) };
    let mut lines: Vec<Line> =
        runs.iter().take(shown).map(|(id, run)| run.one_line(id, columns)).collect();
    if shown < runs.len() {
        let text = fit(&format!("… and {} more runs", runs.len() - shown), columns);
        lines.push(Line { key: "more".to_owned(), kind: LineKind::Text, text });
    }
    lines.truncate(max);
    lines
}

/// The columns of the spinner and the time of a head.
const HEAD_FRAME: usize = 9;

impl RunView {
    fn lines(&self, id: &str, columns: usize) -> Vec<Line> {
        let mut lines = vec![self.head(id, "", columns)];
        self.level.add_lines((id, "", 1), columns, &mut lines);
        lines
    }

    /// Returns the run as a single line, with the task that started last.
    fn one_line(&self, id: &str, columns: usize) -> Line {
        let task = self.level.places.last().map(|place| format!(", {}", place.task));
        self.head(id, &task.unwrap_or_default(), columns)
    }

    fn head(&self, id: &str, after: &str, columns: usize) -> Line {
        let paused = if self.is_paused { ", paused" } else { "" };
        let text = format!("{}  {}{paused}{after}", self.name, self.totals());
        let text = fit(&text, columns.saturating_sub(HEAD_FRAME));
        Line { key: id.to_owned(), kind: LineKind::Head, text }
    }
}

impl Level {
    /// Adds the lines of tasks: `prefix` says where they belong.
    fn add_lines(
        &self,
        (key, prefix, depth): (&str, &str, usize),
        columns: usize,
        lines: &mut Vec<Line>,
    ) {
        for place in &self.places {
            let key = format!("{key}/{prefix}{}", place.task);
            place.add_lines((&key, prefix, depth), columns, lines);
        }
    }
}

impl Place {
    fn add_lines(
        &self,
        (key, prefix, depth): (&str, &str, usize),
        columns: usize,
        lines: &mut Vec<Line>,
    ) {
        let indent = "  ".repeat(depth.min(8));
        let name = format!("{indent}{prefix}{}", self.task);
        let (kind, text) = match &self.items {
            Some(items) if items.total > 0 => {
                let (done, total) = (items.done + items.failed, items.total);
                (LineKind::Bar { done, total }, self.bar(&name, columns))
            }
            _ => (LineKind::Text, self.line(&name, columns)),
        };
        lines.push(Line { key: key.to_owned(), kind, text });
        for (number, tool) in self.tools.iter().take(MAX_CHILDREN) {
            let text = fit(&format!("{indent}  calls {tool}"), columns);
            lines.push(Line { key: format!("{key}+{number}"), kind: LineKind::Text, text });
        }
        self.add_children((key, depth), columns, lines);
    }

    fn add_children(&self, (key, depth): (&str, usize), columns: usize, lines: &mut Vec<Line>) {
        for (item, child) in self.children.iter().take(MAX_CHILDREN) {
            let number = item.map(|item| format!("[{item}]")).unwrap_or_default();
            let prefix = format!("{}{number}.", child.process);
            child.level.add_lines((key, &prefix, depth + 1), columns, lines);
        }
        let more = self.children.len().saturating_sub(MAX_CHILDREN);
        if more > 0 {
            let text = fit(&format!("{}… and {more} more", "  ".repeat(depth + 1)), columns);
            lines.push(Line { key: format!("{key}…"), kind: LineKind::Text, text });
        }
    }

    /// Returns the line of the task: its name, its attempt, and what it does or receives.
    fn line(&self, name: &str, columns: usize) -> String {
        let mut line = name.to_owned();
        if self.attempt > 1 {
            line.push_str(&format!(", attempt {}", self.attempt));
        }
        if let Some(items) = &self.items {
            line.push_str(&format!(", {} done", items.done));
        }
        let is_retried = self.failed > 0 && self.received.is_empty();
        if is_retried && !self.issue.is_empty() {
            line.push_str(&format!(" ({})", fit(&self.issue, columns / 3)));
        }
        if self.received.is_empty() {
            if !self.doing.is_empty() {
                line.push_str(&format!(": {}", self.doing));
            }
            return fit(&line, columns);
        }
        line.push_str(if self.received.is_thought { " thinks: " } else { ": " });
        let left = columns.saturating_sub(width(&line));
        if left < MIN_TAIL {
            return fit(&line, columns);
        }
        line + &tail(&crate::text::clean(&self.received.text()), left)
    }

    /// Returns the text of a bar: the name before it, a tab, and what is written after it.
    fn bar(&self, name: &str, columns: usize) -> String {
        let failed = self.items.as_ref().map_or(0, |items| items.failed);
        let mut after = String::new();
        if failed > 0 {
            after.push_str(&format!("{failed} failed"));
        }
        if self.failed > 0 {
            let separator = if after.is_empty() { "" } else { ", " };
            let attempts =
                crate::text::count(self.failed.into(), "failed attempt", "failed attempts");
            after.push_str(&format!("{separator}{attempts}"));
        }
        format!("{}\t{after}", fit(name, columns / 3))
    }
}
