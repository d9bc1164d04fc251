//! The README shows the actual output of the command.

use std::fs;

use serde_json::json;
use tempfile::TempDir;

use super::{command, ended, run};

const README: &str = include_str!("../../README.md");

#[test]
fn each_json_in_the_readme_is_printed() {
    // A separate folder, since the file names are those of the README.
    let folder = TempDir::new().unwrap();
    for (name, content) in [
        ("trace.task", "system「a」\nuser「b」 🏷 usr1\nresponse「c」\n"),
        ("hello.task", "user「Hello」 🏷 usr1"),
        ("reply.txt", "1. 6 * 7 is 42.\nAnswer: 42"),
        ("keys.txt", "{name: \"a\"}"),
        ("greeter.json", &manifest("9a690c71be443a46", 9)),
        ("reworded.json", &manifest("64bbdefda60fe4eb", 12)),
    ] {
        fs::write(folder.path().join(name), content).unwrap();
    }
    let calls: [&[&str]; 6] = [
        &["task", "check", "--json", "trace.task"],
        &["task", "json", "hello.task"],
        &["steps", "reply.txt"],
        &["read", "keys.txt"],
        &["layout", "--json", "greeter.json"],
        &["layout", "--json", "--against", "greeter.json", "reworded.json"],
    ];
    for arguments in calls {
        let printed = ended(run(command(arguments).current_dir(folder.path()), b"")).out;
        assert!(README.contains(&format!("```json\n{printed}```")), "it prints:\n{printed}");
    }
    // Those of `cot runs` need a store; they are tested with `list` and `compatible`.
    assert_eq!(README.matches("```json").count(), calls.len() + 2);
}

/// A manifest of one task whose prompts consist of the system message.
fn manifest(hash: &str, bytes: usize) -> String {
    let section =
        json!({ "part": "system", "stability": "fixed", "fixed_bytes": bytes, "hash": hash });
    let layout = json!({
        "sections": [section],
        "fixed": bytes,
        "fixed_prefix": bytes,
        "per_run": 0,
        "growing": 0,
        "volatile": 0,
    });
    json!({ "name": "Greeter", "tasks": [{ "name": "greet", "layout": layout }] }).to_string()
}
