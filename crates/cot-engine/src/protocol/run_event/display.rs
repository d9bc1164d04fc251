//! Events in one line each, for logs and terminals.

use std::fmt;

use cot_schema::internal::truncate;

use crate::{
    protocol::run_event::event::{BranchOutcome, RunEvent},
    values::outcome::{Attempt, Ending},
};

/// Bytes of a text from outside that a line quotes.
const MAX_TEXT: usize = 200;

/// One line: the task, a colon, and what happened. Prompts are shown by their size, and long texts are truncated.
///
/// ```
/// use cot_core::RunEvent;
///
/// let event: RunEvent = RunEvent::TaskStarted { task: "draft".into(), step: 3, visit: 1 };
/// assert_eq!(event.to_string(), "draft: started, step 3");
/// ```
impl<T: fmt::Display, O: fmt::Debug> fmt::Display for RunEvent<T, O> {
    #[expect(clippy::too_many_lines, reason = "one arm for each event")]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TaskStarted { task, step, .. } => write!(f, "{task}: started, step {step}"),
            Self::Prompt { task, item, attempt, request } => {
                let bytes = request.prompt().len();
                write!(f, "{task}{}: attempt {attempt}, prompt of {bytes} bytes", Item(*item))
            }
            Self::StepsRunLow { task, steps, limit } => write!(
                f,
                "{task}: step {steps}, near the default limit of {limit} steps without an answer of a person"
            ),
            Self::RateLimited { task, item, wait, .. } => {
                write!(f, "{task}{}: waits {wait:.1?} for the rate limit", Item(*item))
            }
            Self::Delta { task, item, text: Some(text), .. } => {
                write!(f, "{task}{}: reply continues {text:?}", Item(*item))
            }
            Self::Delta { task, item, .. } => write!(f, "{task}{}: reply starts over", Item(*item)),
            Self::Thought { task, item, text, .. } => {
                write!(f, "{task}{}: thinks {text:?}", Item(*item))
            }
            Self::Partial { task, item, partial: Some(partial), .. } => {
                let value = partial.value().to_string();
                write!(f, "{task}{}: output so far {}", Item(*item), Line(&value))
            }
            Self::Partial { task, item, .. } => {
                write!(f, "{task}{}: output starts over", Item(*item))
            }
            Self::Repaired { task, item, attempt, repairs } => {
                write!(f, "{task}{}: attempt {attempt} repaired", Item(*item))?;
                write_list(f, repairs)
            }
            Self::Found { task, item, passages } => {
                write!(f, "{task}{}: values found: {}", Item(*item), passages.len())
            }
            Self::ToolCalled { task, call, tool, arguments } => {
                write!(f, "{task}: call {call} of {} with {}", Line(tool), Line(arguments))
            }
            Self::ToolReturned { task, call, tool, result, .. } => {
                write_tool_result(f, (task, *call, tool), result)
            }
            Self::AttemptFailed { task, attempt, will_retry } => {
                write_attempt(f, task, attempt, *will_retry)
            }
            Self::ItemsStarted { task, items } => write!(f, "{task}: {items} items"),
            Self::ItemDone { task, item, .. } => write!(f, "{task}{}: done", Item(Some(*item))),
            Self::ItemFailed { task, item, reason } => {
                write!(f, "{task}{}: failed: {}", Item(Some(*item)), Line(reason))
            }
            Self::BranchEnded { task, branch, outcome } => match outcome {
                BranchOutcome::Joined => write!(f, "{task}: branch {branch} joined"),
                BranchOutcome::Failed(why) => {
                    write!(f, "{task}: branch {branch} failed: {}", Line(why))
                }
                BranchOutcome::Cancelled => write!(f, "{task}: branch {branch} cancelled"),
            },
            Self::Asked { task, .. } => write!(f, "{task}: waits for a person"),
            Self::Waiting { task, duration } => write!(f, "{task}: starts in {duration:?}"),
            Self::Committed { task, output, .. } => {
                write!(f, "{task}: committed {}", Line(&format!("{output:?}")))
            }
            Self::Transitioned { task, go_to, intent, times, .. } => {
                write!(f, "{task}: chose {go_to}{}: {}", InARow(*times), Line(intent))
            }
            Self::TaskFinished { task, next: Some(next), route } => {
                write!(f, "{task}: finished, {next} follows ({route})")
            }
            Self::TaskFinished { task, next: None, .. } => write!(f, "{task}: finished"),
            Self::Nested { task, item, process, event, .. } => {
                write!(f, "{task}{}: {process}: {event}", Item(*item))
            }
            Self::StateUpdated { task } => write!(f, "{task}: state updated before the task"),
            Self::Paused => f.write_str("run paused"),
            Self::Detached => f.write_str("run no longer driven"),
            Self::Finished { ending, .. } => write_ending(f, ending),
        }
    }
}

fn write_tool_result<T: fmt::Display>(
    f: &mut fmt::Formatter<'_>,
    (task, call, tool): (&T, u32, &str),
    result: &Result<String, String>,
) -> fmt::Result {
    let (how, text) = match result {
        Ok(text) => ("returned", text),
        Err(text) => ("failed:", text),
    };
    write!(f, "{task}: call {call} of {} {how} {}", Line(tool), Line(text))
}

fn write_attempt<T: fmt::Display>(
    f: &mut fmt::Formatter<'_>,
    task: &T,
    attempt: &Attempt,
    will_retry: bool,
) -> fmt::Result {
    let (number, how) = (attempt.number, attempt.failure.predicate());
    write!(f, "{task}{}: attempt {number} {how}", Item(attempt.item))?;
    write_list(f, &attempt.issues)?;
    f.write_str(if will_retry { ", will retry" } else { "" })
}

fn write_ending<T: fmt::Display>(f: &mut fmt::Formatter<'_>, ending: &Ending<T>) -> fmt::Result {
    match ending {
        Ending::End(task) => write!(f, "run ended at {task}"),
        Ending::Fail(task, why) => write!(f, "run failed at {task}: {}", Line(why)),
        Ending::RanOut(task) => write!(f, "run ended after {task}"),
        Ending::Halted(halt) => {
            let reason = halt.reason.to_string();
            write!(f, "run halted at {}: {}", halt.task, Line(&reason))
        }
    }
}

/// Writes `: a; b`, or nothing for an empty list.
fn write_list<I: fmt::Display>(
    f: &mut fmt::Formatter<'_>,
    items: impl IntoIterator<Item = I>,
) -> fmt::Result {
    items.into_iter().enumerate().try_for_each(|(number, item)| {
        let separator = if number == 0 { ": " } else { "; " };
        write!(f, "{separator}{}", Line(&item.to_string()))
    })
}

/// The number of an item in brackets, or nothing.
struct Item(Option<usize>);

impl fmt::Display for Item {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.map_or(Ok(()), |item| write!(f, "[{item}]"))
    }
}

/// The number of times that a choice was made in a row, or nothing the first time.
struct InARow(u32);

impl fmt::Display for InARow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0 > 1 { write!(f, ", {} times in a row", self.0) } else { Ok(()) }
    }
}

/// A text on one line, truncated.
struct Line<'a>(&'a str);

impl fmt::Display for Line<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use fmt::Write as _;
        let text = truncate(self.0, MAX_TEXT);
        text.chars().try_for_each(|c| f.write_char(if c.is_control() { ' ' } else { c }))?;
        f.write_str(if text.len() < self.0.len() { "…" } else { "" })
    }
}
