//! A run that is under way.

use std::{fmt::Display, time::SystemTime};

use cot_engine::{Ending, RunEvent};
use cot_model::Usage;

use crate::{
    text::{self, clean},
    view::place::Level,
};

/// A run that is under way.
#[derive(Debug)]
pub(crate) struct RunView {
    /// The name of the run and that of its process, as they are shown.
    pub(crate) name: String,
    pub(crate) level: Level,
    pub(crate) steps: u64,
    pub(crate) usage: Usage,
    pub(crate) repairs: usize,
    pub(crate) is_paused: bool,
    /// When the display saw the first event.
    began: SystemTime,
}

impl RunView {
    pub(crate) fn new(name: String, began: SystemTime) -> Self {
        Self {
            name,
            level: Level::default(),
            steps: 0,
            usage: Usage::default(),
            repairs: 0,
            is_paused: false,
            began,
        }
    }

    pub(crate) fn apply<T: Display, O>(&mut self, event: &RunEvent<T, O>) {
        self.is_paused = matches!(event, RunEvent::Paused);
        self.usage += self.level.apply(event);
        self.count(event);
        if let RunEvent::TaskStarted { step, .. } = event {
            self.steps = *step;
        }
        if let RunEvent::Finished { usage, .. } = event {
            self.usage = *usage;
        }
    }

    fn count<T, O>(&mut self, event: &RunEvent<T, O>) {
        match event {
            RunEvent::Repaired { repairs, .. } => self.repairs += repairs.len(),
            RunEvent::Nested { event, .. } => self.count(event),
            _ => {}
        }
    }

    /// Returns the totals of the run so far.
    pub(crate) fn totals(&self) -> String {
        let mut text = format!("step {}", self.steps);
        let usage = text::usage(&self.usage);
        if !usage.is_empty() {
            text.push_str(", ");
            text.push_str(&usage);
        }
        if self.repairs > 0 {
            text.push_str(", ");
            text.push_str(&text::count(self.repairs as u64, "repair", "repairs"));
        }
        text
    }

    /// Returns the line of a run that is over.
    pub(crate) fn ended<T: Display>(&self, ending: &Ending<T>, at: SystemTime) -> String {
        let mark = if ending.why().is_none() { '✓' } else { '✗' };
        let elapsed = at.duration_since(self.began).unwrap_or_default();
        let (name, how, elapsed) = (&self.name, how(ending), text::duration(elapsed));
        format!("{mark} {name} {how} ({}, {elapsed})", self.totals())
    }

    /// Returns the line of a run that is not driven any more.
    pub(crate) fn detached(&self) -> String {
        match self.level.places.last() {
            Some(place) if place.doing.is_empty() => {
                format!("- {} left at {} ({})", self.name, place.task, self.totals())
            }
            Some(place) => {
                format!(
                    "- {} left at {}: {} ({})",
                    self.name,
                    place.task,
                    place.doing,
                    self.totals()
                )
            }
            None => format!("- {} left ({})", self.name, self.totals()),
        }
    }
}

/// Returns how a run ended, in words.
pub(crate) fn how<T: Display>(ending: &Ending<T>) -> String {
    let text = match ending {
        Ending::End(task) => format!("ended at {task}"),
        Ending::RanOut(task) => format!("ended after {task}"),
        Ending::Fail(task, why) => format!("failed at {task}: {why}"),
        Ending::Halted(halt) => format!("halted: {halt}"),
    };
    clean(&text)
}
