//! The output and exit status of `cot task check`.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::{FINE, STRAY, cot, file, keys, report};

#[test]
fn a_fine_trace_is_reported_in_full() {
    let path = file("check_fine.task", FINE);
    let (printed, code) = report(&["task", "check", "--json", &path], "");
    let expected = json!({
        "file": path,
        "valid": true,
        "errors": [],
        "warnings": [],
        "blocks": ["system", "tool", "user", "plan", "act", "result", "response"],
        "tags_defined": ["sys1", "usr1", "c1"],
        "tags_referenced": ["c1"],
        "todos_defined": [1, 2],
        "todos_satisfied": [1, 2],
        "tools": ["look"],
        "calls": [{ "tool": "look", "id": "c1" }],
    });
    assert_eq!((&printed, code), (&expected, 0));
    assert_eq!(keys(&printed), keys(&expected));
    let silent = cot(&["task", "check", &path], "");
    assert_eq!((silent.out.as_str(), silent.err.as_str(), silent.code), ("", "", 0));
}

/// Returns the codes of the errors and of the warnings of a trace.
fn codes(text: &str) -> (BTreeSet<String>, BTreeSet<String>) {
    let (printed, code) = report(&["task", "check", "--json", "-"], text);
    assert_eq!(printed["file"], "-");
    assert_eq!(printed["valid"], printed["errors"] == json!([]));
    assert_eq!(code, i32::from(printed["valid"] == false));
    let codes = |key: &str| {
        let list = printed[key].as_array().unwrap();
        assert!(list.iter().all(|found| keys(found) == ["code", "message", "line", "column"]));
        list.iter().map(|found| found["code"].as_str().unwrap().to_owned()).collect()
    };
    (codes("errors"), codes("warnings"))
}

#[test]
fn each_mistake_has_its_code() {
    let changed = |from: &str, to: &str| {
        assert!(FINE.contains(from), "{from}");
        FINE.replacen(from, to, 1)
    };
    for (text, errors, warnings) in [
        (FINE.to_owned(), vec![], vec![]),
        (changed("system「Help.」 🏷 sys1", ""), vec!["missing_system"], vec![]),
        (changed("tool ↦ look", "tool ↦ see"), vec!["undefined_tool"], vec![]),
        (changed("at ↦ here •\n        ", ""), vec!["missing_argument"], vec![]),
        (changed("at ↦ here", "in ↦ here"), vec!["unknown_argument"], vec![]),
        (changed("at ↦ here", "at ↦ [ 1 ]"), vec!["wrong_argument"], vec![]),
        (changed("at ↦ here", "at -> here"), vec!["stand_in"], vec![]),
        (changed("look •\n        at", "look\n        at"), vec!["missing_separator"], vec![]),
        (changed("\"A tree.\"", "\"A tree."), vec!["unclosed_string"], vec![]),
        (changed("usr1", "usr2"), vec!["user_id"], vec![]),
        (changed("※ c1", "※ c2"), vec![], vec!["undefined_reference"]),
        (changed("⊨ 2", "𝑝 1.5 ⊨ 2"), vec!["confidence_out_of_range"], vec![]),
        (
            changed("response「", "answer「"),
            vec!["missing_response", "unknown_structure"],
            vec!["unsatisfied_todo"],
        ),
        (changed(" ⊨ 2", ""), vec![], vec!["unsatisfied_todo"]),
        (changed("⊨ 2", "⊨ [2 • 3]"), vec![], vec!["undefined_todo"]),
        (STRAY.to_owned(), vec![], vec!["stray_text"]),
    ] {
        let found = codes(&text);
        let set = |codes: Vec<&str>| codes.into_iter().map(str::to_owned).collect();
        assert_eq!(found, (set(errors), set(warnings)), "{text}");
    }
}

#[test]
fn places_are_counted_in_characters_of_any_script() {
    let text = "\u{feff}system「日本」 🏷 e\u{301}1\r\nuser「x」 🏷 usr1 ※ nö ※ öther\r\n";
    let (printed, _) = report(&["task", "check", "--json", "-"], text);
    let places: Vec<(&Value, &Value, &Value)> = ["errors", "warnings"]
        .into_iter()
        .flat_map(|key| printed[key].as_array().unwrap())
        .map(|found| (&found["code"], &found["line"], &found["column"]))
        .collect();
    let expected = [
        (json!("missing_plan"), json!(3), json!(1)),
        (json!("missing_response"), json!(3), json!(1)),
        (json!("undefined_reference"), json!(2), json!(18)),
        (json!("undefined_reference"), json!(2), json!(23)),
    ];
    let expected: Vec<_> = expected.iter().map(|(a, b, c)| (a, b, c)).collect();
    assert_eq!(places, expected);
}

#[test]
fn each_file_has_a_line_of_its_own_and_the_worst_counts() {
    let (fine, stray) = (file("each_fine.task", FINE), file("each_stray.task", STRAY));
    let wrong = file("each_wrong.task", "");
    let files = |paths: &[&str]| {
        let ended = cot(&[&["task", "check", "--json"], paths].concat(), "");
        let lines = ended.out.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
        let told: Vec<String> =
            lines.map(|line| line["file"].as_str().unwrap().to_owned()).collect();
        (told, ended.code)
    };
    assert_eq!(files(&[&fine, &stray]), (vec![fine.clone(), stray.clone()], 0));
    assert_eq!(files(&[&wrong, &fine]), (vec![wrong.clone(), fine.clone()], 1));
    assert_eq!(files(&[&wrong, "/no/such", &fine]), (vec![wrong, fine], 2));
}

#[test]
fn warnings_can_be_findings() {
    let path = file("deny.task", STRAY);
    assert_eq!(cot(&["task", "check", &path], "").code, 0);
    assert_eq!(cot(&["task", "check", "--deny-warnings", &path], "").code, 1);
    assert_eq!(cot(&["task", "check", "--deny-warnings", "-"], FINE).code, 0);
    let (printed, code) = report(&["task", "check", "--json", "--deny-warnings", &path], "");
    assert_eq!((&printed["valid"], code), (&json!(true), 1));
}
