//! The output of `cot eval`.

use std::fs;

use serde_json::{Value, json};

use super::{Ended, cot, folder};

/// Writes a report of ten cases, of which the first ones passed.
fn report(name: &str, passed: usize) -> String {
    let trial = |number: usize| {
        let is_right = number < passed;
        let score = if is_right {
            json!({"value": 1.0})
        } else {
            json!({"value": 0.0, "why": "it is wrong"})
        };
        json!({
            "variant": "small", "case": format!("case {number}"), "repeat": 1, "passed": is_right,
            "scores": {"right": score}, "end": "done", "tasks": {}, "elapsed": {"secs": 1, "nanos": 0},
            "usage": {"calls": 1, "input_tokens": 10, "output_tokens": 2},
        })
    };
    let trials: Vec<Value> = (0..10).map(trial).collect();
    let usage = json!({"calls": 10, "input_tokens": 100, "output_tokens": 20});
    let report = json!({
        "name": "folders", "process": "Sorter", "version": null, "variants": ["small"], "scorers": {"right": 1.0}, "trials": trials,
        "left_out": 0, "paid": usage,
    });
    let path = folder().join(name);
    fs::write(&path, report.to_string()).unwrap();
    path.to_str().unwrap().to_owned()
}

#[test]
fn a_report_is_shown() {
    let Ended { out, err, code } = cot(&["eval", "show", &report("shown.json", 9)], "");
    assert_eq!((err.as_str(), code), ("", 0));
    assert!(out.starts_with("folders: process `Sorter`\n\n"), "{out}");
    assert!(out.contains("small  9 of 10  60 to 98 %"), "{out}");
    assert!(out.contains("- case 9 (0 of 1): right 0.00, it is wrong"), "{out}");
    let fine = cot(&["eval", "show", "--markdown", &report("fine.json", 10)], "");
    assert_eq!((fine.err.as_str(), fine.code), ("", 0));
    assert!(fine.out.contains("|---|---:|"), "{}", fine.out);
}

#[test]
fn two_reports_are_compared() {
    let (old, new) = (report("old.json", 10), report("new.json", 3));
    let Ended { out, err, code } = cot(&["eval", "compare", &old, &new], "");
    assert_eq!((err.as_str(), code), ("", 1));
    assert!(out.contains("small, passed  1.00  0.30"), "{out}");
    assert!(out.contains("worse"), "{out}");
    assert_eq!(cot(&["eval", "compare", "--threshold", "0.8", &old, &new], "").code, 0);
    for threshold in ["NaN", "5", "-1"] {
        let ended = cot(&["eval", "compare", &format!("--threshold={threshold}"), &old, &new], "");
        assert_eq!(ended.code, 2, "{threshold}");
        assert!(ended.err.contains("a number from 0 to less than 1 is expected"), "{}", ended.err);
    }
    assert_eq!(cot(&["eval", "compare", &new, &old], "").code, 0, "better is fine");
    assert_eq!(cot(&["eval", "compare", &old, &old], "").code, 0);
}

#[test]
fn something_else_is_no_report() {
    let Ended { out, err, code } = cot(&["eval", "show", "-"], "{}");
    assert_eq!((out.as_str(), code), ("", 2));
    assert!(err.contains("standard input is not a report of an eval"), "{err}");
    assert!(err.contains("missing field `name`"), "{err}");
    assert_eq!(cot(&["eval", "compare", "-", "-"], "{}").code, 2);
}
