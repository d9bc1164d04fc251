//! What the README shows is this program and what it prints.

use std::process::Command;

const README: &str = include_str!("../../../README.md");

#[test]
fn the_program_is_the_example() {
    let program = include_str!("../src/main.rs").split_once("\n\n").unwrap().1;
    assert!(README.contains(&format!("```rust\n{program}```")), "copy src/main.rs");
}

#[test]
fn the_output_is_what_the_program_prints() {
    let output = Command::new(env!("CARGO_BIN_EXE_ds_builder")).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let printed = String::from_utf8(output.stdout).unwrap();
    assert!(README.contains(&format!("```text\n{printed}```")), "it prints:\n{printed}");
}
