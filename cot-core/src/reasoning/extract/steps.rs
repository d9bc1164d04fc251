//! The steps of a text without its conclusion.

use crate::reasoning::{Step, StepNumber};

/// The numbered steps of a text; where no line begins with a number, its bullets.
pub(super) fn of(text: &str) -> Vec<Step> {
    numbered(text).unwrap_or_else(|| bullets(text))
}

/// A step that runs from where its marker ends.
struct Open {
    number: StepNumber,
    start: usize,
}

fn numbered(text: &str) -> Option<Vec<Step>> {
    let mut steps = Vec::new();
    let mut open: Option<Open> = None;
    let mut line_start = Some(0);
    while let Some(at) = line_start {
        let line = text.get(at..).unwrap_or_default();
        let mut scanned = at;
        if let Some((number, rest)) = after_number(line) {
            let start = text.len() - rest.len();
            steps.extend(open.replace(Open { number, start }).and_then(|step| step.end(text, at)));
            scanned = start;
        }
        line_start = next_line(text, scanned);
    }
    let last = open?;
    steps.extend(last.end(text, text.len()));
    Some(steps)
}

fn bullets(text: &str) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    let mut start: Option<usize> = None;
    let mut line_start = Some(0);
    while let Some(at) = line_start {
        if let Some(rest) = after_bullet(text.get(at..).unwrap_or_default()) {
            let content = start.replace(text.len() - rest.len()).map(|start| (start, at));
            push_bullet(&mut steps, text, content);
        }
        line_start = next_line(text, at);
    }
    push_bullet(&mut steps, text, start.map(|start| (start, text.len())));
    steps
}

fn push_bullet(steps: &mut Vec<Step>, text: &str, content: Option<(usize, usize)>) {
    let number = StepNumber::from(steps.len() as u64 + 1);
    steps.extend(content.and_then(|(start, end)| Open { number, start }.end(text, end)));
}

impl Open {
    /// The step, if it says anything.
    fn end(self, text: &str, end: usize) -> Option<Step> {
        let content = text.get(self.start..end)?.trim();
        (!content.is_empty()).then(|| Step { number: self.number, content: content.to_owned() })
    }
}

/// Where the line after a place begins.
fn next_line(text: &str, from: usize) -> Option<usize> {
    let rest = text.get(from..)?;
    rest.find('\n').map(|newline| from + newline + 1)
}

/// The number that a line begins a step with, and what follows on it.
fn after_number(line: &str) -> Option<(StepNumber, &str)> {
    let line = line.trim_start_matches(|c: char| c != '\n' && c.is_whitespace());
    let line = match line.bytes().next()? {
        b's' | b'S' => after_step(line)?,
        _ => line,
    };
    let end = line.bytes().position(|byte| !byte.is_ascii_digit())?;
    let (digits, rest) = line.split_at(end);
    let rest = rest.strip_prefix(['.', ':', ')'])?;
    Some((digits.parse().ok()?, rest))
}

/// What follows on the word `step` and the space after it.
fn after_step(line: &str) -> Option<&str> {
    let (word, rest) = line.split_at_checked("step".len())?;
    let number = rest.trim_start();
    (word.eq_ignore_ascii_case("step") && number.len() < rest.len()).then_some(number)
}

/// What follows on the bullet that a line begins with.
fn after_bullet(line: &str) -> Option<&str> {
    let rest = line.strip_prefix(['-', '*', '•'])?;
    rest.chars().next().is_none_or(char::is_whitespace).then_some(rest)
}
