//! Files stay short.

use std::{fs, path::Path};

use crate::workspace::root;

const MAX_LINES: usize = 400;

#[test]
fn files_are_short() {
    let mut long = Vec::new();
    let folders = [
        "cot-core/benches",
        "cot-core/src",
        "cot-core/tests",
        "cot-macros/src",
        "crates",
        "examples",
        "tests/crash",
        "tests/dialects",
        "tests/src",
        "tests/tests",
    ];
    for folder in folders {
        look_into(&root().join(folder), &mut long);
    }
    assert!(long.is_empty(), "over {MAX_LINES} lines: {long:#?}");
}

/// Snapshots of expansions (`*.out.rs`) are as long as they are.
fn look_into(folder: &Path, long: &mut Vec<String>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.display().to_string();
        if path.is_dir() {
            look_into(&path, long);
        } else if name.ends_with(".rs") && !name.ends_with(".out.rs") {
            let lines = fs::read_to_string(&path).unwrap().lines().count();
            if lines > MAX_LINES {
                long.push(format!("{name}: {lines}"));
            }
        }
    }
}
