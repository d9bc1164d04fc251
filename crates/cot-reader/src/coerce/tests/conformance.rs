//! Cases of external test suites, from a folder given in the environment.

use std::{env, fs, path::Path};

use serde_json::Value;

use super::{fit, is_alike};

#[test]
#[ignore = "needs COT_CONFORMANCE, the folder of the cases"]
fn values_with_a_schema_are_read() {
    let folder = env::var("COT_CONFORMANCE").expect("COT_CONFORMANCE is set");
    let text =
        fs::read_to_string(Path::new(&folder).join("lenient_json.jsonl")).expect("the cases");
    let mut failed = Vec::new();
    for line in text.lines() {
        let case: Value = serde_json::from_str(line).expect("a case");
        let given = case["input"].as_str().and_then(|input| serde_json::from_str(input).ok());
        let Some(given) = given.filter(|_: &Value| !case["schema"].is_null()) else { continue };
        let fitted = fit(&case["schema"], &given);
        let is_right = match case.get("expected") {
            Some(wanted) => fitted.issues.is_empty() && is_alike(&fitted.value, wanted),
            None => !fitted.issues.is_empty(),
        };
        if !is_right {
            failed.push(format!("{}: {} {}", case["id"], fitted.value, fitted.issues));
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}
