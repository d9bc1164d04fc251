//! The help, the manual and the completions.

use std::{collections::BTreeSet, fs};

use super::{cot, folder};

const COMMANDS: [&str; 35] = [
    "",
    "new",
    "task",
    "task check",
    "task fmt",
    "task json",
    "task from-json",
    "steps",
    "read",
    "layout",
    "explain",
    "eval",
    "eval show",
    "eval compare",
    "fmt",
    "runs",
    "runs start",
    "runs list",
    "runs show",
    "runs tail",
    "runs watch",
    "runs trace",
    "runs answer",
    "runs cancel",
    "runs retry",
    "runs case",
    "runs fork",
    "runs compatible",
    "runs copy",
    "runs prune",
    "runs cut",
    "runs remove",
    "serve",
    "completions",
    "man",
];

fn words(command: &str) -> Vec<&str> {
    command.split_whitespace().collect()
}

#[test]
fn each_command_has_help_with_examples_and_codes() {
    for command in COMMANDS {
        for flag in ["--help", "-h"] {
            let ended = cot(&[words(command), vec![flag]].concat(), "");
            assert_eq!((ended.err.as_str(), ended.code), ("", 0), "{command}");
            let example = format!("Examples:\n  cot {command}");
            assert!(ended.out.contains(example.trim_end()), "{command}: {}", ended.out);
            for code in ["Exit status:\n  0  ", "\n  2  "] {
                assert!(ended.out.contains(code), "{command}: {}", ended.out);
            }
        }
    }
}

#[test]
fn each_command_has_a_page() {
    let folder = folder().join("man");
    fs::create_dir_all(&folder).unwrap();
    let told = folder.to_str().unwrap();
    assert_eq!(cot(&["man", "--all", told], "").code, 0);
    let found = fs::read_dir(&folder).unwrap().map(|file| file.unwrap().file_name());
    let found: BTreeSet<String> = found.map(|name| name.into_string().unwrap()).collect();
    let name = |command: &str| [&["cot"], &*words(command)].concat().join("-") + ".1";
    assert_eq!(found, COMMANDS.iter().map(|command| name(command)).collect());

    for command in COMMANDS {
        let page = cot(&[vec!["man"], words(command)].concat(), "");
        assert_eq!((page.err.as_str(), page.code), ("", 0), "{command}");
        assert_eq!(page.out, fs::read_to_string(folder.join(name(command))).unwrap());
        for section in
            [".SH NAME", ".SH SYNOPSIS", ".SH OPTIONS", ".SH EXAMPLES", ".SH \"EXIT STATUS\""]
        {
            assert!(page.out.contains(section), "{command}: {}", page.out);
        }
    }
}

#[test]
fn there_is_no_page_of_nothing() {
    let ended = cot(&["man", "task", "chekc"], "");
    assert_eq!((ended.out.as_str(), ended.code), ("", 2));
    assert_eq!(ended.err, "error: `cot task` has no command `chekc`\n");
    assert_eq!(cot(&["man", "--all", "/no/such/folder"], "").code, 2);
}

#[test]
fn shells_complete_commands_and_options() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let ended = cot(&["completions", shell], "");
        assert_eq!((ended.err.as_str(), ended.code), ("", 0), "{shell}");
        for word in ["from-json", "deny-warnings", "steps"] {
            assert!(ended.out.contains(word), "{shell}");
        }
    }
    let ended = cot(&["completions", "tcsh"], "");
    assert_eq!(ended.code, 2);
    assert!(ended.err.contains("powershell"), "{}", ended.err);
}

#[test]
fn a_wrong_call_ends_with_2_and_a_suggestion() {
    for (arguments, said) in [
        (vec![], "Usage: cot"),
        (vec!["tsak"], "task"),
        (vec!["task", "chekc", "-"], "check"),
        (vec!["task", "check"], "FILE"),
        (vec!["task", "check", "--jsno", "-"], "--json"),
    ] {
        let ended = cot(&arguments, "");
        assert_eq!((ended.out.as_str(), ended.code), ("", 2), "{arguments:?}");
        assert!(ended.err.contains(said), "{arguments:?}: {}", ended.err);
    }
    let version = cot(&["--version"], "");
    assert_eq!(version.out, concat!("cot ", env!("CARGO_PKG_VERSION"), "\n"));
}
