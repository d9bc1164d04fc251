//! The output and exit status of `cot`.
#![expect(clippy::unwrap_used, reason = "helpers of tests fail like tests")]

mod eval;
mod explain;
mod fmt;
mod help;
mod inputs;
mod layout;
mod messages;
mod new;
mod read;
mod readme;
mod runs;
#[cfg(feature = "serve")]
mod serve;
mod steps;
mod task_check;
mod task_fmt;
mod task_json;

use std::{
    fs,
    io::Write,
    path::PathBuf,
    process::{Command, Output, Stdio},
};

use serde_json::Value;

/// A valid trace in the standard layout.
const FINE: &str = r#"system「Help.」 🏷 sys1

tool {
    name ↦ look •
    params ↦ {
        at ↦ {
            type ↦ string
        }
    }
}

user「What is there?」 🏷 usr1

plan {
    todo ↦ {
        1 ↦ "Look." •
        2 ↦ "Say it."
    }
}

act {
    call ↦ {
        tool ↦ look •
        at ↦ here •
        id ↦ c1
    } ⊨ 1
}

result {
    data ↦ "A tree."
} 🏷 c1

response「A tree.」 ※ c1 ⊨ 2
"#;

/// A valid trace with one warning: the text before it.
const STRAY: &str = "Here you are:\nsystem「a」\nuser「b」🏷 usr1\nplan { x ↦ 1 }\nresponse「c」\n";

/// Creates a file for one test. Returns its name.
fn file(name: &str, content: impl AsRef<[u8]>) -> String {
    let path = folder().join(name);
    fs::write(&path, content).unwrap();
    text(path)
}

/// Returns a path as text.
fn text(path: PathBuf) -> String {
    path.into_os_string().into_string().unwrap()
}

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR"))
}

/// A command without environment variables for colours or stores.
fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cot"));
    for name in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "COT_STORE"] {
        command.env_remove(name);
    }
    command.args(arguments);
    command
}

fn run(command: &mut Command, input: &[u8]) -> Output {
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A command that rejects its arguments does not read.
    let _ = child.stdin.take().unwrap().write_all(input);
    child.wait_with_output().unwrap()
}

/// The result of a call.
#[derive(Debug, PartialEq)]
struct Ended {
    out: String,
    err: String,
    code: i32,
}

fn cot(arguments: &[&str], input: impl AsRef<[u8]>) -> Ended {
    ended(run(&mut command(arguments), input.as_ref()))
}

fn ended(output: Output) -> Ended {
    Ended {
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
        code: output.status.code().unwrap(),
    }
}

/// Returns the single JSON value that was printed on one line, and the exit status.
fn report(arguments: &[&str], input: impl AsRef<[u8]>) -> (Value, i32) {
    let Ended { out, code, .. } = cot(arguments, input);
    assert_eq!(out.matches('\n').count(), 1, "{out}");
    (serde_json::from_str(&out).unwrap(), code)
}

fn keys(object: &Value) -> Vec<&str> {
    object.as_object().unwrap().keys().map(String::as_str).collect()
}
