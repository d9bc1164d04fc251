//! `cot task fmt`: formats traces.

use std::path::Path;

use annotate_snippets::Level;
use clap::Args;

use super::trace::{self, ReadTrace};
use crate::{
    help,
    input::{self, Files},
    message, output,
    verdict::{Outcome, Verdict},
};

/// Formats traces in the standard layout.
///
/// Prints one file, or writes or checks any number of files. Files with syntax errors are never
/// changed. Text between structures is not part of a trace: it is omitted with a warning, and a file
/// with such text is not written unless `--drop-stray-text` is given.
#[derive(Debug, Args)]
#[command(after_help = help::after(
    &[
        "cot task fmt trace.task",
        "cot task fmt --write *.task",
        "cot task fmt --check *.task",
    ],
    "a file has syntax errors, would lose text, or with --check has another layout",
))]
pub(crate) struct Fmt {
    /// Write the files whose layout differs, and print nothing.
    #[arg(long, conflicts_with = "check")]
    write: bool,
    /// Print the names of the files whose layout differs, one per line, and change nothing.
    #[arg(long)]
    check: bool,
    /// Allow dropping the text between structures.
    #[arg(long)]
    drop_stray_text: bool,
    #[command(flatten)]
    files: Files,
}

impl Fmt {
    pub(crate) fn run(self) -> Outcome {
        if self.files.is_several() && !self.write && !self.check {
            return Err("several files need `--write` or `--check`".into());
        }
        self.files.each(|path| self.format(path))
    }

    fn format(&self, path: &Path) -> Outcome {
        if self.write && input::is_standard(path) {
            return Err("standard input can't be written; omit `--write`".into());
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

    fn write(&self, path: &Path, read: &ReadTrace, formatted: &str) -> Outcome {
        let verdict = self.verdict(read);
        if verdict == Verdict::Findings {
            let name = input::name_of(path);
            let why = "text would be dropped; `--drop-stray-text` allows it";
            message::print(Level::ERROR, format!("{name} is not written: {why}"));
        } else if read.text != formatted {
            output::file(path, formatted)?;
        }
        Ok(verdict)
    }

    fn verdict(&self, read: &ReadTrace) -> Verdict {
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
