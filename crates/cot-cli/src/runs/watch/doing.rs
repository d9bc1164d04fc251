//! What a run is doing, from the last entries of its journal.

use cot_engine::RunEvent;
use cot_store::{Draft, Record, RunSummary, Status, Store, StoreError};
use serde::Serialize;

use super::super::words::{count, excerpt, time};

/// The number of entries that are read of a run that was not watched before.
const FIRST_ENTRIES: u64 = 200;
/// The number of entries that are read at a time.
const PAGE: usize = 200;

/// What a run is doing since its current task started.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub(super) struct Doing {
    /// The number of failed attempts, those of items and sub-processes included.
    failed_attempts: u32,
    /// The number of items that are done, in a for-each task.
    #[serde(skip_serializing_if = "is_zero")]
    items_done: u64,
    /// The tool that was called last and has not returned.
    #[serde(skip_serializing_if = "Option::is_none")]
    tool: Option<String>,
    /// Why entries can't be read.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
    #[serde(skip)]
    next: u64,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
const fn is_zero(number: &u64) -> bool {
    *number == 0
}

impl Doing {
    pub(super) fn new(run: &RunSummary) -> Self {
        Self { next: run.entries.saturating_sub(FIRST_ENTRIES), ..Self::default() }
    }

    /// Reads the entries since the last time. An entry that can't be read ends this for good.
    pub(super) async fn read(
        &mut self,
        store: &dyn Store,
        run: &RunSummary,
    ) -> Result<(), StoreError> {
        while self.next < run.entries && self.error.is_none() {
            match store.entries(&run.run, self.next, PAGE).await {
                Ok(entries) if entries.is_empty() => break,
                Ok(entries) => {
                    for entry in entries {
                        self.next = entry.number + 1;
                        self.apply(&entry.record);
                    }
                }
                Err(error @ StoreError::Corrupt { .. }) => self.error = Some(error.to_string()),
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    fn apply(&mut self, record: &Record) {
        if let Record::Step(step) = record {
            step.notes.iter().for_each(|note| self.note(note, true));
        }
    }

    fn note(&mut self, note: &RunEvent, is_outer: bool) {
        match note {
            RunEvent::TaskStarted { .. } if is_outer => {
                (self.failed_attempts, self.items_done, self.tool) = (0, 0, None);
            }
            RunEvent::AttemptFailed { .. } => self.failed_attempts += 1,
            RunEvent::ItemDone { .. } | RunEvent::ItemFailed { .. } if is_outer => {
                self.items_done += 1;
            }
            RunEvent::ToolCalled { tool, .. } => self.tool = Some(tool.clone()),
            RunEvent::ToolReturned { .. } => self.tool = None,
            RunEvent::Nested { event, .. } => self.note(event, false),
            _ => {}
        }
    }

    /// Formats what a run does or waits for.
    pub(super) fn describe(&self, run: &RunSummary, drafts: &[Draft]) -> String {
        let mut parts = Vec::new();
        if let Some(request) = &run.cancel_requested {
            parts.push(format!("is to be cancelled: {}", excerpt(&request.reason)));
        }
        if let Some(aside) = &run.set_aside {
            parts.push(excerpt(&aside.why));
        }
        match &run.status {
            Status::Asking { question, until, .. } => {
                let until = until.map(|until| format!(" until {}", time(until)));
                parts.push(format!("asks{}: {}", until.unwrap_or_default(), excerpt(question)));
            }
            Status::Sleeping { until, .. } => parts.push(format!("until {}", time(*until))),
            Status::Ended { why, .. } if !why.is_empty() => parts.push(excerpt(why)),
            Status::Running { .. } => self.describe_calls(drafts, &mut parts),
            _ => {}
        }
        if let Some(error) = &self.error {
            parts.push(excerpt(error));
        }
        parts.join("; ")
    }

    fn describe_calls(&self, drafts: &[Draft], parts: &mut Vec<String>) {
        if self.failed_attempts > 0 {
            let failed = u64::from(self.failed_attempts);
            parts.push(count(failed, "failed attempt", "failed attempts"));
        }
        if self.items_done > 0 {
            parts.push(count(self.items_done, "item done", "items done"));
        }
        if let Some(tool) = &self.tool {
            parts.push(format!("calls {}", excerpt(tool)));
        }
        if let Some(Draft { text, thought, .. }) = drafts.last() {
            let text = if text.is_empty() { thought } else { text };
            let start = text.char_indices().rev().nth(SHOWN_TEXT).map_or(0, |(start, _)| start);
            parts.push(format!("…{}", excerpt(text.get(start..).unwrap_or_default())));
        }
    }
}

/// The number of characters that are shown of a text that is being received.
const SHOWN_TEXT: usize = 60;
