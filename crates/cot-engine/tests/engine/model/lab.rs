//! The processes of these tests: one with many features, and several with one difference each.

use cot_engine::{
    Cx,
    private::{Definition, HistoryLimit, Primer, ProcessCode, PromptWriter, write_text},
};
use cot_schema::Issues;
use serde_json::{Value, json};

use crate::harness::{
    PROCESS, Plain, Run, ai, append, checked, end, fail, functions, gateway, go, if_visible,
    labelled, only_if, process, push, schema, seconds, text, to,
};

schema! {
    field: {
        "type": "object",
        "properties": {
            "name": { "type": "string", "minLength": 1, "maxLength": 20 },
            "weight": { "type": "number" },
        },
        "required": ["name"],
    }
}

process! {
    Lab {
        decide: ai("")
            .go(&[to(Self::add), to(Self::review), to(Self::done)])
            .transitions(&[
                labelled(text!("One more")),
                if_visible(|scope| fields_of(scope.state).len() < 2),
            ]),
        add: ai("Generate a field.\n")
            .description("words on it")
            .output(field)
            .read(|given, cx| checked(given, |field| is_new(field, cx.state)))
            .commit(|field, state, _| weigh(field, state).map(|()| None)),
        review: ai("")
            .description("words on it")
            .max_retries(0)
            .errors_primer(text!("REVIEW ERRORS"))
            .output(field)
            .commit(|field, state, _| {
                push(&mut state["fields"], field.clone());
                Ok(None)
            })
            .go(&[to(Self::add)])
            .next(&[Self::done, Self::gate, Self::decide])
            .arms(&[
                only_if(|_, output| output.is_some_and(|field| field["name"] == "stop")),
                only_if(|scope, _| fields_of(scope.state).len() > 3),
            ]),
        gate: gateway()
            .next(&[Self::failed, Self::decide])
            .arms(&[only_if(|scope, _| !scope.state["note"].is_null())]),
        done: end().description("words on it"),
        failed: fail("").fail_with(|cx, out| write_text(out, format!("note {}", cx.state["note"]))),
    }
    definition: Definition { history: HistoryLimit::Last(3), ..PROCESS };
    functions: ProcessCode {
        intro: Some(intro),
        primers: &[(Primer::Goal, text!("GOAL")), (Primer::History, text!("HISTORY")), (Primer::Errors, text!("ERRORS")), (Primer::Transitions, text!("CHOICES")), (Primer::Output, text!("OUTPUT"))],
        ..functions()
    };
}

process! {
    /// Has a goal and no history.
    Goal {
        decide: ai("")
            .go(&[to(Self::add), to(Self::done)])
            .transitions(&[labelled(text!("One more"))]),
        add: ai("Generate a field.").output(field).commit(append),
        done: end().description("words on it"),
    }
    definition: Definition { history: HistoryLimit::None, ..PROCESS };
    functions: ProcessCode {
        goal: Some(text!("Serve everybody")),
        intro: Some(intro),
        primers: &[(Primer::Goal, text!("GOAL")), (Primer::Errors, text!("ERRORS")), (Primer::Transitions, text!("CHOICES"))],
        ..functions()
    };
}

process! {
    /// Requires a goal and has none.
    UsesGoal {
        ask: ai("Serve").output(field),
    }
    definition: Definition { uses_goal: true, ..PROCESS };
    functions: ProcessCode {
        primers: &[(Primer::Goal, text!("GOAL"))],
        ..functions()
    };
}

process! {
    /// Writes full prompts. One of them fails.
    Full {
        add: ai("")
            .full_prompt(|cx, out| {
                write_text(out, format!("{} of {}", cx.task.title, cx.process.name))
            })
            .output(field)
            .next(&[Self::broken]),
        broken: ai("")
            .full_prompt(|_, out| out.write_json(&std::collections::BTreeMap::from([((1, 2), 3)])))
            .output(field),
    }
    functions: ProcessCode { system: Some(text!("Be brief.")), ..functions() };
}

process! {
    /// Has a short time limit.
    Hurried {
        decide: ai("").timeout(seconds(3)).go(&[to(Self::decide), to(Self::done)]),
        done: end(),
    }
}

process! {
    /// Begins at a gateway.
    StartsAtGate {
        gate: gateway()
            .next(&[Self::failed, Self::decide])
            .arms(&[only_if(|scope, _| !scope.state["note"].is_null())]),
        decide: ai("").go(&[to(Self::gate)]),
        failed: fail("no"),
    }
}

process! {
    /// Chooses in a commit, and has a default return.
    Returning {
        first: ai("")
            .output(field)
            .choices(&[Self::failed, Self::review])
            .commit(|field, state, _| {
                push(&mut state["fields"], field.clone());
                let chosen = if field["name"] == "fail" { Self::failed } else { Self::review };
                Ok(Some(cot_engine::private::to(chosen)))
            }),
        review: ai("").go(&[to(Self::add), to(Self::failed)]),
        add: ai("").output(field),
        failed: fail("no note"),
    }
    definition: Definition { default_return: Some(1), ..PROCESS };
}

process! {
    /// Has a sequence, and a default return.
    InSequence {
        again: ai("").go(&[to(Self::add)]),
        add: ai("").output(field).in_sequence(Self::done),
        done: end(),
        only: ai("").output(field),
    }
    definition: Definition { default_return: Some(0), ..PROCESS };
}

fn intro<P: Plain>(cx: &Cx<'_, P>, out: &mut PromptWriter) -> std::fmt::Result {
    write_text(out, format!("Fields: {}", json!(fields_of(cx.state))))
}

fn is_new(field: &Value, state: &Value) -> Result<(), Issues> {
    match fields_of(state).iter().any(|other| other["name"] == field["name"]) {
        true => Err(Issues::at("name", "is taken")),
        false => Ok(()),
    }
}

fn weigh(field: &Value, state: &mut Value) -> Result<(), Issues> {
    if field["name"] == "refused" {
        return Err(Issues::at("name", "was refused while committing"));
    }
    push(&mut state["fields"], field.clone());
    Ok(())
}

pub(super) fn fields_of(state: &Value) -> &[Value] {
    state["fields"].as_array().map_or(&[], Vec::as_slice)
}

/// The names of the fields of the state.
pub(super) fn names(run: &Run) -> Vec<&str> {
    fields_of(run.state()).iter().filter_map(|field| field["name"].as_str()).collect()
}

pub(super) fn field_named(name: &str) -> Value {
    json!({ "name": name })
}

/// A state with fields of these names.
pub(super) fn fields<const N: usize>(names: [&str; N]) -> Value {
    json!({ "fields": names.map(field_named).to_vec() })
}

pub(super) fn started() -> Run {
    Run::start::<Lab>(json!({}))
}

/// A run that has added fields of these names.
pub(super) fn with_fields(names: &[&str]) -> Run {
    names.iter().fold(started(), |run, name| run.after([go("add"), field_named(name)]))
}

/// The issues of the last attempt at the end of the run.
pub(super) fn issues(run: &mut Run) -> Vec<String> {
    run.halt().attempts.last().unwrap().issues.iter().map(ToString::to_string).collect()
}
