//! Builds a data source, field by field: a model decides what is missing and defines it.
//!
//! `cargo run -p cot-examples --example data_source` uses a scripted model, unless the environment names a real one.

use std::error::Error;

use cot_core::{
    model::{OpenAiCompatible, ScriptedModel},
    prelude::*,
    progress::Progress,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

/// A field of a data source.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
pub struct FieldDef {
    /// Name in camelCase.
    #[schemars(regex(pattern = r"^[a-z][A-Za-z0-9]*$"), length(max = 40))]
    pub name: String,
    /// What people read above the field.
    pub title: Option<String>,
    /// What the field holds.
    pub kind: FieldKind,
}

/// What a field holds.
#[derive(Debug, Clone, Copy, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum FieldKind {
    /// Any text.
    Text,
    /// A whole number.
    Integer,
    /// A number with a fraction.
    Decimal,
    /// Yes or no.
    Boolean,
    /// A day.
    Date,
}

/// A table and its fields.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct DataSource {
    /// Its name.
    pub id: String,
    /// What a row has.
    pub fields: Vec<FieldDef>,
}

/// The field that was added last, and by which task.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Created {
    /// The task that added it.
    pub from_task: String,
    /// The name of the field.
    pub name: String,
}

/// What the tasks share.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct BuilderState {
    /// The data source as built so far.
    pub current_ds: DataSource,
    /// The newest field.
    pub last_created: Option<Created>,
}

cot_process! {
    /// Adds fields to a data source, one at a time, until it serves the goal.
    pub process DsBuilder {
        state: BuilderState,
        goal: "Add the fields needed for a date-range order search",
        intro: "You assist in building a data source. Its definition so far:\n${json(state.current_ds)}",
        prompts: {
            field_rules: "Rules for a field:
                - Its name is in camelCase and not taken by a field that exists.
                - Its title is what a person reads above the input, and may be left out.
                - Taken so far: ${json(state.current_ds.fields.iter().map(|field| &field.name).collect::<Vec<_>>())}.",
        },
        max_retries: 2,
        history: { max_items: 20 },
        max_steps: 60,
        max_repeats: 3,
        start: decide,
        default_return: decide,

        task decide {
            title: "Decide what to do next",
            transitions: {
                add_field: "Add one more field" if state.current_ds.fields.len() < 12,
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
        }

        task done { end }
    }
}

fn no_duplicate_name(field: &FieldDef, state: &BuilderState) -> Result<(), Issues> {
    match state.current_ds.fields.iter().find(|other| other.name == field.name) {
        Some(other) => Err(Issues::at("name", format!("`{}` is taken", other.name))),
        None => Ok(()),
    }
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let runner = Progress::stderr().attach(DsBuilder::runner().model(model()?));
    let run = runner.run(orders()).await?;
    println!("{}", serde_json::to_string_pretty(&run.state)?);
    println!("{} calls, {} tokens", run.usage.calls, run.usage.total_tokens());
    Ok(())
}

/// A data source of two fields.
pub fn orders() -> BuilderState {
    let field = |name: &str, title: &str, kind| FieldDef {
        name: name.to_owned(),
        title: Some(title.to_owned()),
        kind,
    };
    let fields = vec![
        field("orderId", "Order", FieldKind::Integer),
        field("customerName", "Customer", FieldKind::Text),
    ];
    let current_ds = DataSource { id: "orders".to_owned(), fields };
    BuilderState { current_ds, last_created: None }
}

/// The model of a server, if the environment names one. Otherwise replies that are written here.
fn model() -> Result<Box<dyn LanguageModel>, Box<dyn Error>> {
    Ok(match OpenAiCompatible::from_env() {
        Some(server) => Box::new(server.build()?),
        None => Box::new(script()),
    })
}

/// The first field breaks a rule, to show how a task asks again.
fn script() -> ScriptedModel {
    let go = |go_to: &str, intent: &str, step_after: &str| json!({ "intent": intent, "goTo": go_to, "stepAfter": step_after });
    ScriptedModel::new([
        go("add_field", "add the first day of the range", "add the last day"),
        json!({ "name": "First Day", "title": "From", "kind": "date" }),
        json!({ "name": "orderedFrom", "title": "From", "kind": "date" }),
        go("add_field", "add the last day of the range", "finish"),
        json!({ "name": "orderedUntil", "title": "Until", "kind": "date" }),
        go("done", "the range can be searched", "nothing"),
    ])
}
