//! What a model is told of inputs that it has to supply.

use cot_core::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::drive::{Note, call, reply, request, started};

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, CotOutput)]
struct Chapter {
    #[schemars(length(min = 1))]
    title: String,
}

cot_process! {
    process Book {
        state: u32,
        task plan -> Note { transitions: { write: "Write it" with model, done }, may_end }

        task write -> Note {
            inputs: Chapter,
            prompt: "Write ${inputs.title}.",
            next: plan,
        }

        task done { end }
    }
}

#[test]
fn the_prompt_says_which_target_takes_inputs_and_which() {
    let request = request(&call(&mut started::<Book>(0))).clone();
    let list = "- \"write\": Write it\n- \"done\": done";
    assert!(request.prompt_without_format().contains(list), "{}", request.prompt());
    let choice = r#"
  "inputs": { // For "write". Otherwise null.
    "title": string // At least 1 character.
  } or null,
"#;
    assert!(request.prompt().contains(choice), "{}", request.prompt());
}

#[test]
fn the_schema_demands_the_inputs_of_the_target_alone() {
    let request = request(&call(&mut started::<Book>(0))).clone();
    let schema = &request.schema.as_ref().unwrap().json;
    let targets = |branch: usize| &schema["anyOf"][branch]["properties"]["goTo"]["enum"];
    assert_eq!((targets(0), targets(1)), (&json!(["done"]), &json!(["write"])));
    let required = |branch: usize| &schema["anyOf"][branch]["required"];
    assert_eq!(required(0), &json!(["goTo", "intent", "stepAfter"]));
    assert_eq!(required(1), &json!(["goTo", "inputs", "intent", "stepAfter"]));
    let inputs = &schema["anyOf"][1]["properties"]["inputs"]["$ref"];
    assert_eq!(inputs, "#/$defs/Chapter");
    assert_eq!(schema["$defs"]["Chapter"]["properties"]["title"]["minLength"], 1);
    let names = schema["anyOf"][1]["properties"].as_object().unwrap().keys();
    assert_eq!(names.collect::<Vec<_>>(), ["goTo", "inputs", "intent", "stepAfter"]);
}

#[test]
fn the_target_sees_the_inputs_and_the_history_does_not() {
    let mut machine = started::<Book>(0);
    let inputs = json!({ "title": "one" });
    reply(
        &mut machine,
        json!({
            "intent": "go on", "goTo": "write", "stepAfter": "", "inputs": inputs,
        }),
    );
    assert!(request(&call(&mut machine)).prompt().contains("Write one."));
    assert_eq!(
        crate::drive::history(&machine),
        json!([{ "task": "plan", "goTo": "write", "intent": "go on", "stepAfter": "" }])
    );
}
