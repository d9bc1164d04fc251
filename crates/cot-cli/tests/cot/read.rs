//! The output and exit status of `cot read`.

use serde_json::{Value, json};

use super::{cot, file, keys, report};

const SCHEMA: &str = r#"{
    "type": "object",
    "properties": { "name": { "type": "string" }, "size": { "type": "integer" } },
    "required": ["name", "size"]
}"#;

#[test]
fn a_reply_is_read_for_a_schema() {
    let schema = file("fine.json", SCHEMA);
    let reply = b"Here: {'Name': 'a', \"size\": \"1,200\"}";
    let (printed, code) = report(&["read", "--schema", &schema, "-"], reply);
    assert_eq!((&printed["value"], code), (&json!({ "name": "a", "size": 1200 }), 0));
    assert_eq!(printed["issues"], json!([]));
    assert_eq!(keys(&printed), ["value", "repairs", "issues"]);
    let repairs = printed["repairs"].as_array().unwrap();
    let size = repairs.iter().find(|repair| repair["path"] == "$.size").unwrap();
    assert_eq!(size["class"], "coercion");
    assert!(repairs.iter().any(|repair| repair["class"] == "syntax"));
    assert!(repairs.iter().all(|repair| keys(repair) == ["path", "class", "what"]));
    assert!(repairs.iter().all(|repair| repair["what"].is_string()));

    let from_file = file("reply.txt", reply);
    assert_eq!(report(&["read", "--schema", &schema, &from_file], ""), (printed, 0));
}

#[test]
fn what_is_wrong_is_printed_and_told_by_the_code() {
    let schema = file("wrong.json", SCHEMA);
    let (printed, code) = report(&["read", "--schema", &schema, "-"], br#"{"size": "big"}"#);
    assert_eq!((&printed["value"], code), (&Value::Null, 1));
    let paths: Vec<&Value> =
        printed["issues"].as_array().unwrap().iter().map(|issue| &issue["path"]).collect();
    assert_eq!(paths, ["$", "$.size"]);
    let issues = printed["issues"].as_array().unwrap();
    assert!(issues.iter().all(|issue| keys(issue) == ["path", "message"]));

    assert_eq!(report(&["read", "-"], b"").1, 1);
}

#[test]
fn without_a_schema_the_syntax_alone_is_mended() {
    let (printed, code) = report(&["read", "-"], b"{a: '1',}");
    assert_eq!((&printed["value"], code), (&json!({ "a": "1" }), 0));
}

#[test]
fn a_file_is_whole_unless_it_is_said_otherwise() {
    let cut = br#"{"name": "Ada Love"#;
    assert_eq!(report(&["read", "-"], cut).0["value"], json!({ "name": "Ada Love" }));
    let (printed, code) = report(&["read", "--may-be-cut", "-"], cut);
    assert_eq!((&printed["value"], code), (&Value::Null, 1));
    assert_eq!(printed["issues"][0]["path"], "$.name");
}

#[test]
fn a_wrong_call_ends_with_2_and_says_why() {
    let no_schema = file("no_schema.json", r#"{"type": 5}"#);
    let no_json = file("no_json.json", "{");
    for (arguments, said) in [
        (vec!["read"], "FILE"),
        (vec!["reed", "-"], "read"),
        (vec!["read", "/no/such/file"], "can't read `/no/such/file`: "),
        (vec!["read", "--schema", "/no/such/file", "-"], "can't read `/no/such/file`: "),
        (vec!["read", "--schema", &no_schema, "-"], "no_schema.json` is not a JSON schema"),
        (vec!["read", "--schema", "-", "-"], "standard input can be read only once"),
        (vec!["read", "--schema", &no_json, "-"], "no_json.json` is not a JSON schema"),
    ] {
        let ended = cot(&arguments, "{}");
        assert_eq!(ended.code, 2, "{arguments:?}: {}", ended.err);
        assert!(ended.err.contains(said), "{arguments:?}: {}", ended.err);
        assert_eq!(ended.out, "");
    }
}
