//! What the help of each command says below its options.

/// Examples, and how the command ends: what 1 means is its own.
pub(crate) fn after(examples: &[&str], one: &str) -> String {
    let mut text = String::from("Examples:");
    for example in examples {
        text.push_str("\n  ");
        text.push_str(example);
    }
    text.push_str("\n\nExit status:\n  0  nothing is wrong");
    if !one.is_empty() {
        text.push_str("\n  1  ");
        text.push_str(one);
    }
    text.push_str("\n  2  wrong call, or a file can't be read or written, or is not UTF-8");
    text
}
