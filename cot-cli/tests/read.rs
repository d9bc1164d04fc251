//! What `cot read` prints, and how it ends.
#![expect(clippy::unwrap_used, reason = "helpers of tests fail like tests")]

use std::{
    fs,
    io::Write,
    path::PathBuf,
    process::{Command, Output, Stdio},
};

use serde_json::{Value, json};

const SCHEMA: &str = r#"{
    "type": "object",
    "properties": { "name": { "type": "string" }, "size": { "type": "integer" } },
    "required": ["name", "size"]
}"#;

/// A file of this test's own.
fn file(name: &str, content: impl AsRef<[u8]>) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::write(&path, content).unwrap();
    path
}

fn cot(arguments: &[&str], input: &[u8]) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_cot"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // One that refuses its arguments does not read.
    let _ = child.stdin.take().unwrap().write_all(input);
    child.wait_with_output().unwrap()
}

/// What was printed, and how it ended.
fn report(arguments: &[&str], input: &[u8]) -> (Value, i32) {
    let output = cot(arguments, input);
    let printed = serde_json::from_slice(&output.stdout).unwrap();
    (printed, output.status.code().unwrap())
}

#[test]
fn a_reply_is_read_for_a_schema() {
    let schema = file("fine.json", SCHEMA);
    let schema = schema.to_str().unwrap();
    let reply = b"Here: {'Name': 'a', \"size\": \"1,200\"}";
    let (printed, code) = report(&["read", "--schema", schema, "-"], reply);
    assert_eq!((&printed["value"], code), (&json!({ "name": "a", "size": 1200 }), 0));
    assert_eq!(printed["issues"], json!([]));
    let repairs = printed["repairs"].as_array().unwrap();
    let size = repairs.iter().find(|repair| repair["path"] == "$.size").unwrap();
    assert_eq!(size["class"], "coercion");
    assert!(repairs.iter().any(|repair| repair["class"] == "syntax"));
    assert!(repairs.iter().all(|repair| repair["what"].is_string()));

    let from_file = file("reply.txt", reply);
    let from_file = from_file.to_str().unwrap();
    assert_eq!(report(&["read", "--schema", schema, from_file], b""), (printed, 0));
}

#[test]
fn what_is_wrong_is_printed_and_told_by_the_code() {
    let schema = file("wrong.json", SCHEMA);
    let schema = schema.to_str().unwrap();
    let (printed, code) = report(&["read", "--schema", schema, "-"], br#"{"size": "big"}"#);
    assert_eq!((&printed["value"], code), (&Value::Null, 1));
    let paths: Vec<&Value> =
        printed["issues"].as_array().unwrap().iter().map(|issue| &issue["path"]).collect();
    assert_eq!(paths, ["$", "$.size"]);

    let (printed, code) = report(&["read", "-"], b"{\"a\": \"\xff\"}");
    assert_eq!((&printed["value"], code), (&Value::Null, 1));
    assert_eq!(printed["issues"][0]["message"], "the reply is no UTF-8: the byte at 7 is wrong");
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
        (vec!["read", "--schema", no_schema.to_str().unwrap(), "-"], "no_schema.json` is no JSON"),
        (vec!["read", "--schema", no_json.to_str().unwrap(), "-"], "no_json.json` is no JSON"),
    ] {
        let output = cot(&arguments, b"{}");
        let complaint = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {complaint}");
        assert!(complaint.contains(said), "{arguments:?}: {complaint}");
        assert!(output.stdout.is_empty());
    }
}
