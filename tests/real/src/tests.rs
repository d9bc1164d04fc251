//! Measurements of scripted models.

use std::{fs, sync::Arc};

use cot_core::model::ScriptedModel;
use serde_json::{Value, json};

use crate::{
    arguments::Run,
    case::{Case, cases},
    compare::compare,
    result::{CaseResult, read_results},
    run,
    server::{Server, Setting},
    table::table,
};

fn case(id: &str) -> Case {
    cases().unwrap().into_iter().find(|case| case.id == id).unwrap()
}

async fn measured(id: &str, replies: Vec<Value>) -> CaseResult {
    let case = case(id);
    let model = Arc::new(ScriptedModel::new(replies));
    let asked = case.kind.asker().ask(model, case.text.clone()).await.unwrap();
    let server = Server { model: "scripted".into(), ..Server::default() };
    CaseResult::new(&case, &server, Setting::Prompt, asked)
}

fn person(name: &str, age: u32) -> Value {
    json!({ "name": name, "age": age })
}

fn choice(target: &str, inputs: Option<Value>) -> Value {
    let mut choice = json!({ "intent": "help", "goTo": target, "stepAfter": "nothing" });
    if let Some(inputs) = inputs {
        choice["inputs"] = inputs;
    }
    choice
}

#[tokio::test]
async fn the_table_counts_what_is_valid_and_right_at_first_and_after_retries() {
    let results = [
        measured("person01", vec![person("Jason", 10)]).await,
        measured("person01", vec![person("Jason", 11)]).await,
        measured("person01", vec![json!("ten"), person("Jason", 10)]).await,
        measured("person01", vec![json!("ten"); 3]).await,
        measured("desk01", vec![choice("refund", Some(json!({ "order": "K-2001" })))]).await,
        measured("desk02", vec![choice("answer", None)]).await,
        measured("desk03", vec![choice("answer", None)]).await,
    ];
    let rows = table(&[("", &results)], true);
    let start = |row: &str| row.split(" | ").take(8).collect::<Vec<_>>().join(" | ");
    let rows: Vec<_> = rows.lines().skip(2).map(start).collect();
    let expected = [
        "| scripted, prompt | 7 | 5 | 3 | 6 | 4 | 1 / 3 | 10",
        "| scripted, prompt, person | 4 | 2 | 1 | 3 | 2 | 1 / 3 | 7",
        "| scripted, prompt, desk | 3 | 3 | 2 | 3 | 2 | 0 / 0 | 3",
    ];
    assert_eq!(rows, expected);
    assert_eq!(results[2].rejected[0].reply, r#""ten""#);
    assert!(!results[2].rejected[0].issues.is_empty());
}

#[tokio::test]
async fn a_comparison_pairs_cases_and_says_what_chance_can_do() {
    let right = measured("person01", vec![person("Jason", 10)]).await;
    let wrong = measured("person01", vec![person("Jason", 11)]).await;
    let named = |result: &CaseResult, id: &str| CaseResult { id: id.into(), ..result.clone() };
    let before: Vec<_> = ["a", "b", "c", "d", "e"].map(|id| named(&wrong, id)).into();
    let mut after: Vec<_> = ["a", "b", "c", "d"].map(|id| named(&right, id)).into();
    let text = compare(("before", &before), ("after", &after));
    assert!(text.contains("+100.0 points over 4 cases, from +100.0 to +100.0 with 95 %"), "{text}");
    assert!(text.contains("In one run alone: e."), "{text}");
    after.truncate(2);
    after.extend(["c", "d"].map(|id| named(&wrong, id)));
    let text = compare(("before", &before), ("after", &after));
    assert!(text.contains("+50.0 points over 4 cases, from +0.0 to +100.0 with 95 %"), "{text}");
}

#[tokio::test]
async fn settings_are_compared_with_their_own_or_else_with_all_others() {
    let right = measured("person01", vec![person("Jason", 10)]).await;
    let wrong = measured("person01", vec![person("Jason", 11)]).await;
    let with = |result: &CaseResult, setting: &str| CaseResult {
        setting: setting.into(),
        ..result.clone()
    };
    let ours = [with(&wrong, "prompt"), with(&right, "schema")];
    let peers = [with(&right, "one"), with(&wrong, "two")];
    let text = compare(("ours", &ours), ("peers", &peers));
    assert!(text.contains("\nscripted, one beside prompt: exactly right +100.0 points"), "{text}");
    assert!(text.contains("\nscripted, two beside schema: exactly right -100.0 points"), "{text}");
    assert_eq!(text.matches("beside").count(), 4, "{text}");
    let text = compare(("ours", &ours), ("both", &[&ours[..1], &peers[..]].concat()));
    assert!(text.contains("\nscripted, prompt: exactly right +0.0 points"), "{text}");
    assert_eq!(text.matches("exactly right").count(), 1, "{text}");
}

/// A result as another library leaves it: without a verdict, and with a value as its types have it.
#[tokio::test]
async fn a_result_is_judged_when_it_is_read() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("results.jsonl");
    let written = |id: &str, kind: &str, value: Value| {
        json!({
            "id": id, "kind": kind, "half": "choose", "model": "m", "setting": "peer", "seed": 1, "temperature": 0.2,
            "value": value, "calls": 1, "prompt_tokens": 2, "reply_tokens": 3, "rejected": [],
        })
    };
    let bill = json!({ "net": 1250, "vat_percent": 19, "total": 1487.5, "due_in_days": 14, "paid": false });
    let lines = [
        written("desk05", "desk", json!({ "target": "escalate" })),
        written("bill01", "bill", bill),
        written("person01", "person", person("Jason", 11)),
        written("person01", "person", json!({ "age": "ten" })),
        written("person01", "person", Value::Null),
    ];
    fs::write(&file, lines.map(|line| line.to_string()).join("\n")).unwrap();
    let verdicts: Vec<_> = read_results(&file).unwrap().iter().map(CaseResult::verdict).collect();
    assert_eq!(verdicts, ["right", "right", "wrong", "wrong", "rejected"]);
    fs::write(&file, written("person00", "person", Value::Null).to_string()).unwrap();
    let refused = read_results(&file).unwrap_err().to_string();
    assert!(refused.ends_with("results.jsonl:1: there is no case `person00`"), "{refused}");
}

#[tokio::test]
async fn a_run_is_resumed_without_the_cases_that_have_results() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("results.jsonl");
    let line = |result: &CaseResult| format!("{}\n", serde_json::to_string(result).unwrap());
    let result = measured("person01", vec![person("Jason", 10)]).await;
    fs::write(&file, line(&result)).unwrap();
    // Nothing listens there: a call would fail.
    let server = Server {
        base_url: "http://127.0.0.1:9".into(),
        model: "scripted".into(),
        ..Server::default()
    };
    let settings = vec![Setting::Prompt];
    let mut arguments =
        Run { server, settings, limit: 1, json: Some(file.clone()), ..Run::default() };
    let refused = run(&arguments).await.unwrap_err().to_string();
    assert!(refused.contains("--resume"), "{refused}");
    arguments.resume = true;
    assert!(run(&arguments).await.unwrap().contains("| scripted, prompt | 1 | 1 | 1 |"));
    assert_eq!(fs::read_to_string(&file).unwrap(), line(&result));
}

#[tokio::test]
async fn a_server_that_does_not_answer_is_no_result() {
    let model = Arc::new(ScriptedModel::new(Vec::<Value>::new()));
    let case = case("person01");
    assert!(case.kind.asker().ask(model, case.text).await.is_err());
}
