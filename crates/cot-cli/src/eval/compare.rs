//! `cot eval compare`: compares two reports.

use std::path::{Path, PathBuf};

use clap::Args;
use cot_eval::Comparison;

use super::report;
use crate::{
    help, input, output,
    text::escape_hidden,
    verdict::{Outcome, Verdict},
};

/// Says what got better or worse between two reports, beyond chance.
///
/// Each case is compared with the case of the same name. A change counts if a difference as large would happen by chance
/// in less than 5 % of all comparisons of equal reports. What the new report lacks fails, too.
#[derive(Debug, Args)]
#[command(after_help = help::after(
    &[
        "cot eval compare yesterday.json today.json",
        "cot eval compare --threshold 0.05 yesterday.json today.json",
    ],
    "a figure is worse beyond chance, by more than the threshold, or missing",
))]
pub(super) struct Compare {
    /// How much worse a pass rate or a mean score may be, from 0 to 1.
    #[arg(long, value_name = "SHARE", default_value_t = 0.0, value_parser = share)]
    threshold: f64,
    /// The old report; `-` is standard input.
    #[arg(value_name = "OLD")]
    old: PathBuf,
    /// The new report; `-` is standard input.
    #[arg(value_name = "NEW")]
    new: PathBuf,
}

impl Compare {
    pub(super) fn run(self) -> Outcome {
        input::check_stdin_once([&self.old, &self.new].into_iter().map(AsRef::<Path>::as_ref))?;
        let comparison = Comparison::between(&report::read(&self.old)?, &report::read(&self.new)?);
        output::text(&escape_hidden(&comparison.to_string()))?;
        let is_worse = comparison.is_worse_by(self.threshold);
        Ok(if is_worse { Verdict::Findings } else { Verdict::Fine })
    }
}

fn share(text: &str) -> Result<f64, String> {
    let share = text.parse().ok().filter(|share| (0.0..1.0).contains(share));
    share.ok_or_else(|| "a number from 0 to less than 1 is expected".to_owned())
}
