//! A process that builds a data source until its model ends it, and a model that replies at once.

use std::{
    future::{pending, ready},
    sync::atomic::{AtomicUsize, Ordering},
};

use cot_core::{
    model::{BoxFuture, ModelError, ModelReply, ModelRequest},
    prelude::*,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tokio::sync::Notify;

/// How many fields the data source keeps.
const KEPT: usize = 50;
/// How many fields, and how many history entries, a prompt shows.
pub(crate) const SHOWN: usize = 20;

/// A field of a data source.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, CotOutput)]
pub(crate) struct FieldDef {
    /// Name in camelCase.
    #[schemars(regex(pattern = r"^[a-z][A-Za-z0-9]*$"), length(max = 40))]
    pub(crate) name: String,
    /// What people read above the field.
    pub(crate) title: Option<String>,
    /// What the field holds.
    pub(crate) kind: FieldKind,
}

/// What a field holds.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum FieldKind {
    /// Any text.
    Text,
    /// A whole number.
    Integer,
    /// A day.
    Date,
}

/// A table and its fields.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct DataSource {
    /// What a row has.
    pub(crate) fields: Vec<FieldDef>,
}

/// The field that was added last, and by which task.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Created {
    /// The task that added it.
    pub(crate) from_task: String,
    /// The name of the field.
    pub(crate) name: String,
}

/// What the tasks share.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct BuilderState {
    /// The data source as built so far.
    pub(crate) current_ds: DataSource,
    /// The newest field.
    pub(crate) last_created: Option<Created>,
}

pub(crate) fn newest(fields: &[FieldDef]) -> &[FieldDef] {
    &fields[fields.len().saturating_sub(SHOWN)..]
}

pub(crate) fn no_duplicate_name(field: &FieldDef, state: &BuilderState) -> Result<(), Issues> {
    match state.current_ds.fields.iter().find(|other| other.name == field.name) {
        Some(other) => Err(Issues::at("name", format!("`{}` is taken", other.name))),
        None => Ok(()),
    }
}

pub(crate) fn drop_oldest(_field: &FieldDef, state: &mut BuilderState) {
    let fields = &mut state.current_ds.fields;
    let surplus = fields.len().saturating_sub(KEPT);
    fields.drain(..surplus);
}

cot_process! {
    /// Adds fields to a data source, one at a time.
    pub(crate) process DsBuilder {
        state: BuilderState,
        max_steps: 1000000,
        goal: "Add the fields needed for a date-range order search",
        intro: "A data source is built. Newest fields:\n${json(newest(&state.current_ds.fields))}",
        prompts: {
            field_rules: "Its name is in camelCase and not taken, its title is shown above it.",
        },
        max_retries: 2,
        history: { max_items: 20 },
        start: decide,
        default_return: decide,

        task decide {
            title: "Decide what to do next",
            transitions: {
                add_field: "Add one more field",
                done: "The data source serves the goal",
            },
        }

        task add_field -> FieldDef {
            title: "Add a field",
            prompt: "Generate one field definition.\n${part(field_rules)}",
            check: no_duplicate_name,
            update: {
                current_ds.fields[] = output,
                last_created = Some(Created { from_task: "add_field".into(), name: output.name }),
            },
            process_output: drop_oldest,
        }

        task done { end }
    }
}

/// The replies of the model: a choice and a field in turn, and finally a choice to end, if it ends.
pub(crate) fn replies(steps: usize, ends: bool) -> Vec<String> {
    let reply = |call: usize| {
        let field = call / 2;
        if call.is_multiple_of(2) {
            choice("add_field", &format!("add what search {field} needs"), "see what is missing")
        } else {
            let kind = ["text", "integer", "date"][field % 3];
            format!(
                r#"{{"name":"orderField{field}","title":"Field {field} of an order","kind":"{kind}"}}"#
            )
        }
    };
    let end = ends.then(|| choice("done", "end here, as every order can be found", "nothing"));
    (0..steps).map(reply).chain(end).collect()
}

fn choice(go_to: &str, intent: &str, step_after: &str) -> String {
    format!(r#"{{"intent":"{intent}","goTo":"{go_to}","stepAfter":"{step_after}"}}"#)
}

/// A model that replies at once with prepared replies in turn, and then never again.
pub(crate) struct Prepared {
    replies: Vec<String>,
    calls: AtomicUsize,
    /// Notified when no reply is left.
    pub(crate) silent: std::sync::Arc<Notify>,
}

impl Prepared {
    pub(crate) fn new(replies: Vec<String>) -> Self {
        Self { replies, calls: AtomicUsize::new(0), silent: std::sync::Arc::default() }
    }
}

impl LanguageModel for Prepared {
    fn reply<'a>(
        &'a self,
        _request: &'a ModelRequest,
    ) -> BoxFuture<'a, Result<ModelReply, ModelError>> {
        match self.replies.get(self.calls.fetch_add(1, Ordering::Relaxed)) {
            Some(reply) => Box::pin(ready(Ok(ModelReply::new(reply.as_str())))),
            None => {
                self.silent.notify_one();
                Box::pin(pending())
            }
        }
    }
}
