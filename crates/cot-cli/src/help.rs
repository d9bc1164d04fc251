//! The part of a command's help below its options.

/// Formats the examples and the exit statuses of a command. `one` describes status 1; empty if the
/// command never returns it.
pub(crate) fn after(examples: &[&str], one: &str) -> String {
    let mut text = String::from("Examples:");
    for example in examples {
        text.push_str("\n  ");
        text.push_str(example);
    }
    text.push_str("\n\nExit status:\n  0  no problems");
    if !one.is_empty() {
        text.push_str("\n  1  ");
        text.push_str(one);
    }
    text.push_str(
        "\n  2  invalid arguments, or a file that can't be read or written or is not UTF-8",
    );
    text
}
