//! Measurements of scripted models.

use std::{
    env, fs,
    io::{self, Write as _},
    slice,
    sync::Arc,
    time::Duration,
};

use cot_core::{
    eval::{ReplyCache, Report, TrialResult},
    model::ScriptedModel,
};
use serde_json::{Value, json};

use crate::{
    arguments::{Command, parse},
    bench::{Bench, Variant},
    kinds::KINDS,
    peers::judge,
};

/// The first cases of a kind, with the replies of each variant.
fn bench(kind: &str, each: usize, variants: Vec<Vec<Value>>) -> Bench {
    let scripted = |(index, replies): (usize, Vec<Value>)| -> Variant {
        (format!("variant {index}"), Arc::new(ScriptedModel::new(replies)))
    };
    Bench {
        name: "prompts".into(),
        variants: variants.into_iter().enumerate().map(scripted).collect(),
        kinds: KINDS.iter().filter(|known| known.name == kind).collect(),
        half: "choose".into(),
        each,
        repeats: 1,
        cache: ReplyCache::new(),
    }
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

/// The verdicts on a trial, in the order of what is asked: right, valid, valid at first, right at first.
fn verdicts(report: &Report) -> Vec<[bool; 4]> {
    let names = ["right", "valid", "first valid", "first right"];
    let is_right = |trial: &TrialResult, name| trial.scores[name].value >= 1.0;
    report.trials.iter().map(|trial| names.map(|name| is_right(trial, name))).collect()
}

#[tokio::test]
async fn a_report_counts_what_is_valid_and_right_at_first_and_after_retries() {
    let replies = vec![
        vec![person("Jason", 10)],
        vec![person("Jason", 11)],
        vec![json!("ten"), person("Jason", 10)],
        vec![json!("ten"); 3],
    ];
    let report = bench("person", 1, replies).run().await.unwrap();
    let (yes, no) = (true, false);
    let expected = [[yes; 4], [no, yes, yes, no], [yes, yes, no, no], [no; 4]];
    assert_eq!(verdicts(&report), expected);
    let figures = report.variants.iter().map(|variant| report.summary(variant));
    let figures: Vec<_> = figures
        .map(|summary| (summary.passed, summary.usage.calls, summary.totals.retries))
        .collect();
    assert_eq!(figures, [(1, 1, 0), (0, 1, 0), (1, 2, 1), (0, 3, 2)]);
}

#[tokio::test]
async fn a_transition_is_right_with_its_inputs() {
    let refund = |order: &str| choice("refund", Some(json!({ "order": order })));
    let replies =
        vec![vec![refund("K-2001")], vec![refund("K-2002")], vec![choice("answer", None)]];
    let report = bench("desk", 1, replies).run().await.unwrap();
    assert_eq!(
        report.trials.iter().map(|trial| trial.passed).collect::<Vec<_>>(),
        [true, false, false]
    );
}

#[tokio::test]
async fn cases_have_right_values_and_two_halves_of_every_kind() {
    let mut all = 0;
    for kind in &KINDS {
        let cases = async |half: &str| {
            let mut bench = bench(kind.name, usize::MAX, vec![Vec::new()]);
            bench.half = half.into();
            bench.run().await.unwrap().trials.len()
        };
        let [choose, hold] = [cases("choose").await, cases("hold").await];
        assert_eq!(choose, hold, "{}", kind.name);
        all += choose + hold;
    }
    assert_eq!(all, include_str!("../cases.jsonl").lines().count());
}

/// A result as another library leaves it: without a verdict, and with a value as its types have it.
#[test]
fn a_result_of_another_library_is_judged() {
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
    let report = judge(slice::from_ref(&file)).unwrap();
    let (yes, no) = (true, false);
    let expected = [[yes; 4], [yes; 4], [no, yes, yes, no], [no, yes, yes, no], [no; 4]];
    assert_eq!(verdicts(&report), expected);
    let summary = report.summary("peer");
    assert_eq!((summary.passed, summary.usage.input_tokens), (2, 10));
    fs::write(&file, written("person00", "person", Value::Null).to_string()).unwrap();
    let refused = judge(&[file]).unwrap_err().to_string();
    assert!(refused.ends_with("results.jsonl:1: there is no case `person00`"), "{refused}");
}

#[tokio::test]
async fn a_run_that_was_stopped_continues() {
    let mut stopped = bench("person", 1, vec![vec![person("Jason", 10)]]);
    let first = stopped.run().await.unwrap();
    // The script is over: a second call of the first case would fail.
    stopped.each = 2;
    let report = stopped.run().await.unwrap();
    assert_eq!(report.trials[0].usage, first.trials[0].usage);
    assert!(report.trials[0].passed);
    assert!(report.trials[1].error.is_some(), "a server that does not answer is no result");
}

/// A dozen short cases on a real model, whose server `.ci/run` starts. Skipped without `COT_REAL_URL`.
#[tokio::test]
async fn a_real_model_follows_the_prompts() {
    let Ok(url) = env::var("COT_REAL_URL") else { return };
    let (url, kinds) = (format!("{url}/v1"), "person,spam,topics,sentiment,bill,desk");
    let words = ["run", "--base-url", &url, "--model", "0.5b", "--settings", "prompt"];
    let words = words.into_iter().chain(["--each", "2", "--kinds", kinds]);
    let Ok((Command::Run(run), None)) = parse(lexopt::Parser::from_args(words)) else {
        panic!("the command line is wrong");
    };
    let bench = run.bench().unwrap();
    let Ok(report) = tokio::time::timeout(Duration::from_secs(180), bench.run()).await else {
        return say("the real model had no time for the cases");
    };
    let report = report.unwrap();
    say(&report.to_string());
    let summary = report.summary("prompt");
    assert_eq!((summary.trials, summary.errors), (12, 0));
    assert!(summary.mean_score("valid") > 0.5, "most replies fit their format");
}

/// Writes what is shown of a test that passes, too.
fn say(text: &str) {
    let _ = writeln!(io::stderr(), "{text}");
}
