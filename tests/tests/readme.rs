//! The errors that the README shows are what the compiler says.

const README: &str = include_str!("../../README.md");

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
