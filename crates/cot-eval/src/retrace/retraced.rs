//! What stored runs would have done in this build.

use std::{collections::BTreeMap, fmt};

use cot_model::PartName;
use cot_store::RunId;

/// What stored runs would have done in this build, one by one.
///
/// It is displayed as a list of the differences, those alike together.
#[derive(Debug, Clone, Default, PartialEq)]
#[non_exhaustive]
pub struct Retraced {
    /// The runs in the order of their start, the newest first.
    pub runs: Vec<(RunId, Course)>,
}

/// What a stored run would have done in this build.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Course {
    /// It would have made the same calls with the same prompts, and ended the same, as far as it went.
    Same,
    /// It would have done something else.
    Differs(Divergence),
    /// It can't be judged, for this reason.
    Unclear(String),
}

/// Where a run leaves its course.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Divergence {
    /// The task that is different.
    pub task: String,
    /// The attempt, from 1.
    pub attempt: u32,
    /// The part of the prompt that is different; `None` if something else is.
    pub part: Option<PartName>,
    /// What was then.
    pub then: String,
    /// What is now.
    pub now: String,
}

/// The characters of a text that are shown.
const SHOWN: usize = 120;
/// The runs that are named with a difference.
const MAX_RUNS: usize = 3;

impl Retraced {
    /// Returns the number of runs that would have done the same.
    #[must_use]
    pub fn same(&self) -> usize {
        self.runs.iter().filter(|(_, course)| *course == Course::Same).count()
    }

    /// Returns the runs that would have done something else.
    pub fn divergences(&self) -> impl Iterator<Item = (&RunId, &Divergence)> {
        self.runs.iter().filter_map(|(run, course)| match course {
            Course::Differs(divergence) => Some((run, divergence)),
            _ => None,
        })
    }
}

impl fmt::Display for Divergence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { task, attempt, part, then, now } = self;
        write!(f, "differs at task `{task}`, attempt {attempt}")?;
        if let Some(part) = part {
            write!(f, ", in the part `{}` of the prompt", part.as_str())?;
        }
        let (then, now) = around_change(then, now);
        write!(f, "\n    then: {then}\n    now:  {now}")
    }
}

impl fmt::Display for Course {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Same => f.write_str("same"),
            Self::Differs(divergence) => divergence.fmt(f),
            Self::Unclear(why) => write!(f, "can't be judged: {why}"),
        }
    }
}

impl fmt::Display for Retraced {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{} of {} runs: same", self.same(), self.runs.len())?;
        let mut others: BTreeMap<String, Vec<&RunId>> = BTreeMap::new();
        for (run, course) in self.runs.iter().filter(|(_, course)| *course != Course::Same) {
            others.entry(course.to_string()).or_default().push(run);
        }
        for (course, runs) in others {
            let names: Vec<String> = runs.iter().take(MAX_RUNS).map(ToString::to_string).collect();
            let more = if runs.len() > MAX_RUNS { ", …" } else { "" };
            let count = if runs.len() == 1 { "run" } else { "runs" };
            writeln!(f, "{} {count} ({}{more}): {course}", runs.len(), names.join(", "))?;
        }
        Ok(())
    }
}

/// Returns two texts from a little before their first difference on.
fn around_change(then: &str, now: &str) -> (String, String) {
    let same = then.chars().zip(now.chars()).take_while(|(a, b)| a == b).count();
    let start = same.saturating_sub(SHOWN / 3);
    let shown = |text: &str| {
        let part: String = text.chars().skip(start).take(SHOWN).collect();
        let part = part.replace('\n', "⏎");
        let (before, after) =
            (if start > 0 { "…" } else { "" }, text.chars().count() > start + SHOWN);
        format!("{before}{part}{}", if after { "…" } else { "" })
    };
    (shown(then), shown(now))
}
