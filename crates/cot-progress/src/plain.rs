//! Events as plain lines, for logs and pipes.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::{Debug, Display},
    time::Duration,
};

use cot_engine::RunEvent;
use cot_model::Usage;

use crate::text::{self, clean};

/// What earlier lines have told.
#[derive(Debug, Default)]
pub(crate) struct PlainLines {
    /// The finished items and the items of the for-each tasks that are under way.
    items: BTreeMap<String, (usize, usize)>,
    /// The calls that wait for a rate limit.
    limited: BTreeSet<String>,
}

/// The columns of a line.
const MAX_COLUMNS: usize = 400;

impl PlainLines {
    /// Returns the line of an event; `None` for one that is not worth a line. The ending of a run is a line of
    /// its own.
    pub(crate) fn line<T: Display, O: Debug>(
        &mut self,
        run: &str,
        event: &RunEvent<T, O>,
    ) -> Option<String> {
        let line = self.describe(run, event)?;
        Some(text::fit(&clean(&format!("{run} {line}")), MAX_COLUMNS))
    }

    fn describe<T: Display, O: Debug>(
        &mut self,
        place: &str,
        event: &RunEvent<T, O>,
    ) -> Option<String> {
        match event {
            RunEvent::TaskStarted { .. }
            | RunEvent::Repaired { .. }
            | RunEvent::ToolCalled { .. }
            | RunEvent::ToolReturned { .. }
            | RunEvent::AttemptFailed { .. }
            | RunEvent::ItemFailed { .. }
            | RunEvent::BranchEnded { .. }
            | RunEvent::Waiting { .. }
            | RunEvent::StepsRunLow { .. }
            | RunEvent::StateUpdated { .. }
            | RunEvent::Paused => Some(event.to_string()),
            RunEvent::Transitioned { usage, elapsed, .. } => {
                Some(format!("{event}{}", cost(usage, *elapsed)))
            }
            RunEvent::Committed { task, usage, elapsed, .. } => {
                Some(format!("{task}: committed{}", cost(usage, *elapsed)))
            }
            RunEvent::Asked { task, question } => {
                Some(format!("{task}: waits for a person: {}", question.text))
            }
            RunEvent::RateLimited { task, item, attempt, .. } => {
                let call = format!("{place} {task} {item:?} {attempt}");
                self.limited.insert(call).then(|| event.to_string())
            }
            RunEvent::ItemsStarted { task, items } => {
                self.items.insert(format!("{place} {task}"), (0, *items));
                Some(event.to_string())
            }
            RunEvent::ItemDone { task, .. } => self.item_done(place, &task.to_string()),
            RunEvent::Nested { task, item, process, event, .. } => {
                let item = item.map(|item| format!("[{item}]")).unwrap_or_default();
                let inner = self.describe(&format!("{place} {task}{item}"), event)?;
                Some(format!("{task}{item}: {process}: {inner}"))
            }
            RunEvent::TaskFinished { task, .. } => {
                self.items.remove(&format!("{place} {task}"));
                self.limited.clear();
                None
            }
            _ => None,
        }
    }

    /// Counts an item. Tells of each tenth of them.
    fn item_done(&mut self, place: &str, task: &str) -> Option<String> {
        let (done, total) = self.items.entry(format!("{place} {task}")).or_default();
        *done += 1;
        if !is_worth_a_line(*done, *total) {
            return None;
        }
        let of = if *total > 0 { format!(" of {total}") } else { String::new() };
        Some(format!("{task}: {done}{of} items done"))
    }
}

/// Returns whether another one that is done is worth a line: each tenth of many is.
pub(crate) fn is_worth_a_line(done: usize, total: usize) -> bool {
    let tenths = |done: usize| done.saturating_mul(10).checked_div(total);
    total <= 10 || tenths(done) != tenths(done.saturating_sub(1))
}

fn cost(usage: &Usage, elapsed: Duration) -> String {
    let (usage, elapsed) = (text::usage(usage), text::duration(elapsed));
    if usage.is_empty() { format!(" ({elapsed})") } else { format!(" ({usage}, {elapsed})") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_tenth_of_many_items_is_told() {
        let mut lines = PlainLines::default();
        let mut tell = |event: RunEvent| lines.line("r", &event);
        assert_eq!(
            tell(RunEvent::ItemsStarted { task: "each".into(), items: 100 }).as_deref(),
            Some("r each: 100 items")
        );
        let done = |item| {
            let output = cot_engine::AnyOutput::default();
            let (usage, elapsed) = (Usage::default(), Duration::ZERO);
            RunEvent::ItemDone { task: "each".into(), item, output, usage, elapsed }
        };
        let told: Vec<String> = (0..100).filter_map(|item| tell(done(item))).collect();
        assert_eq!(told.len(), 10, "{told:?}");
        assert_eq!(told.last().map(String::as_str), Some("r each: 100 of 100 items done"));
    }
}
