//! The work of [`builder`](crate::builder) as a loop without the library: the same prompts, byte by byte.

use std::{collections::VecDeque, io::Write};

use cot_core::prelude::*;
use serde::{Deserialize, Serialize};

use crate::builder::{BuilderState, Created, FIELDS, FieldDef, SHOWN, newest, no_duplicate_name};

/// The system message of each request.
pub const SYSTEM: &str = "Do exactly what this step asks.";

const GOAL: &str = "\
The goal of the whole process:\nAdd the fields needed for a date-range order search\n\n";

const HISTORY: &str = "\
What has been done so far, as JSON, the latest last. An entry with \"output\" is a result that was \
accepted. An entry with \"goTo\" is a choice that was made: \"intent\" says what it was for, and \
\"stepAfter\" what was planned to come next. Go on from there, and don't repeat what is done:\n";

const CHOICE: &str = "\
Choose one of the tasks to do next.\n\n\
Reply with one JSON object of this type, and nothing else:\n\
{\n\
\x20 \"goTo\": string, // The name of the task.\n\
\x20 \"intent\": string, // What you mean to achieve, in a sentence.\n\
\x20 \"stepAfter\": string // What you mean to do after that task.\n\
}\n\n";

const FIELD: &str = "\
Generate one field definition.\n\
Its name is in camelCase and not taken, its title is shown above it.\n\n\
Reply with one JSON value of this type, and nothing else:\n";

/// What a prompt is assembled from, and how.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Layout {
    /// As the library does: the stable texts first, and a history that is cut in blocks.
    StableFirst,
    /// As is usual without a thought for caches: the state first, and a history that drops its oldest entry
    /// at each step.
    StateFirst,
}

/// Formats the history of a prompt.
#[derive(Serialize)]
#[serde(untagged, rename_all_fields = "camelCase")]
enum Entry {
    Choice { task: &'static str, go_to: Target, intent: String, step_after: String },
    Output { task: &'static str, output: FieldDef },
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Choice {
    intent: String,
    go_to: Target,
    step_after: String,
}

#[derive(Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Target {
    AddField,
    Done,
}

/// Does the work, and passes each prompt to a function. Returns the state.
///
/// # Panics
///
/// If a reply is not valid, or there are too few.
pub fn by_hand(replies: &[String], layout: Layout, mut ask: impl FnMut(&str)) -> BuilderState {
    let mut replies = replies.iter();
    let mut state = BuilderState::default();
    let mut history = History { entries: VecDeque::new(), layout };
    let mut ask = |prompt: &str| {
        ask(prompt);
        replies.next().expect("a reply for each call").clone()
    };
    loop {
        let reply = ask(&history.decide_prompt(&state));
        let choice: Choice = serde_json::from_str(&reply).expect("a choice");
        let Choice { intent, go_to, step_after } = choice;
        history.remember(Entry::Choice { task: "decide", go_to, intent, step_after });
        if go_to == Target::Done {
            return state;
        }
        let reply = ask(&history.field_prompt(&state));
        let field: FieldDef = serde_json::from_str(&reply).expect("a field");
        assert!(is_name(&field.name) && no_duplicate_name(&field, &state).is_ok());
        history.remember(Entry::Output { task: "add_field", output: field.clone() });
        state.last_created =
            Some(Created { from_task: "add_field".to_owned(), name: field.name.clone() });
        state.current_ds.fields.push(field);
    }
}

fn is_name(name: &str) -> bool {
    name.len() <= 40
        && name.starts_with(|first: char| first.is_ascii_lowercase())
        && name.chars().all(|char| char.is_ascii_alphanumeric())
}

struct History {
    entries: VecDeque<Entry>,
    layout: Layout,
}

impl History {
    fn remember(&mut self, entry: Entry) {
        if self.entries.len() == SHOWN {
            let dropped = if self.layout == Layout::StableFirst { SHOWN / 2 + 1 } else { 1 };
            self.entries.drain(..dropped);
        }
        self.entries.push_back(entry);
    }

    fn decide_prompt(&self, state: &BuilderState) -> String {
        self.prompt(state, CHOICE, |prompt| {
            prompt.extend_from_slice(b"\n\nThe tasks:\n");
            if state.current_ds.fields.len() < FIELDS {
                prompt.extend_from_slice(b"- \"add_field\": Add one more field\n");
            }
            prompt.extend_from_slice(b"- \"done\": The data source serves the goal");
        })
    }

    fn field_prompt(&self, state: &BuilderState) -> String {
        let schema = FieldDef::output_schema().notation();
        self.prompt(state, &format!("{FIELD}{schema}\n\n"), |_| {})
    }

    fn prompt(
        &self,
        state: &BuilderState,
        instructions: &str,
        end: impl Fn(&mut Vec<u8>),
    ) -> String {
        let mut prompt = Vec::with_capacity(8192);
        if self.layout == Layout::StateFirst {
            write_state(&mut prompt, state);
            prompt.extend_from_slice(b"\n\n");
        }
        prompt.extend_from_slice(GOAL.as_bytes());
        if self.layout == Layout::StableFirst {
            prompt.extend_from_slice(instructions.as_bytes());
        }
        if !self.entries.is_empty() {
            prompt.extend_from_slice(HISTORY.as_bytes());
            serde_json::to_writer(&mut prompt, &self.entries).expect("JSON");
            prompt.extend_from_slice(b"\n\n");
        }
        match self.layout {
            Layout::StableFirst => write_state(&mut prompt, state),
            Layout::StateFirst => prompt.extend_from_slice(instructions.trim_end().as_bytes()),
        }
        end(&mut prompt);
        String::from_utf8(prompt).expect("text")
    }
}

fn write_state(prompt: &mut Vec<u8>, state: &BuilderState) {
    let _ = prompt.write_all(b"A data source is built. Newest fields:\n");
    serde_json::to_writer(prompt, newest(&state.current_ds.fields)).expect("JSON");
}
