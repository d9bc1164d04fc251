use std::{collections::BTreeSet, env, fs, path::Path};

use serde_json::Value as Json;

use super::*;

/// External traces, in a folder that an environment variable names.
#[test]
#[ignore = "needs a folder of samples in COT_CONFORMANCE"]
fn agrees_with_traces_from_elsewhere() {
    let folder = env::var("COT_CONFORMANCE").expect("COT_CONFORMANCE names a folder");
    let lines = fs::read_to_string(Path::new(&folder).join("task_format.jsonl")).unwrap();
    let mut wrong = Vec::new();
    for line in lines.lines().filter(|line| !line.trim().is_empty()) {
        let case: Json = serde_json::from_str(line).unwrap();
        let found = disagreements(&case);
        if !found.is_empty() {
            wrong.push(format!("{}: {}", case["id"], found.join("; ")));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn disagreements(case: &Json) -> Vec<String> {
    let text = case["input"].as_str().unwrap();
    let report = check(text);
    let json = report.to_json();
    let mut found = Vec::new();
    for key in ["valid", "blocks", "calls", "tools", "tags_defined", "tags_referenced"]
        .into_iter()
        .chain(["todos_defined", "todos_satisfied"])
    {
        if case.get(key).is_some_and(|expected| *expected != json[key]) {
            found.push(format!("{key}: {} instead of {}", json[key], case[key]));
        }
    }
    let optional = words(&case["optional_warnings"]);
    for (key, findings) in [("errors", &report.errors), ("warnings", &report.warnings)] {
        let ours: BTreeSet<&str> = findings.iter().map(|finding| finding.code.as_str()).collect();
        let theirs = words(&case[key]);
        let ours: BTreeSet<&str> =
            ours.into_iter().filter(|code| !optional.contains(code)).collect();
        if ours != theirs {
            found.push(format!("{key}: {findings:?} instead of {theirs:?}"));
        }
    }
    let blocks = recover(text).trace.blocks;
    for expected in case["values"].as_array().into_iter().flatten() {
        let block = &blocks[usize::try_from(expected["block"].as_u64().unwrap()).unwrap()];
        let mut value = block.content.to_plain_json();
        for step in expected["path"].as_array().unwrap() {
            value = value[step.as_str().unwrap()].take();
        }
        if value != expected["value"] {
            found.push(format!("{}: {value} instead of {}", expected["path"], expected["value"]));
        }
    }
    found
}

fn words(json: &Json) -> BTreeSet<&str> {
    json.as_array().into_iter().flatten().filter_map(Json::as_str).collect()
}
