//! Reports as text.

use std::fmt::{self, Write as _};

use super::{
    report::Report,
    result::{TaskTotals, TrialResult},
    summary::Summary,
};

/// The worst cases that are shown of a variant.
const MAX_CASES: usize = 5;
/// The tags that are shown of a variant.
const MAX_TAGS: usize = 50;
/// The characters of a reason that are shown.
const MAX_REASON: usize = 160;

/// The columns of the table of variants and tags.
const HEAD: [&str; 10] =
    ["", "passed", "95 %", "errors", "calls", "tokens in", "out", "cost", "retries", "repaired"];

/// The form of a table.
#[derive(Clone, Copy)]
enum Form {
    Terminal,
    Markdown,
}

impl Form {
    /// Writes a text so that it is shown as it is. Models and mails write some of it.
    fn escape(self, text: &str) -> String {
        if matches!(self, Self::Terminal) {
            return text.to_owned();
        }
        let mut escaped = String::with_capacity(text.len());
        for char in text.chars() {
            match char {
                '<' => escaped.push_str("&lt;"),
                '>' => escaped.push_str("&gt;"),
                // A code host would notify the account of that name.
                '@' => escaped.push_str("&#64;"),
                '|' | '*' | '_' | '[' | ']' | '`' | '\\' => escaped.extend(['\\', char]),
                '\n' | '\r' => escaped.push(' '),
                other => escaped.push(other),
            }
        }
        escaped
    }
}

impl Report {
    /// Writes the report as Markdown, for a pull request.
    #[must_use]
    pub fn to_markdown(&self) -> String {
        let mut text = String::new();
        // Writing to a string does not fail.
        let _ = self.write(&mut text, Form::Markdown);
        text
    }

    fn write(&self, out: &mut impl fmt::Write, form: Form) -> fmt::Result {
        let bold = if matches!(form, Form::Markdown) { "**" } else { "" };
        writeln!(out, "{bold}{}{bold}: process `{}`\n", self.name, self.process)?;
        let mut rows: Vec<Vec<String>> = vec![HEAD.map(str::to_owned).to_vec()];
        rows[0].extend(self.scorers.keys().cloned());
        for variant in &self.variants {
            rows.push(self.row(variant, &self.summary(variant)));
            let tags = self
                .by_tag(variant)
                .into_iter()
                .filter(|(_, summary)| summary.trials + summary.errors > 0);
            let tags: Vec<_> = tags.collect();
            let shown = tags.iter().take(MAX_TAGS);
            rows.extend(shown.map(|(tag, summary)| self.row(&format!("- {tag}"), summary)));
            if let more @ 1.. = tags.len().saturating_sub(MAX_TAGS) {
                let mut row = vec![String::new(); rows[0].len()];
                row[0] = format!("- and {more} more tags");
                rows.push(row);
            }
        }
        write_table(out, &rows, form)?;
        for variant in &self.variants {
            self.write_tasks(out, variant, form)?;
            self.write_worst(out, variant, form)?;
            for (scorer, agreement) in self.agreement(variant) {
                let line = format!("{variant}, {scorer} agrees with people: {agreement}");
                writeln!(out, "\n{}", form.escape(&line))?;
            }
        }
        if self.trials.is_empty() && self.left_out == 0 {
            writeln!(out, "\nNothing was run: the eval had no cases, no variants or no repeats.")?;
        }
        if self.left_out > 0 {
            writeln!(out, "\nThe budget left out {} trials.", self.left_out)?;
        }
        match &self.cache_error {
            Some(error) => writeln!(out, "\nThe cache could not be written: {error}"),
            None => Ok(()),
        }
    }

    fn row(&self, name: &str, summary: &Summary) -> Vec<String> {
        let Summary { trials, passed, usage, totals, .. } = summary;
        let mut row = vec![
            name.to_owned(),
            format!("{passed} of {trials}"),
            summary.interval().to_string(),
            summary.errors.to_string(),
            usage.calls.to_string(),
            usage.input_tokens.to_string(),
            usage.output_tokens.to_string(),
            if usage.cost > 0.0 { format!("{:.4}", usage.cost) } else { String::new() },
            totals.retries.to_string(),
            totals.repaired_replies.to_string(),
        ];
        row.extend(self.scorers.keys().map(|name| format!("{:.2}", summary.mean_score(name))));
        row
    }

