//! The subcommand.

use std::{
    fs,
    io::Write as _,
    path::{Path, PathBuf},
    thread,
};

use annotate_snippets::Level;
use clap::Args;
use cot_format::{Language, Problem};
use cot_task_format::Position;
use similar::TextDiff;
use tempfile::NamedTempFile;

use super::{
    bodies::{self, Source},
    edition, files,
    rustfmt::{Config, Rustfmt},
};
use crate::{
    help, input,
    message::{self, Source as MessageSource},
    output,
    verdict::{Outcome, Verdict},
};

/// The number of files that are formatted at once, by one call of rustfmt.
const AT_ONCE: usize = 200;

/// The size of the stack. Only the part that is used takes memory.
const STACK: usize = 256 << 20;

/// Formats the bodies of `cot_process!` in Rust files, and in the Rust blocks of Markdown files.
///
/// Everything outside of the bodies is left to rustfmt, which leaves the bodies as they are. The Rust code in
/// them is formatted by rustfmt too; without it, it stays as it is written. Comments and literals are kept. A file
/// with a body that can't be read is reported and not changed.
#[derive(Debug, Args)]
#[command(after_help = help::after(
    &[
        "cot fmt",
        "cot fmt --check src README.md",
        "cot fmt --stdin < src/main.rs",
    ],
    "a body can't be read, or with --check has another layout",
))]
pub(crate) struct Fmt {
    /// Print the differences as a diff, and change nothing.
    #[arg(long)]
    check: bool,
    /// Format a whole Rust file from standard input to standard output, with rustfmt for what is outside of the
    /// bodies. For editors, such as `rust-analyzer.rustfmt.overrideCommand`. Prints nothing for a file that can't be
    /// formatted.
    #[arg(long, conflicts_with = "paths")]
    stdin: bool,
    /// The maximum width of lines.
    #[arg(long, value_name = "COLUMNS", default_value_t = 100, value_parser = clap::value_parser!(u16).range(20..=1000))]
    width: u16,
    /// The edition of the Rust code; by default that of the nearest `Cargo.toml`.
    #[arg(long, value_name = "YEAR", value_parser = edition::EDITIONS)]
    edition: Option<String>,
    /// Files, and folders whose `.rs` and `.md` files are formatted, except in `target` and in hidden folders.
    #[arg(value_name = "PATH", default_value = ".")]
    paths: Vec<PathBuf>,
}

impl Fmt {
    /// Formats in a thread with a large stack: code is read and written by functions that call themselves.
    pub(crate) fn run(self) -> Outcome {
        let format = move || self.format().map_err(|error| error.to_string());
        let thread = thread::Builder::new().stack_size(STACK).spawn(format)?;
        let outcome =
            thread.join().map_err(|_| "the formatter panicked: nothing more is formatted")?;
        Ok(outcome?)
    }

    fn format(&self) -> Outcome {
        let config = Config::create(self.width)?;
        if self.stdin {
            return self.format_standard(&config);
        }
        let mut verdict = Verdict::Fine;
        let mut files = Vec::new();
        for path in &self.paths {
            if let Err(error) = files::find(path, &mut files) {
                verdict = verdict.max(Verdict::from_outcome(Err(error.into())));
            }
        }
        for files in files.chunks(AT_ONCE) {
            verdict = verdict.max(self.format_files(files, &config));
        }
        Ok(verdict)
    }

    fn edition(&self, path: &Path) -> String {
        self.edition.clone().unwrap_or_else(|| edition::edition_of_nearest_package(path))
    }

    /// Formats files with one call of rustfmt. Continues after files with problems.
    fn format_files(&self, files: &[PathBuf], config: &Config) -> Verdict {
        let mut verdict = Verdict::Fine;
        let mut sources = Vec::new();
        for path in files {
            match input::text(path) {
                Ok(text) => sources.push(Source {
                    text,
                    edition: self.edition(path),
                    language: files::language_of(path),
                    path,
                }),
                Err(error) => verdict = verdict.max(Verdict::from_outcome(Err(error.into()))),
            }
        }
        let formatted = bodies::format(&sources, self.width.into(), config);
        for (source, formatted) in sources.iter().zip(formatted) {
            let outcome = match formatted {
                Ok(formatted) => self.put(source, &formatted),
                Err(problems) => Ok(show(source.path, &source.text, &problems)),
            };
            verdict = verdict.max(Verdict::from_outcome(outcome));
        }
        verdict
    }

    fn put(&self, source: &Source<'_>, formatted: &str) -> Outcome {
        if source.text == formatted {
            return Ok(Verdict::Fine);
        }
        if self.check {
            return print_diff(source.path, &source.text, formatted);
        }
        replace(source.path, formatted)
            .map_err(|error| format!("can't write {}: {error}", input::name_of(source.path)))?;
        Ok(Verdict::Fine)
    }

    /// Formats standard input: the bodies, so that rustfmt finds no trailing white space in them; the rest; and the
    /// bodies again, whose place can differ then.
    fn format_standard(&self, config: &Config) -> Outcome {
        let path = Path::new("-");
        let text = input::text(path)?;
        let edition = self.edition(Path::new("."));
        let bodies = |text: String| {
            let (edition, language) = (edition.clone(), Language::Rust);
            let source = Source { text, edition, language, path };
            bodies::format_one(&source, self.width.into(), config)
                .map_err(|problems| (source.text, problems))
        };
        let first = match bodies(text.clone()) {
            Ok(first) => first,
            Err((text, problems)) => return Ok(show(path, &text, &problems)),
        };
        let rustfmt = Rustfmt { edition: &edition, config: None };
        let whole = match rustfmt.format(&first) {
            Ok(whole) => whole,
            Err(error) => {
                message::error(&error);
                return Ok(Verdict::Findings);
            }
        };
        match bodies(whole) {
            Ok(formatted) if self.check && formatted != text => print_diff(path, &text, &formatted),
            Ok(_) if self.check => Ok(Verdict::Fine),
            Ok(formatted) => {
                output::text(&formatted)?;
                Ok(Verdict::Fine)
            }
            Err((text, problems)) => Ok(show(path, &text, &problems)),
        }
    }
}

/// Prints the problems of a file.
fn show(path: &Path, text: &str, problems: &[Problem]) -> Verdict {
    let source = MessageSource { origin: &input::origin_of(path), text };
    for problem in problems {
        let bounded = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
        let (line, column) = (bounded(problem.line), bounded(problem.column));
        let at = Position { offset: problem.offset, line, column };
        source.show(Level::ERROR, None, &problem.message, at);
    }
    message::print(Level::ERROR, format!("{} is not formatted", input::name_of(path)));
    Verdict::Findings
}

fn print_diff(path: &Path, before: &str, after: &str) -> Outcome {
    let name = input::origin_of(path);
    let diff = TextDiff::from_lines(before, after);
    output::text(&diff.unified_diff().header(&name, &name).to_string())?;
    Ok(Verdict::Findings)
}

/// Replaces a file at once, so that it is never half written.
fn replace(path: &Path, text: &str) -> std::io::Result<()> {
    // A symbolic link stays one.
    let path = fs::canonicalize(path)?;
    let folder = path.parent().unwrap_or(Path::new("."));
    let mut file = NamedTempFile::new_in(folder)?;
    file.write_all(text.as_bytes())?;
    file.as_file().set_permissions(fs::metadata(&path)?.permissions())?;
    file.persist(&path)?;
    Ok(())
}
