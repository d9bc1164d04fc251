//! Calls that a model writes into its text, though its engine has calls of its own.

use std::convert::Infallible;

use cot_core::{Action, Event, Machine, prelude::*};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::drive::SECOND;

/// An output that a call would be, too: all of its members but the name may be absent.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema, CotOutput)]
struct Person {
    name: String,
    age: Option<u32>,
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
struct Place {
    name: String,
}

async fn weather(place: &Place) -> Result<String, Infallible> {
    Ok(format!("rain in {}", place.name))
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
struct Known {
    person: Person,
}

cot_process! {
    process Asking {
        state: Known,
        tools: { weather: weather "Looks up the weather" },

        task ask -> Person {
            prompt: "Who is it?",
            tools: [weather],
            update: person,
            next: done,
        }

        task done { end }
    }
}

/// The keys of what the machine waits for after a reply.
fn after(text: &str) -> Vec<String> {
    let mut machine = Machine::<Asking>::new();
    machine.start(Known::default()).unwrap();
    let id = machine.poll().directives()[0].id;
    machine.handle(Event::Replied { id, reply: text.into(), elapsed: SECOND });
    let due = machine.poll().directives().to_vec();
    let arguments = |directive: &cot_core::Directive<AskingTask>| match &directive.action {
        Action::RunFunction(call) => call.tool_call().map(|call| call.arguments.clone()),
        _ => None,
    };
    let what = due.iter().map(|it| arguments(it).unwrap_or_else(|| it.key.to_string()));
    what.collect()
}

#[test]
fn a_call_in_the_marks_of_a_template_is_a_call() {
    let paris = r#"{"name":"Paris"}"#;
    for text in [
        "<tool_call>\n{\"name\": \"weather\", \"arguments\": {\"name\": \"Paris\"}}\n</tool_call>",
        "Let me see.\n<tool_call>{\"name\": \"weather\", \"arguments\": {\"name\": \"Paris\"}}",
        "[TOOL_CALLS][{\"name\": \"weather\", \"arguments\": {\"name\": \"Paris\"}}]",
        "<function=weather>{\"name\": \"Paris\"}</function>",
        "<|tool_call_begin|>functions.weather:0<|tool_call_argument_begin|>{\"name\": \"Paris\"}<|tool_call_end|>",
        "<|channel|>commentary to=functions.weather <|constrain|>json<|message|>{\"name\": \"Paris\"}<|call|>",
        "<think>A call?</think><tool_call>{\"name\": \"weather\", \"arguments\": {\"name\": \"Paris\"}}</tool_call>",
        // Without marks, since the output has no arguments.
        "{\"name\": \"weather\", \"arguments\": {\"name\": \"Paris\"}}",
    ] {
        assert_eq!(after(text), [paris], "{text}");
    }
    let two = "<tool_call>{\"name\": \"weather\", \"arguments\": {\"name\": \"Paris\"}}</tool_call>\n\
        <tool_call>{\"name\": \"weather\", \"arguments\": {\"name\": \"Rome\"}}</tool_call>";
    assert_eq!(after(two), [paris, r#"{"name":"Rome"}"#]);
}

#[test]
fn marks_of_a_call_that_can_not_be_made_are_never_an_output() {
    for text in [
        "<tool_call>{\"name\": \"Ada\"}</tool_call>",
        "<tool_call><function=weather><parameter=name>Paris</parameter></function></tool_call>",
        "<tool_call>{\"name\": \"weather\", \"arguments\": {\"name\": \"Paris",
        "<tool_call>{\"name\": \"weather\", \"arguments\": {\"name\": \"Paris\"",
    ] {
        assert_eq!(after(text), ["ask#1@2"], "{text}");
    }
    let person = json!({ "name": "Ada", "age": null }).to_string();
    assert_eq!(after(&person), [""; 0]);
}
