//! What the README shows is what the programs print and what the compiler says.

use std::{path::Path, process::Command};

const README: &str = include_str!("../../README.md");

#[test]
fn the_program_is_the_example() {
    let example = include_str!("../../examples/ds_builder.rs");
    let program = example.split_once("\n\n").unwrap().1;
    assert!(README.contains(&format!("```rust\n{program}```")), "copy examples/ds_builder.rs");
}

#[test]
fn the_output_is_what_the_program_prints() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let run = ["run", "--quiet", "--example", "ds_builder"];
    let output = Command::new(env!("CARGO")).current_dir(root).args(run).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let printed = String::from_utf8(output.stdout).unwrap();
    assert!(README.contains(&format!("```text\n{printed}```")), "it prints:\n{printed}");
}

#[test]
fn the_errors_are_what_the_compiler_says() {
    let cases = [
        (
            include_str!("../ui/readme/three_mistakes.rs"),
            include_str!("../ui/readme/three_mistakes.stderr"),
        ),
        (
            include_str!("../ui/readme/read_before_write.rs"),
            include_str!("../ui/readme/read_before_write.stderr"),
        ),
    ];
    let shown: Vec<_> = README.split("```rust,ignore\n").skip(1).collect();
    assert_eq!(shown.len(), cases.len());
    for ((case, errors), shown) in cases.into_iter().zip(shown) {
        assert!(README.contains(&format!("```text\n{errors}```")), "it says:\n{errors}");
        let lines = shown.split("```").next().unwrap().lines().map(str::trim);
        lines.for_each(|line| assert!(case.contains(line), "the case lacks `{line}`"));
    }
}
