//! An output with a field that marks a transition is refused before the first call, where the derive
//! can't see the field.

use std::collections::BTreeMap;

use cot_core::{Models, RunError, StartError, model::ScriptedModel, prelude::*};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
pub(crate) struct Plan {
    intent: String,
}

#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema, CotOutput)]
pub(crate) struct Flattened {
    title: String,
    #[serde(flatten)]
    plan: Plan,
}

#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema, CotOutput)]
#[serde(transparent)]
pub(crate) struct Transparent {
    plan: Plan,
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
#[serde(untagged)]
pub(crate) enum Untagged {
    Planned(Plan),
    Named { name: String },
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
#[serde(tag = "kind")]
pub(crate) enum Tagged {
    Planned(Plan),
    Nothing,
}

/// What is inside of a field of its own may have any name, and so may a key that no schema has.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema, CotOutput)]
pub(crate) struct Fine {
    plan: Plan,
    plans: Vec<Plan>,
    #[serde(flatten)]
    more: BTreeMap<String, String>,
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct Shelf {
    titles: Vec<String>,
}

cot_process! {
    pub(crate) process Inner {
        state: Shelf,
        task flatten -> Flattened { update: { titles[] = output.title }, next: end }
        task end { end }
    }
}

cot_process! {
    pub(crate) process Outer {
        state: Shelf,
        task open -> Transparent { update: { titles[] = output.plan.intent }, next: either }
        task either -> Untagged { update: { titles[] = format!("{output:?}") }, next: one }
        task one -> Tagged { update: { titles[] = format!("{output:?}") }, next: each }

        task each -> Flattened {
            for_each: title in &state.titles,
            prompt: "${title}",
            update: { titles[] = output[0].title.clone() },
            next: inner,
        }

        task inner { process: Inner with Shelf::default(), next: fine }
        task fine -> Fine { update: { titles[] = output.plan.intent }, next: end }
        task end { end }
    }
}

cot_process! {
    pub(crate) process Right {
        state: Shelf,
        task fine -> Fine { update: { titles[] = output.plan.intent }, next: end }
        task end { end }
    }
}

cot_process! {
    pub(crate) process Around {
        state: Shelf,
        task inner { process: Inner with state.clone(), next: end }
        task end { end }
    }
}

#[test]
fn a_preflight_finds_each_field_and_its_place() {
    let models = Models::new().model(ScriptedModel::new([] as [&str; 0]));
    let error = Outer::preflight(&models).unwrap_err();
    let found = error.reserved.iter().map(|it| (it.process, it.task, it.field, &*it.place));
    let expected = [
        ("Outer", "open", "intent", "#/properties/intent"),
        ("Outer", "either", "intent", "#/$defs/Plan/properties/intent"),
        ("Outer", "one", "intent", "#/$defs/Plan/properties/intent"),
        ("Outer", "each", "intent", "#/properties/intent"),
        ("Inner", "flatten", "intent", "#/properties/intent"),
    ];
    assert_eq!(found.collect::<Vec<_>>(), expected);
    assert!(Right::preflight(&models).is_ok());
}

#[tokio::test]
async fn a_run_is_refused_before_the_first_call() {
    let model = ScriptedModel::new([r#"{"title":"a","intent":"b"}"#]);
    let error = Around::runner().model(model).run(Shelf::default()).await.unwrap_err();
    assert!(
        matches!(&error, RunError::Start(StartError::ReservedField(field)) if field.task == "flatten")
    );
    assert_eq!(
        error.to_string(),
        "the output of task `flatten` of `Inner` has the field `intent` (`#/properties/intent` in its \
         schema), which marks a transition in a reply: rename it, as with `#[serde(rename = \"…\")]`, or \
         put its type into a field of its own"
    );
}

#[test]
fn a_machine_does_not_start() {
    let error = Inner::machine().start(Shelf::default()).unwrap_err();
    assert!(matches!(error, StartError::ReservedField(field) if field.process == "Inner"));
}
