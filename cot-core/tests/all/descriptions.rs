//! What schemas of the library's own types say to a model.
#![allow(clippy::panic, clippy::unwrap_used, reason = "tests may panic")]

use std::{collections::BTreeSet, fs, path::Path};

use cot_core::{
    Approval, ItemError,
    plan_execute::StageReply,
    reasoning::{Answer, Reasoning},
    task_format::session::{Decision, Message, ReplyText},
};
use schemars::{JsonSchema, schema_for};
use serde_json::Value;

/// Types that only occur within those below.
const INNER: [&str; 4] = ["Action", "Step", "StepNumber", "Written"];

fn schemas() -> Vec<(&'static str, Value)> {
    fn schema<T: JsonSchema>(name: &'static str) -> (&'static str, Value) {
        (name, schema_for!(T).to_value())
    }
    vec![
        schema::<Answer>("Answer"),
        schema::<Approval>("Approval"),
        schema::<Decision>("Decision"),
        schema::<ItemError>("ItemError"),
        schema::<Message>("Message"),
        schema::<Reasoning>("Reasoning"),
        schema::<ReplyText>("ReplyText"),
        schema::<StageReply>("StageReply"),
    ]
}

/// Collects the values of `description` in a schema.
fn descriptions<'s>(schema: &'s Value, found: &mut Vec<&'s str>) {
    match schema {
        Value::Object(members) => {
            found.extend(members.get("description").and_then(Value::as_str));
            members.values().for_each(|value| descriptions(value, found));
        }
        Value::Array(items) => items.iter().for_each(|item| descriptions(item, found)),
        _ => {}
    }
}

#[test]
fn descriptions_are_written_for_models() {
    let docs_of_rust = ["```", "[`", "](", "::", "#[", "`None`", "fingerprint", "crate", "Panics"];
    for (name, schema) in schemas() {
        let mut found = Vec::new();
        descriptions(&schema, &mut found);
        assert!(!found.is_empty(), "{name} has no description");
        for text in found {
            let wrong = docs_of_rust.iter().find(|word| text.contains(**word));
            assert_eq!(wrong, None, "{name}: {text}");
            assert!(text.len() < 120 && !text.contains('\n'), "{name}: {text}");
        }
    }
}

/// Finds the types in a file that implement `JsonSchema`.
fn types_with_schema(text: &str) -> impl Iterator<Item = String> {
    let lines: Vec<&str> = text.lines().collect();
    let mut names = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        let code = line.trim();
        if let Some(rest) = line.strip_prefix("impl JsonSchema for ") {
            names.extend(rest.split(' ').next().map(str::to_owned));
        }
        let derives = code == "JsonSchema," || code.starts_with("#[derive(");
        if !derives || !code.contains("JsonSchema") {
            continue;
        }
        let is_type = |line: &&&str| ["struct ", "enum "].iter().any(|word| line.contains(word));
        let Some(declared) = lines[at..].iter().find(is_type) else { continue };
        // A type within a module of tests is indented.
        if !declared.starts_with(' ') && !declared.starts_with("//") {
            let words = declared.split([' ', '(', '<']);
            let name = words.skip_while(|word| !["struct", "enum"].contains(word)).nth(1);
            names.extend(name.map(str::to_owned));
        }
    }
    names.into_iter()
}

fn collect(folder: &Path, names: &mut BTreeSet<String>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let is_test = path.file_stem().is_some_and(|stem| stem == "tests");
        if path.is_dir() && !is_test {
            collect(&path, names);
        } else if path.extension().is_some_and(|ext| ext == "rs") && !is_test {
            names.extend(types_with_schema(&fs::read_to_string(path).unwrap()));
        }
    }
}

#[test]
fn the_descriptions_of_all_types_are_checked() {
    let mut names = BTreeSet::new();
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().join("crates");
    for member in fs::read_dir(crates).unwrap() {
        let source = member.unwrap().path().join("src");
        // The tools for tests have types of their own.
        if source.is_dir() && !source.ends_with("cot-testing/src") {
            collect(&source, &mut names);
        }
    }
    let checked = schemas().into_iter().map(|(name, _)| name).chain(INNER);
    assert_eq!(names, checked.map(str::to_owned).collect());
}
