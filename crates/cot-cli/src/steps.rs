//! `cot steps`: extracts the steps and the conclusion of a reply.

use std::path::PathBuf;

use clap::Args;
use cot_reader::Reasoning;

use crate::{
    help, input, output,
    text::{escape_json, strip_byte_order_mark},
    verdict::{Outcome, Verdict},
};

/// Extracts the steps and the conclusion of a reply with numbered reasoning.
///
/// Prints one line of JSON: `{"steps":[{"number":1,"content":"…"}],"conclusion":"…"}`; the conclusion
/// is `null` if the reply has none.
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
        output::line(escape_json(&Reasoning::parse(strip_byte_order_mark(&text)).to_json()))?;
        Ok(Verdict::Fine)
    }
}
