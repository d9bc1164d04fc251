//! How events change what is shown.

use std::fmt::Display;

use cot_engine::{Attempt, RunEvent};
use cot_model::Usage;

use crate::{
    text::{self, clean},
    view::place::{Items, Level, Place},
};

impl Level {
    /// Applies an event of the process. Returns the usage that it adds.
    pub(crate) fn apply<T: Display, O>(&mut self, event: &RunEvent<T, O>) -> Usage {
        match event {
            RunEvent::TaskStarted { task, .. } => {
                self.start(clean(&task.to_string()));
            }
            RunEvent::TaskFinished { task, .. } => self.finish(&clean(&task.to_string())),
            RunEvent::BranchEnded { task, .. } => self.at(task).is_parallel = true,
            RunEvent::Committed { task, usage, .. }
            | RunEvent::Transitioned { task, usage, .. } => {
                return self.at(task).settle(None, usage);
            }
            RunEvent::AttemptFailed { task, attempt, .. } => return self.at(task).fail(attempt),
            RunEvent::Asked { task, question } => {
                let question = clean(&question.text);
                self.at(task).doing = format!("waits for a person: {question}");
            }
            RunEvent::Waiting { task, duration } => {
                self.at(task).doing = format!("waits {}", text::duration(*duration));
            }
            RunEvent::ToolCalled { task, call, tool, arguments } => {
                let call_text = format!("{} {}", clean(tool), clean(arguments));
                self.at(task).tools.insert(*call, call_text);
            }
            RunEvent::ToolReturned { task, call, .. } => {
                self.at(task).tools.remove(call);
            }
            RunEvent::Nested { task, item, process, event, .. } => {
                return self.at(task).apply_nested(*item, process, event);
            }
            RunEvent::Finished { .. } | RunEvent::Detached => self.places.clear(),
            _ => self.apply_call(event),
        }
        match event {
            RunEvent::ItemDone { task, item, usage, .. } => {
                self.at(task).settle(Some(*item), usage)
            }
            _ => Usage::default(),
        }
    }

    /// Applies an event of a call that is under way, or of an item.
    fn apply_call<T: Display, O>(&mut self, event: &RunEvent<T, O>) {
        match event {
            RunEvent::Prompt { task, item, attempt, .. } => {
                let place = self.at(task);
                place.attempt = if item.is_none() { *attempt } else { place.attempt.max(1) };
                "asks the model".clone_into(&mut place.doing);
                place.received.clear();
            }
            RunEvent::RateLimited { task, wait, .. } => {
                let wait = text::duration(*wait);
                self.at(task).doing = format!("waits {wait} for the rate limit");
            }
            RunEvent::Delta { task, text: Some(chunk), .. } => {
                self.at(task).received.push(chunk, false);
            }
            RunEvent::Delta { task, text: None, .. } => self.at(task).received.clear(),
            RunEvent::Thought { task, text: chunk, .. } => self.at(task).received.push(chunk, true),
            RunEvent::ItemsStarted { task, items } => {
                self.at(task).items = Some(Items { total: *items, ..Items::default() });
            }
            RunEvent::ItemDone { task, .. } => {
                self.at(task).items.get_or_insert_default().done += 1;
            }
            RunEvent::ItemFailed { task, item, .. } => {
                let place = self.at(task);
                place.items.get_or_insert_default().failed += 1;
                place.children.remove(&Some(*item));
            }
            _ => {}
        }
    }

    fn at(&mut self, task: &impl Display) -> &mut Place {
        self.place(clean(&task.to_string()))
    }
}

impl Place {
    /// Applies a failed attempt. Returns the usage that it adds.
    fn fail(&mut self, attempt: &Attempt) -> Usage {
        self.failed += 1;
        self.issue = clean(&attempt.issues.to_string());
        let new = self.settle(attempt.item, &attempt.usage);
        if attempt.item.is_none() {
            self.children.clear();
            self.tools.clear();
        }
        new
    }

    /// Applies an event of a sub-process. Returns the usage that it adds.
    fn apply_nested(&mut self, item: Option<usize>, process: &str, event: &RunEvent) -> Usage {
        let child = self.children.entry(item).or_default();
        if child.process.is_empty() {
            child.process = clean(process);
        }
        let new = child.level.apply(event);
        child.counted += new;
        self.counted += new;
        new
    }
}
