//! What the README shows is what the command prints.

use super::{command, ended, file, folder, run};

const README: &str = include_str!("../../README.md");

#[test]
fn each_json_in_the_readme_is_printed() {
    file("trace.task", "system「a」\nuser「b」 🏷 usr1\nresponse「c」\n");
    file("hello.task", "user「Hello」 🏷 usr1");
    file("reply.txt", "1. 6 * 7 is 42.\nAnswer: 42");
    file("keys.txt", "{name: \"a\"}");
    let calls: [&[&str]; 4] = [
        &["task", "check", "--json", "trace.task"],
        &["task", "json", "hello.task"],
        &["steps", "reply.txt"],
        &["read", "keys.txt"],
    ];
    for arguments in calls {
        let printed = ended(run(command(arguments).current_dir(folder()), b"")).out;
        assert!(README.contains(&format!("```json\n{printed}```")), "it prints:\n{printed}");
    }
    // That of a run has times in it: its test is with those of `cot runs list`.
    assert_eq!(README.matches("```json").count(), calls.len() + 1);
}
