//! Tasks that a run is at.

use std::collections::{BTreeMap, VecDeque};

use cot_model::Usage;

/// The tasks of a process that are under way, in the order of their starts: one, or one for each branch besides
/// the parallel task itself.
#[derive(Debug, Default)]
pub(crate) struct Level {
    pub(crate) places: Vec<Place>,
}

/// A task that is under way.
#[derive(Debug, Default)]
pub(crate) struct Place {
    pub(crate) task: String,
    /// The number of the attempt; zero before the first.
    pub(crate) attempt: u32,
    /// The number of failed attempts, those of items included.
    pub(crate) failed: u32,
    /// Why the last attempt failed.
    pub(crate) issue: String,
    /// What the task does, if it does not receive text.
    pub(crate) doing: String,
    /// The end of the text that is being received.
    pub(crate) received: Received,
    /// The tool calls without a result, by number.
    pub(crate) tools: BTreeMap<u32, String>,
    pub(crate) items: Option<Items>,
    /// Whether the task has branches.
    pub(crate) is_parallel: bool,
    /// The sub-processes, by item.
    pub(crate) children: BTreeMap<Option<usize>, Child>,
    /// The usage that is counted already and that the result of the task will contain.
    pub(crate) counted: Usage,
}

/// The items of a for-each task.
#[derive(Debug, Default)]
pub(crate) struct Items {
    /// The number of items; zero if it is not known.
    pub(crate) total: usize,
    pub(crate) done: usize,
    pub(crate) failed: usize,
}

/// A sub-process.
#[derive(Debug, Default)]
pub(crate) struct Child {
    pub(crate) process: String,
    pub(crate) level: Level,
    /// The usage that is counted already and that the result of the item will contain.
    pub(crate) counted: Usage,
}

/// The end of a text that is being received.
#[derive(Debug, Default)]
pub(crate) struct Received {
    end: VecDeque<char>,
    pub(crate) is_thought: bool,
}

impl Received {
    /// Adds a chunk. The text starts again if it changes between thoughts and reply.
    pub(crate) fn push(&mut self, chunk: &str, is_thought: bool) {
        if self.is_thought != is_thought {
            self.clear();
            self.is_thought = is_thought;
        }
        const KEPT: usize = 400;
        let skipped = chunk.char_indices().rev().nth(KEPT).map_or(0, |(start, _)| start);
        self.end.extend(chunk.get(skipped..).unwrap_or_default().chars());
        self.end.drain(..self.end.len().saturating_sub(KEPT));
    }

    pub(crate) fn clear(&mut self) {
        self.end.clear();
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.end.is_empty()
    }

    pub(crate) fn text(&self) -> String {
        self.end.iter().collect()
    }
}

impl Level {
    /// Starts a task. One that was under way under this name is replaced.
    pub(crate) fn start(&mut self, task: String) -> &mut Place {
        self.places.retain(|place| place.task != task);
        self.add(task)
    }

    /// Returns the place of a task, which is added if the display has not seen its start.
    pub(crate) fn place(&mut self, task: String) -> &mut Place {
        match self.places.iter().position(|place| place.task == task) {
            Some(index) => &mut self.places[index],
            None => self.add(task),
        }
    }

    fn add(&mut self, task: String) -> &mut Place {
        self.places.push(Place { task, ..Place::default() });
        let last = self.places.len() - 1;
        &mut self.places[last]
    }

    /// Ends a task, and with a parallel task its branches, which started after it.
    pub(crate) fn finish(&mut self, task: &str) {
        if let Some(index) = self.places.iter().position(|place| place.task == task) {
            if self.places[index].is_parallel {
                self.places.truncate(index);
            } else {
                self.places.remove(index);
            }
        }
    }
}

impl Place {
    /// Counts usage of which a part is counted already. Returns the other part.
    pub(crate) fn settle(&mut self, item: Option<usize>, usage: &Usage) -> Usage {
        let new = match item {
            None => usage.since(&std::mem::take(&mut self.counted)),
            Some(_) => {
                let counted = self.children.remove(&item).map(|child| child.counted);
                let new = usage.since(&counted.unwrap_or_default());
                self.counted += new;
                new
            }
        };
        self.received.clear();
        self.doing.clear();
        new
    }
}
