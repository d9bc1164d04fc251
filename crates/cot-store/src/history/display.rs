//! The text form of a history.

use std::fmt;

use cot_engine::BranchOutcome;
use cot_reader::Passage;

use crate::history::{
    attempt::{Answer, AttemptHistory},
    run::RunHistory,
    step::{BranchHistory, FoundHistory, StepHistory},
    tool_call::ToolCallHistory,
};

/// The number of places of an output in its line.
const MAX_PLACES: usize = 20;

impl fmt::Display for RunHistory {
    /// Writes a line for the run, then the lines of each step.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.summary)?;
        self.steps.iter().try_for_each(|step| write_step(f, step, 1))
    }
}

impl fmt::Display for StepHistory {
    /// Writes a line for the step, one for each attempt, and those of the nested steps, indented.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_step(f, self, 0)
    }
}

fn write_step(f: &mut fmt::Formatter<'_>, step: &StepHistory, depth: usize) -> fmt::Result {
    let indent = depth * 2;
    write!(f, "{:indent$}{} ", "", step.step)?;
    if let Some(process) = &step.process {
        write!(f, "{process}")?;
        step.item.map_or(Ok(()), |item| write!(f, "[{item}]"))?;
        f.write_str("::")?;
    }
    write!(f, "{}", step.task)?;
    match (&step.next, &step.route) {
        (Some(next), Some(route)) => write!(f, " -> {next} ({route})")?,
        (None, Some(route)) => write!(f, " ({route})")?,
        _ => write!(f, " …")?,
    }
    writeln!(f)?;
    for branch in &step.branches {
        writeln!(f, "{:indent$}  {branch}", "")?;
    }
    for call in &step.tools {
        writeln!(f, "{:indent$}  {call}", "")?;
    }
    for attempt in &step.attempts {
        writeln!(f, "{:indent$}  {attempt}", "")?;
    }
    for found in &step.found {
        writeln!(f, "{:indent$}  {found}", "")?;
    }
    step.nested.iter().try_for_each(|nested| write_step(f, nested, depth + 1))
}

impl fmt::Display for AttemptHistory {
    /// Writes one line: the number of the attempt, its result, and its issues.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(item) = self.item {
            write!(f, "[{item}]")?;
        }
        write!(f, "@{}", self.number)?;
        if let Some(engine) = &self.engine {
            write!(f, " by {engine}")?;
        }
        match &self.answer {
            Some(answer) => write!(f, ": {answer}")?,
            None => write!(f, ": no call")?,
        }
        if self.failure.is_some() {
            write!(f, "; not accepted: {}", one_line(&self.issues.to_string()))?;
        }
        Ok(())
    }
}

impl fmt::Display for BranchHistory {
    /// Writes one line: the first task of the branch, and how the branch ended.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "branch {} ", self.branch)?;
        match &self.outcome {
            BranchOutcome::Joined => f.write_str("joined"),
            BranchOutcome::Failed(why) => write!(f, "failed: {}", one_line(why)),
            BranchOutcome::Cancelled => f.write_str("cancelled"),
        }
    }
}

impl fmt::Display for FoundHistory {
    /// Writes one line: the places in their sources.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("found ")?;
        if let Some(item) = self.item {
            write!(f, "[{item}] ")?;
        }
        for (index, passage) in self.passages.iter().enumerate().take(MAX_PLACES) {
            let (Passage { path, source, range, .. }, comma) =
                (passage, if index > 0 { ", " } else { "" });
            write!(f, "{comma}{path} in {source} at {}..{}", range.start, range.end)?;
        }
        match self.passages.len().checked_sub(MAX_PLACES).filter(|more| *more > 0) {
            Some(more) => write!(f, " and {more} more"),
            None => Ok(()),
        }
    }
}

impl fmt::Display for ToolCallHistory {
    /// Writes one line: the number of the call, the tool, and its result.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "call {} of {}: ", self.number, one_line(&self.tool))?;
        match (&self.result, &self.error) {
            (Some(result), _) => f.write_str(&one_line(result)),
            (None, Some(error)) => write!(f, "failed: {}", one_line(error)),
            (None, None) => f.write_str("no answer yet"),
        }
    }
}

impl fmt::Display for Answer {
    /// Writes one line, truncated if it is long.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Replied { text, .. } => f.write_str(&one_line(text)),
            Self::Answered(value) | Self::Returned(value) => {
                f.write_str(&one_line(&value.to_string()))
            }
            Self::Failed(why) => write!(f, "failed: {}", one_line(why)),
            Self::TimedOut => f.write_str("no answer in time"),
            Self::Interrupted => f.write_str("interrupted, and not made again"),
        }
    }
}

/// The maximum number of characters of a text.
const MAX_CHARS: usize = 100;

fn one_line(text: &str) -> String {
    let mut chars = text.chars().map(|c| if c.is_control() { ' ' } else { c });
    let mut line: String = chars.by_ref().take(MAX_CHARS).collect();
    if chars.next().is_some() {
        line.push('…');
    }
    line
}
