//! `cot completions`: prints a completion script for a shell.

use clap::{Args, Command};
use clap_complete::{Generator, Shell};

use crate::{
    help, output,
    verdict::{Outcome, Verdict},
};

/// Prints a script that completes commands and options in a shell.
#[derive(Debug, Args)]
#[command(after_help = help::after(
    &[
        "cot completions bash > ~/.local/share/bash-completion/completions/cot",
        "cot completions zsh > ~/.zfunc/_cot",
        "cot completions fish > ~/.config/fish/completions/cot.fish",
    ],
    "",
))]
pub(crate) struct Completions {
    /// The shell.
    #[arg(value_name = "SHELL")]
    shell: Shell,
}

impl Completions {
    /// Prints the script for the commands of `cot`.
    pub(crate) fn run(self, mut cot: Command) -> Outcome {
        cot.set_bin_name("cot");
        cot.build();
        let mut script = Vec::new();
        self.shell.try_generate(&cot, &mut script)?;
        output::text(&String::from_utf8(script)?)?;
        Ok(Verdict::Fine)
    }
}
