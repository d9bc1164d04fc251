//! The processes of these tests: one with many features, and several with one difference each.

use cot_core::{CotOutput, History, Machine, prelude::*};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub(crate) type LabMachine = Machine<Lab>;

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct State {
    pub(crate) fields: Vec<Field>,
    pub(crate) note: Option<String>,
    pub(crate) weight: f64,
    pub(crate) history: History,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, CotOutput)]
pub(crate) struct Field {
    #[schemars(length(min = 1, max = 20))]
    pub(crate) name: String,
    #[serde(default)]
    pub(crate) weight: f64,
}

fn is_new(field: &Field, state: &State) -> Result<(), Issues> {
    match state.fields.iter().any(|other| other.name == field.name) {
        true => Err(Issues::at("name", "is taken")),
        false => Ok(()),
    }
}

fn weigh(field: &Field, state: &mut State) -> Result<(), Issues> {
    state.weight += field.weight;
    match field.name.as_str() {
        "refused" => Err(Issues::at("name", "was refused while committing")),
        _ => Ok(()),
    }
}

cot_process! {
    pub(crate) process Lab {
        state: State,
        intro: "Fields: ${json(state.fields)}",
        primers: {
            goal: "GOAL",
            history: "HISTORY",
            errors: "ERRORS",
            transitions: "CHOICES",
            output: "OUTPUT",
        },
        history: { max_items: 3, state_max_items: 1 },

        task decide {
            transitions: { add: "One more", review if state.fields.len() < 2, done },
        }

        task add -> Field {
            description: "words on it",
            prompt: "Generate a field.\n",
            check: is_new,
            update: { fields[] = output },
            process_output: weigh,
        }

        task review -> Field {
            description: "words on it",
            max_retries: 0,
            errors_primer: "REVIEW ERRORS",
            check: is_new,
            update: { fields[] = output },
            transitions: { add },
            next: { done if output.name == "stop", gate if state.fields.len() > 3, decide },
        }

        task gate { next: { failed if state.note.is_some(), decide } }
        task done { description: "words on it", end }
        task failed { fail: "note ${json(state.note)}" }
    }
}

cot_process! {
    /// Has a goal and no history.
    pub(crate) process Goal {
        state: State,
        goal: "Serve everybody",
        intro: "Fields: ${json(state.fields)}",
        primers: { goal: "GOAL", errors: "ERRORS", transitions: "CHOICES" },
        history: none,
        task decide { transitions: { add: "One more", done } }
        task add -> Field { prompt: "Generate a field.", update: fields[] }
        task done { description: "words on it", end }
    }
}

cot_process! {
    /// Requires a goal and has none.
    pub(crate) process UsesGoal {
        state: State,
        primers: { goal: "GOAL" },
        task ask -> Field { prompt: "Serve ${goal.len()}", update: fields[], may_end }
    }
}

fn whole(scope: &Scope<'_, Full>) -> String {
    format!("{} of {}", scope.task.title, scope.process.name)
}

cot_process! {
    /// Writes full prompts. One of them can fail.
    pub(crate) process Full {
        state: State,
        system: "Be brief.",
        task add -> Field { full_prompt: whole, update: fields[], next: broken }

        task broken -> Field {
            full_prompt: "${json(by_pair(&state.note))}",
            update: fields[],
            may_end,
        }
    }
}

/// JSON does not support such keys.
fn by_pair(note: &Option<String>) -> std::collections::BTreeMap<(u8, u8), u8> {
    note.iter().map(|_| ((1, 2), 3)).collect()
}

cot_process! {
    /// Has a short timeout.
    pub(crate) process Hurried {
        state: State,
        task decide { timeout: 3s, transitions: { decide, done } }
        task done { end }
    }
}
