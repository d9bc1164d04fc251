//! `cot task fmt`: lays traces out anew.

use std::path::Path;

use annotate_snippets::Level;
use clap::Args;

use super::trace::{self, Read};
use crate::{
    help,
    input::{self, Files},
    message, output,
    verdict::{Outcome, Verdict},
};

/// Lays traces out anew, in the usual layout.
///
/// Prints the one file, or writes or checks any number of them. What has syntax errors is never
/// changed. Text between structures is no part of a trace: it is left out, with a warning, and a
/// file that has some is not written unless it may be dropped.
#[derive(Debug, Args)]
#[command(after_help = help::after(
    &[
        "cot task fmt trace.task",
        "cot task fmt --write *.task",
        "cot task fmt --check *.task",
    ],
    "a file has syntax errors, would lose text, or with --check is laid out otherwise",
))]
pub(crate) struct Fmt {
    /// Write the files whose layout differs, and print nothing.
    #[arg(long, conflicts_with = "check")]
    write: bool,
    /// Print the names of the files whose layout differs, one on a line, and change nothing.
    #[arg(long)]
    check: bool,
    /// Text between structures may be dropped.
    #[arg(long)]
    drop_stray_text: bool,
    #[command(flatten)]
    files: Files,
}

impl Fmt {
    pub(crate) fn run(self) -> Outcome {
        if self.files.are_many() && !self.write && !self.check {
            return Err("several files need `--write` or `--check`".into());
        }
        self.files.each(|path| self.format(path))
    }

    fn format(&self, path: &Path) -> Outcome {
        if self.write && input::is_standard(path) {
            return Err("standard input can't be written; leave out `--write`".into());
        }
        let Some(read) = trace::read(path)? else {
            return Ok(Verdict::Findings);
        };
        if !self.drop_stray_text {
            trace::show(path, &read.text, &read.stray);
        }
        let formatted = read.trace.to_string();
        if self.check {
            check(path, &read.text, &formatted)
        } else if self.write {
            self.write(path, &read, &formatted)
        } else {
            output::text(&formatted)?;
            Ok(self.verdict(&read))
        }
    }

    fn write(&self, path: &Path, read: &Read, formatted: &str) -> Outcome {
        let verdict = self.verdict(read);
        if verdict == Verdict::Findings {
            let name = input::name_of(path);
            let why = "text would be dropped; `--drop-stray-text` allows it";
            message::say(Level::ERROR, format!("{name} is not written: {why}"));
        } else if read.text != formatted {
            output::file(path, formatted)?;
        }
        Ok(verdict)
    }

    fn verdict(&self, read: &Read) -> Verdict {
        if read.stray.is_empty() || self.drop_stray_text {
            Verdict::Fine
        } else {
            Verdict::Findings
        }
    }
}

fn check(path: &Path, text: &str, formatted: &str) -> Outcome {
    if text == formatted {
        return Ok(Verdict::Fine);
    }
    output::line(path.to_string_lossy())?;
    Ok(Verdict::Findings)
}