    /// Writes the totals of the tasks of a variant, unless there is only one.
    fn write_tasks(&self, out: &mut impl fmt::Write, variant: &str, form: Form) -> fmt::Result {
        let tasks = self.by_task(variant);
        if tasks.len() < 2 {
            return Ok(());
        }
        let head = ["", "visits", "failed attempts", "retries", "repaired", "calls", "tokens"];
        let mut rows = vec![head.map(str::to_owned).to_vec()];
        rows[0][0] = format!("{variant}, by task");
        for (task, totals) in tasks {
            let TaskTotals { visits, failed_attempts, retries, repaired_replies, usage, .. } =
                totals;
            let tokens = usage.total_tokens();
            let figures = [visits, failed_attempts, retries, repaired_replies, usage.calls, tokens];
            let figures = figures.iter().map(ToString::to_string);
            rows.push([format!("- {task}")].into_iter().chain(figures).collect());
        }
        writeln!(out)?;
        write_table(out, &rows, form)
    }

    /// Writes the cases of a variant that failed, the worst ones first.
    fn write_worst(&self, out: &mut impl fmt::Write, variant: &str, form: Form) -> fmt::Result {
        let failed = self.by_case(variant).into_iter().filter(|(_, all)| all.passed < all.trials);
        let failed: Vec<_> = failed.collect();
        if failed.is_empty() {
            return Ok(());
        }
        writeln!(out, "\n{variant}, cases that failed:")?;
        for (case, summary) in failed.iter().take(MAX_CASES) {
            let trial = self.trials_of(variant).find(|trial| trial.case == **case && !trial.passed);
            let why = trial.map(|trial| self.reason(trial)).unwrap_or_default();
            let line = format!("{case} ({} of {}): {why}", summary.passed, summary.trials);
            writeln!(out, "- {}", form.escape(&line))?;
        }
        match failed.len().saturating_sub(MAX_CASES) {
            0 => Ok(()),
            more => writeln!(out, "- and {more} more"),
        }
    }

    /// Returns why a trial did not pass: on one line, cut after 160 characters.
    #[must_use]
    pub fn reason(&self, trial: &TrialResult) -> String {
        let least = |scorer: &str| self.scorers.get(scorer).copied().unwrap_or(1.0);
        let mut text = String::new();
        for (scorer, score) in trial.scores.iter().filter(|(name, score)| score.value < least(name))
        {
            let separator = if text.is_empty() { "" } else { "; " };
            let _ = write!(text, "{separator}{scorer} {:.2}", score.value);
            if !score.why.is_empty() {
                let _ = write!(text, ", {}", score.why);
            }
        }
        for why in trial.why.iter().chain(&trial.error) {
            let separator = if text.is_empty() { "" } else { "; " };
            let _ = write!(text, "{separator}{why}");
        }
        let text: String = text.split_whitespace().collect::<Vec<_>>().join(" ");
        match text.char_indices().nth(MAX_REASON) {
            Some((end, _)) => format!("{}…", &text[..end]),
            None => text,
        }
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(f, Form::Terminal)
    }
}

/// Formats a share.
pub(super) fn percent(share: f64) -> String {
    format!("{:.0} %", share * 100.0)
}

/// Writes rows of the same length, the first one as the head. The first column is aligned to the left.
pub(super) fn write_rows(out: &mut impl fmt::Write, rows: &[Vec<String>]) -> fmt::Result {
    write_table(out, rows, Form::Terminal)
}

fn write_table(out: &mut impl fmt::Write, rows: &[Vec<String>], form: Form) -> fmt::Result {
    let escaped = |row: &Vec<String>| row.iter().map(|cell| form.escape(cell)).collect();
    let rows: Vec<Vec<String>> = rows.iter().map(escaped).collect();
    let columns = rows.first().map_or(0, Vec::len);
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max();
    let widths: Vec<usize> = (0..columns).map(|column| width(column).unwrap_or(0)).collect();
    for (index, row) in rows.iter().enumerate() {
        let cells =
            row.iter().zip(&widths).enumerate().map(|(column, (cell, width))| match column {
                0 => format!("{cell:<width$}"),
                _ => format!("{cell:>width$}"),
            });
        let cells: Vec<String> = cells.collect();
        match form {
            Form::Terminal => writeln!(out, "{}", cells.join("  ").trim_end())?,
            Form::Markdown => {
                writeln!(out, "| {} |", cells.join(" | "))?;
                if index == 0 {
                    writeln!(out, "|---{}|", "|---:".repeat(columns.saturating_sub(1)))?;
                }
            }
        }
    }
    Ok(())
}
