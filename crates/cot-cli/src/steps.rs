//! `cot steps`: takes the steps and the conclusion out of a reply.

use std::path::PathBuf;

use clap::Args;
use cot_core::reasoning::Reasoning;

use crate::{
    help, input, output,
    text::{escaped, without_mark},
    verdict::{Outcome, Verdict},
};

/// Takes the steps and the conclusion out of a reply that thinks aloud.
///
/// Prints one line of JSON: `{"steps":[{"number":1,"content":"…"}],"conclusion":"…"}`, where the
/// conclusion is `null` when the reply has none.
#[derive(Debug, Args)]
#[command(after_help = help::after(
    &[
        "cot steps reply.txt",
        "cot steps - < reply.txt | jq -r .conclusion",
    ],
    "",
))]
pub(crate) struct Steps {
    /// A file with the reply; `-` is standard input.
    #[arg(value_name = "FILE")]
    file: PathBuf,
}

impl Steps {
    pub(crate) fn run(self) -> Outcome {
        let text = input::text(&self.file)?;
        output::line(escaped(&Reasoning::of(without_mark(&text)).to_json()))?;
        Ok(Verdict::Fine)
    }
}
