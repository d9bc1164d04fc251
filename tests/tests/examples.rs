//! The examples do what they say, as programs of their own.
#![expect(clippy::unwrap_used, reason = "helpers of tests fail like tests")]

use std::{path::Path, process::Command};

/// What an example prints.
fn run(example: &str, arguments: &[&str], temporary: &Path) -> String {
    let run = ["run", "--quiet", "--package", "cot-examples", "--example", example, "--"];
    let mut command = Command::new(env!("CARGO"));
    let output = command.args(run).args(arguments).env("TMPDIR", temporary).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

fn temporary(name: &str) -> std::path::PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    if folder.exists() {
        std::fs::remove_dir_all(&folder).unwrap();
    }
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

#[test]
fn research_reads_its_sources_at_once_and_lets_a_process_write() {
    let printed = run("research", &[], &temporary("research"));
    for expected in ["find (step 2)", "item    2 is done", "within  Write::", "[Harbours, Tides]"] {
        let collapsed = printed.split_whitespace().collect::<Vec<_>>().join(" ");
        let expected = expected.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(collapsed.contains(&expected), "no `{expected}` in\n{printed}");
    }
}

#[test]
fn approval_goes_on_in_later_starts_of_the_program() {
    let folder = temporary("approval");
    let kept = folder.join("cot-approval.json");

    let first = run("approval", &[], &folder);
    assert!(first.contains("May this letter be sent?"), "{first}");
    assert!(kept.exists());

    let second = run("approval", &["--answer", "shorter"], &folder);
    assert!(second.contains("approved: false"), "{second}");
    assert!(second.contains("Dear Ada, thank you!"), "{second}");
    assert!(kept.exists());

    let third = run("approval", &["--answer", "yes"], &folder);
    assert!(third.contains("Sent") && third.contains("letter    Dear Ada, thank you!"), "{third}");
    assert!(!kept.exists());
}

#[test]
fn replay_shows_where_a_changed_prompt_diverges() {
    let printed = run("replay", &[], &temporary("replay"));
    assert!(printed.contains("scripted"), "{printed}");
    assert!(printed.lines().any(|line| line.trim_start().starts_with('-')), "{printed}");
    assert!(printed.lines().any(|line| line.trim_start().starts_with('+')), "{printed}");
}

#[test]
fn reasoning_shows_the_reply_and_then_its_steps() {
    let printed = run("reasoning", &[], &temporary("reasoning"));
    let reply = "Step 1: Add the hours: 9:40 and 2 hours make 11:40.\nStep 2: ";
    assert!(printed.contains("scripted") && printed.contains(reply), "{printed}");
    let taken_apart = "step      2: Add the minutes: 11:40 and 35 minutes make 12:15.\n\
                       result    It arrives at 12:15.";
    assert!(printed.contains(taken_apart), "{printed}");
}

#[test]
fn plan_execute_plans_calls_its_tool_and_answers() {
    let printed = run("plan_execute", &[], &temporary("plan_execute"));
    for expected in [
        "plan      continue\n- [ ] find the prices\n- [ ] add them up",
        "calls     price {\"thing\":\"Lamps\"}\n  failed  the arguments are wrong: $.thing: ",
        "calls     price {\"thing\":\"lamp\"}\n  gave    40",
        "  failed  there is no table in stock; there are: lamp, desk, chair",
        "- [x] find the prices\n- [x] add them up\nended     Stopped\nanswer    They cost 430 euros.",
    ] {
        assert!(printed.contains(expected), "no `{expected}` in\n{printed}");
    }
}
