//! A model builds a data source field by field: it decides what is missing, and defines it.

use cot_core::{model::ScriptedModel, prelude::*};

/// A field of a data source.
#[derive(Debug, Clone, serde::Serialize, serde::Deserialize, schemars::JsonSchema, CotOutput)]
pub struct Field {
    #[schemars(regex(pattern = "^[a-z][A-Za-z0-9]*$"))]
    name: String,
    kind: String,
}

cot_process! {
    process DsBuilder {
        state: { fields: Vec<Field> = Vec::new() },
        goal: "Search orders by a range of dates",
        intro: "You build a data source. Its fields so far: ${json(state.fields)}",
        default_return: decide,

        task decide {
            transitions: {
                add_field: "Add a field" if state.fields.len() < 12,
                done: "The data source serves the goal",
            },
        }

        task add_field -> Field { prompt: "Define one field.", update: fields[] }
        task done { end }
    }
}

#[tokio::main]
async fn main() -> Result<(), RunError> {
    let model = ScriptedModel::new([
        r#"{ "intent": "the first day", "goTo": "add_field", "stepAfter": "the last day" }"#,
        r#"{ "name": "First Day", "kind": "date" }"#,
        r#"{ "name": "orderedFrom", "kind": "date" }"#,
        r#"{ "intent": "a day is enough", "goTo": "done", "stepAfter": "none" }"#,
    ]);
    let runner = DsBuilder::runner().model(model).observe(|event, _| println!("{event}"));
    runner.run(DsBuilderState::default()).await.map(drop)
}
