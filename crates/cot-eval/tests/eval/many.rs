//! An eval of 100,000 cases.

use std::env;

use cot_core::{
    eval::{Case, Comparison, Eval, Report},
    prelude::*,
};
use serde::{Deserialize, Serialize};
use serde_json::json;

#[derive(Debug, Clone, Serialize, Deserialize)]
struct Number {
    is_low: bool,
    text: String,
}

cot_process! {
    process Check {
        state: Number,
        task check { next: { low if state.is_low, high } }
        task low { end }
        task high { fail: "it is high" }
    }
}

/// The number of cases: fewer, unless the test may take long.
fn count() -> u32 {
    if env::var_os("COT_LONG").is_some() { 100_000 } else { 4_000 }
}

/// Each has the same name, a tag of its own, and a state of a size with which half of them have more than 64 MB.
fn cases() -> Vec<Case<Number>> {
    let text = "x".repeat(140_000_000 / count() as usize);
    let number = |value| Number { is_low: value < count() / 2, text: text.clone() };
    (0..count()).map(|value| Case::new("same", number(value)).tag(format!("tag-{value}"))).collect()
}

#[tokio::test]
async fn many_cases_keep_their_results_and_a_bounded_number_of_states() {
    let report = Eval::new("numbers", cases()).variant("small", Check::runner()).run().await;
    let (summary, all) = (report.summary("small"), count() as usize);
    assert_eq!((summary.trials, summary.passed, summary.errors), (all, all / 2, 0));
    let states = report.trials.iter().filter_map(|trial| trial.state.as_ref());
    let bytes: usize = states.map(|state| state.to_string().len()).sum();
    assert!((60_000_000..=64 << 20).contains(&bytes), "{bytes} of more than 70,000,000");
    assert_eq!(report.trials[all - 1].case, format!("same ({all})"));
    assert_eq!(report.by_tag("small").len(), all);
    let comparison = Comparison::between(&report, &report);
    assert!(comparison.missing.is_empty() && comparison.changes[0].cases == all);
    let text = report.to_string();
    assert!(text.contains(&format!("- and {} more tags", all - 50)), "{text}");
    assert!(text.contains(&format!("- and {} more\n", all / 2 - 5)), "{text}");
}

#[test]
fn many_lines_are_read() {
    let line = |number| json!({ "name": format!("case {number}"), "state": number }).to_string();
    let lines: Vec<String> = (0..count()).map(line).collect();
    let cases = Case::<u32>::from_json_lines(&lines.join("\n")).unwrap();
    assert_eq!((cases.len(), cases[3_999].state), (count() as usize, 3_999));
    let wrong = format!("{}\n{}", lines.join("\n"), lines[7]);
    let error = Case::<u32>::from_json_lines(&wrong).unwrap_err();
    assert_eq!(
        error.to_string(),
        format!("line {}, column 1: the name \"case 7\" is that of line 8, too", count() + 1)
    );
}

#[tokio::test]
async fn a_report_of_another_process_is_missing_and_new() {
    let case = Case::new("a", Number { is_low: true, text: String::new() });
    let check = Eval::new("numbers", vec![case]).variant("small", Check::runner()).run().await;
    let other: Report = {
        let mut json = serde_json::to_value(&check).unwrap();
        json["process"] = json!("Other");
        serde_json::from_value(json).unwrap()
    };
    let comparison = Comparison::between(&check, &other);
    assert_eq!(comparison.missing, ["process Check"]);
    assert!(comparison.is_worse_by(1.0), "a gate fails: {comparison}");
}
