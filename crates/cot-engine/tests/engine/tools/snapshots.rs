//! Runs that are resumed in the middle of a round.

use cot_engine::{Action, Effect, Event, ResumeOptions, private::Ending};
use serde_json::{Value, json};

use super::shop::{Visit, answer, open, words};
use crate::harness::SECOND;

/// What follows from a poll, in one line each.
fn script(visit: &mut Visit, resumes: bool) -> Vec<String> {
    let mut seen = Vec::new();
    let mut replies = [
        json!([{ "tool": "pay", "arguments": { "cents": 5 } }, { "tool": "search", "arguments": words("fail") },
            { "tool": "search", "arguments": words("a") }, { "tool": "fly", "arguments": {} }]),
        json!("nonsense"),
        json!({ "tool": "read_file", "arguments": { "path": "x" } }),
        answer("bought"),
    ]
    .into_iter();
    loop {
        if resumes {
            visit.resume();
        }
        let due = visit.due();
        let Some(directive) = due.first() else { break };
        for directive in &due {
            seen.push(format!("{} {:?} {:?}", directive.key, directive.timeout, directive.action));
        }
        let (id, elapsed) = (directive.id, SECOND);
        let event = match &directive.action {
            Action::CallModel(call) => {
                seen.push(serde_json::to_string(&call.request.rounds).unwrap());
                Event::Replied { id, reply: replies.next().unwrap().into(), elapsed }
            }
            Action::RunFunction(call) => {
                if call.effect() == Effect::Once && !call.is_started() {
                    Event::Started { id }
                } else {
                    Event::Ran { id, result: directive.result(), elapsed }
                }
            }
            Action::AskHuman(_) => {
                Event::Answered { id, answer: json!({ "approved": true }), elapsed }
            }
            Action::Sleep { .. } => Event::Woken { id },
        };
        visit.handle(event);
    }
    assert_eq!(visit.ending(), Ending::End("done"));
    seen.extend(visit.log());
    seen.push(visit.run.history_json().to_string());
    seen.push(format!("{:?}", visit.run.usage()));
    seen
}

#[test]
fn a_run_that_is_resumed_before_every_event_does_the_same() {
    let expected = script(&mut Visit::new(open()), false);
    assert!(expected.len() > 15, "{expected:#?}");
    assert_eq!(script(&mut Visit::new(open()), true), expected);
}

/// Changes the snapshot of a visit and resumes it.
fn changed(visit: &mut Visit, change: impl FnOnce(&mut Value)) {
    visit.run = visit.run.changed(change, &ResumeOptions::new()).unwrap();
}

#[test]
fn a_pending_call_of_a_tool_that_is_gone_is_answered() {
    let mut visit = Visit::new(open());
    visit.call(&[("search", words("a"))]);
    changed(&mut visit, |json| {
        let call = &mut json["position"]["calling"]["tools"]["pending"]["calls"][0]["call"];
        assert_eq!(call["name"], "search");
        call["name"] = json!("find");
    });
    visit.run_all();
    assert!(visit.error().starts_with("there is no tool \"find\""));

    // With arguments that the present version does not take.
    let mut visit = Visit::new(open());
    visit.call(&[("search", words("a"))]);
    changed(&mut visit, |json| {
        json["position"]["calling"]["tools"]["pending"]["calls"][0]["arguments"] = json!({});
    });
    visit.run_all();
    visit.wake();
    visit.run_all();
    assert!(visit.error().contains("missing field `words`"), "{}", visit.error());
}

#[test]
fn a_started_call_of_a_tool_that_is_gone_is_interrupted() {
    let mut visit = Visit::new(open());
    visit.call(&[("pay", json!({ "cents": 1 }))]);
    visit.person(json!({ "approved": true }));
    let id = visit.only().id;
    visit.handle(Event::Started { id });
    changed(&mut visit, |json| {
        json["position"]["calling"]["tools"]["pending"]["calls"][0]["call"]["name"] =
            json!("charge");
    });
    let directive = visit.only();
    let call = directive.function();
    assert_eq!((call.effect(), call.is_started()), (Effect::Once, true));
    visit.handle(Event::Interrupted { id: directive.id });
    assert_eq!(visit.ending(), Ending::End("unknown"));
}

#[test]
fn the_tools_that_a_visit_offers_stay_although_a_guard_changes() {
    let mut visit = Visit::new(open());
    visit.call(&[("pay", json!({ "cents": 1 }))]);
    changed(&mut visit, |json| json["state"]["is_open"] = json!(false));
    visit.person(json!({ "approved": true }));
    visit.run_all();
    assert_eq!(visit.log(), ["run/answer#1+tool-1 paid 1"]);
    assert_eq!(visit.request().tools.len(), 4);
    // The next visit does not offer it.
    let closed = Visit::new(json!({})).request();
    assert!(closed.tools.iter().all(|tool| tool.name() != "pay"));
}
