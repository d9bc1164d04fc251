//! `cot man`: prints the manual pages.

use std::{
    error::Error,
    io,
    path::{Path, PathBuf},
};

use clap::{Args, Command};
use clap_mangen::roff::{Roff, roman};

use crate::{
    help, output,
    verdict::{Outcome, Verdict},
};

/// Prints a manual page, or writes all of them.
#[derive(Debug, Args)]
#[command(after_help = help::after(
    &[
        "cot man | man -l -",
        "cot man task check | man -l -",
        "cot man --all ~/.local/share/man/man1",
    ],
    "",
))]
pub(crate) struct Man {
    /// Write the pages of all commands to this folder: `cot.1`, `cot-task-check.1` and so on.
    #[arg(long, value_name = "FOLDER", conflicts_with = "command")]
    all: Option<PathBuf>,
    /// The command to describe, such as `task check`; default: `cot` itself.
    #[arg(value_name = "COMMAND")]
    command: Vec<String>,
}

impl Man {
    /// Prints or writes the manual pages.
    pub(crate) fn run(self, cot: Command) -> Outcome {
        let mut cot = cot.disable_help_subcommand(true);
        cot.build();
        match &self.all {
            Some(folder) => write_all(&cot, folder)?,
            None => output::text(&page(find(&cot, &self.command)?)?)?,
        }
        Ok(Verdict::Fine)
    }
}

/// Renders the page of a command, with its examples and exit statuses in separate sections.
fn page(command: &Command) -> io::Result<String> {
    let manual = clap_mangen::Man::new(command.clone());
    let manual = manual.source(concat!("cot ", env!("CARGO_PKG_VERSION"))).manual("Manual of cot");
    let mut page = Vec::new();
    manual.render_title(&mut page)?;
    manual.render_name_section(&mut page)?;
    manual.render_synopsis_section(&mut page)?;
    manual.render_description_section(&mut page)?;
    manual.render_options_section(&mut page)?;
    if command.has_subcommands() {
        manual.render_subcommands_section(&mut page)?;
    }
    after_help(command).to_writer(&mut page)?;
    String::from_utf8(page).map_err(io::Error::other)
}

/// Converts the help text below the options, line by line.
fn after_help(command: &Command) -> Roff {
    let mut roff = Roff::new();
    let text = command.get_after_help().map(ToString::to_string).unwrap_or_default();
    for line in text.lines() {
        match line.strip_suffix(':') {
            Some(title) if !title.starts_with(' ') => {
                roff.control("SH", [&*title.to_uppercase()]).control("nf", []);
            }
            _ if line.is_empty() => _ = roff.control("fi", []),
            _ => _ = roff.text([roman(line.trim_start())]),
        }
    }
    roff
}

fn write_all(command: &Command, folder: &Path) -> Result<(), Box<dyn Error>> {
    for command in command.get_subcommands() {
        write_all(command, folder)?;
    }
    let name = clap_mangen::Man::new(command.clone()).get_filename();
    Ok(output::file(&folder.join(name), &page(command)?)?)
}

fn find<'c>(cot: &'c Command, names: &[String]) -> Result<&'c Command, String> {
    names.iter().try_fold(cot, |command, name| {
        let none = || format!("`{}` has no command `{name}`", full_name(command));
        command.find_subcommand(name).ok_or_else(none)
    })
}

fn full_name(command: &Command) -> &str {
    command.get_bin_name().unwrap_or_else(|| command.get_name())
}
