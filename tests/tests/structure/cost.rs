//! What it costs to depend on the library, as far as it can be said without a build. `tests/cost/check.py` has the rest.

use std::fs;

use serde_json::Value;

use crate::workspace::{cargo, root};

#[test]
#[ignore = "needs the manifests of all dependencies: run `cargo fetch` first"]
fn a_program_that_depends_on_the_library_has_no_more_packages() {
    let (cost, manifest) = (root().join("tests/cost"), "tests/cost/ours/Cargo.toml");
    fs::copy(root().join("Cargo.lock"), cost.join("ours/Cargo.lock")).unwrap();
    let metadata =
        cargo(&["metadata", "--format-version", "1", "--offline", "--manifest-path", manifest]);
    let metadata: Value = serde_json::from_str(&metadata).unwrap();
    let packages = metadata["packages"].as_array().unwrap().len();

    let figures = fs::read_to_string(cost.join("cost.toml")).unwrap();
    let line = figures.lines().find_map(|line| line.strip_prefix("packages = ")).unwrap();
    let expected: usize = line.parse().unwrap();
    assert!(
        packages <= expected + expected / 10,
        "{packages} packages, and {expected} in tests/cost/cost.toml: which of them are needed?"
    );
}
