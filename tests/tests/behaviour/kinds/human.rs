//! Answers of people in types that are no objects.

use cot_core::{EventOutcome, Machine, prelude::*};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::drive::answer;
use crate::drive::{outcome, started, state};

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
struct Case {
    sure: Option<Sure>,
    colour: Option<Colour>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, CotOutput)]
struct Sure(bool);

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, CotOutput)]
#[serde(rename_all = "snake_case")]
enum Colour {
    Red,
    Green,
}

cot_process! {
    process Desk {
        state: Case,

        task sure -> Sure { ask: "Sure?", update: { sure = Some(output) }, next: colour }
        task colour -> Colour { ask: "Which?", update: { colour = Some(output) }, next: done }
        task done { end }
    }
}

fn desk() -> Machine<Desk> {
    started(Case::default())
}

fn refused(machine: &mut Machine<Desk>, said: Value) -> String {
    match answer(machine, said) {
        EventOutcome::Refused(issues) => issues.to_string(),
        other => panic!("expected a refusal, got {other:?}"),
    }
}

#[test]
fn plain_values_are_answered_plainly_or_as_the_schema_has_them() {
    for (sure, colour) in
        [(json!(true), json!("green")), (json!({ "value": true }), json!({ "value": "green" }))]
    {
        let mut machine = desk();
        for _ in 0..5 {
            // Nothing bounds how often a person is asked but the task.
            refused(&mut machine, json!("perhaps"));
        }
        assert_eq!(answer(&mut machine, sure), EventOutcome::Applied);
        refused(&mut machine, json!({ "paint": "green" }));
        refused(&mut machine, json!("blue"));
        assert_eq!(answer(&mut machine, colour), EventOutcome::Applied);
        assert_eq!(outcome(&mut machine), DeskOutcome::Done);
        let case = state(&machine);
        assert_eq!((&case.sure, &case.colour), (&Some(Sure(true)), &Some(Colour::Green)));
    }
}
