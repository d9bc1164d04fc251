//! The examples do what they say, as programs of their own.
#![expect(clippy::unwrap_used, reason = "helpers of tests fail like tests")]

use std::{
    io::{BufRead, BufReader},
    path::Path,
    process::{Command, Stdio},
};

/// An example as a program that asks its scripted model.
fn program(example: &str, arguments: &[&str], temporary: &Path) -> Command {
    // Cargo has built it beside this test: both have the same features.
    let test = std::env::current_exe().unwrap();
    let built = test.ancestors().nth(2).unwrap().join("examples").join(example);
    let mut command = Command::new(built);
    command.args(arguments).env("TMPDIR", temporary);
    for variable in ["OPENAI_BASE_URL", "OPENAI_MODEL", "OPENAI_API_KEY", "COT_STORE"] {
        command.env_remove(variable);
    }
    command
}

/// What an example prints.
fn run(example: &str, arguments: &[&str], temporary: &Path) -> String {
    let output = program(example, arguments, temporary).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// What an example prints before it dies in the middle of a call.
fn dies(example: &str, crash: &str, temporary: &Path) -> String {
    let died = program(example, &[], temporary).env("CRASH", crash).output().unwrap();
    let printed = String::from_utf8(died.stdout).unwrap();
    assert!(!died.status.success() && printed.ends_with("the program dies\n"), "{printed}");
    printed
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
    for expected in [
        "find: started, step 2",
        "read[2]: done",
        "write: Write: draft: started, step 1",
        "[Harbours, Tides]",
    ] {
        assert!(printed.contains(expected), "no `{expected}` in\n{printed}");
    }
}

#[test]
fn a_program_whose_server_is_unreachable_fails_with_a_sentence() {
    // Nothing listens there any more.
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let base_url = format!("http://{}/v1", listener.local_addr().unwrap());
    drop(listener);
    for example in ["data_source", "research", "by_hand"] {
        let folder = temporary(&format!("unreachable-{example}"));
        let output =
            program(example, &[], &folder).env("OPENAI_BASE_URL", &base_url).output().unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(1), "{example}: {said}");
        let said = said.lines().find(|line| line.starts_with("Error: ")).unwrap();
        for expected in ["task `", "the model could not be reached: ", "onnection refused"] {
            assert!(said.contains(expected), "{example}: no `{expected}` in {said}");
        }
        assert!(!said.contains(['{', '\n']), "{example}: {said}");
    }
}

#[test]
fn branches_search_at_once() {
    let printed = run("branches", &[], &temporary("branches"));
    let starts = ["flight: started, step 2", "hotel: started, step 3", "sights: started, step 4"];
    for expected in starts.iter().chain(&["A good plan. (2 sights)"]) {
        assert!(printed.contains(expected), "no `{expected}` in\n{printed}");
    }
    let first_output = printed.find("committed").expect("an output");
    assert!(starts.iter().all(|start| printed.find(start) < Some(first_output)), "{printed}");
}

#[test]
fn approval_continues_in_later_starts_of_the_program() {
    let folder = temporary("approval");
    let kept = folder.join("cot-approval.json");

    let first = run("approval", &[], &folder);
    assert!(first.contains("May this letter be sent?"), "{first}");
    assert!(kept.exists());

    let second = run("approval", &["shorter"], &folder);
    assert!(second.contains("approved: false"), "{second}");
    assert!(second.contains("Dear Ada, thank you!"), "{second}");
    assert!(kept.exists());

    let third = run("approval", &["yes"], &folder);
    assert!(
        third.contains("run ended at sent") && third.contains("letter: Dear Ada, thank you!"),
        "{third}"
    );
    assert!(!kept.exists());
}

#[test]
fn replay_shows_where_a_changed_prompt_diverges() {
    let printed = run("replay", &[], &temporary("replay"));
    assert!(printed.lines().any(|line| line.trim_start().starts_with('-')), "{printed}");
    assert!(printed.lines().any(|line| line.trim_start().starts_with('+')), "{printed}");
}

#[test]
fn reasoning_shows_the_reply_and_then_its_steps() {
    let printed = run("reasoning", &[], &temporary("reasoning"));
    let reply = "Step 1: Add the hours: 9:40 and 2 hours make 11:40.\nStep 2: ";
    assert!(printed.contains(reply), "{printed}");
    let taken_apart = "step 2: Add the minutes: 11:40 and 35 minutes make 12:15.\n\
                       result: It arrives at 12:15.";
    assert!(printed.contains(taken_apart), "{printed}");
    let process = "think: finished, answer follows (next)\nanswer: started, step 2\n";
    assert!(printed.contains(process) && printed.contains("\nanswer: At 12:15."), "{printed}");
}

#[test]
fn reasoning_continues_after_its_death_with_what_it_has_not_asked() {
    let folder = temporary("reasoning-killed");
    let asked =
        |printed: &str| printed.lines().find(|line| line.starts_with("asks ")).map(str::to_owned);
    let first = dies("reasoning", "1", &folder);
    assert!(asked(&first).is_some() && !first.contains("Step 1"), "{first}");

    // The same call is repeated, and the program dies in the next one.
    let second = dies("reasoning", "2", &folder);
    assert_eq!(asked(&second), asked(&first), "{second}");
    assert!(second.contains("result: It arrives at 12:15."), "{second}");

    // The question has its reply, and the process continues.
    let third = run("reasoning", &[], &folder);
    assert_eq!(asked(&third), None, "{third}");
    assert!(third.contains("status: Completed\nstep 1: Add the hours"), "{third}");
    assert!(third.contains("answer: started, step 2"), "{third}");
    assert!(third.contains("\nanswer: At 12:15."), "{third}");
}

#[test]
fn claim_shows_an_image_and_a_document_and_the_layout_of_its_prompts() {
    let printed = run("claim", &[], &temporary("claim"));
    for expected in [
        "shows: [document text/markdown, 233 bytes, df3782786e29]\n\
         shows: [image image/png, 453 bytes, 345b89217666]\npart ",
        "intro        per run          49 ",
        "prompt       volatile        122 ",
        "run ended at pay\nused: ",
        " of them cached\nwrote: 80 tokens, 0.00",
    ] {
        assert!(printed.contains(expected), "no `{expected}` in\n{printed}");
    }
    assert!(!printed.contains(" 0 of them cached"), "{printed}");
}

#[test]
fn plan_execute_continues_after_its_death_and_answers() {
    let folder = temporary("plan_execute");
    let first = dies("plan_execute", "1", &folder);
    for expected in [
        "plan: continue\n- [ ] find the prices\n- [ ] add them up",
        "calls price {\"thing\":\"Lamps\"}\nfailed: the arguments of \"price\" are not valid:\n- $.thing: ",
        "calls price {\"thing\":\"lamp\"}\nresult: 40",
    ] {
        assert!(first.contains(expected), "no `{expected}` in\n{first}");
    }
    // It continues with the third step, and repeats nothing.
    let second = run("plan_execute", &[], &folder);
    for expected in [
        "step 3: price",
        "failed: there is no table in stock; the stock has: lamp, desk, chair",
        "- [x] find the prices\n- [x] add them up\nended: Stopped\nanswer: They cost 430 euros.",
        "\n7 calls of the model\n",
    ] {
        assert!(second.contains(expected), "no `{expected}` in\n{second}");
    }
    for repeated in ["\nplan: ", "step 2", "Lamps"] {
        assert!(!second.contains(repeated), "{second}");
    }
    // A run that has ended has its answer at once.
    let third = run("plan_execute", &[], &folder);
    assert!(third.contains("answer: They cost 430 euros.") && !third.contains("step"), "{third}");
}

#[test]
fn service_takes_orders_and_answers_over_http() {
    serves(&run("service", &[], &temporary("service")));
}

/// On the server that `COT_POSTGRES` names.
#[test]
#[cfg(feature = "postgres")]
fn service_takes_orders_on_postgres() {
    let Ok(address) = std::env::var("COT_POSTGRES") else { return };
    let mut service = program("service", &[], &temporary("service_on_postgres"));
    let output = service.env("COT_STORE", address).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serves(&String::from_utf8(output.stdout).unwrap());
}

fn serves(printed: &str) {
    for expected in [
        "created: 202 Accepted",
        "refused: 422 Unprocessable Entity: the answer to `approve#1@1` of run `order-",
        "answered: 204 No Content",
        "\"status\":\"ended\",\"task\":\"done\"",
    ] {
        assert!(printed.contains(expected), "no `{expected}` in\n{printed}");
    }
}

#[test]
fn task_session_asks_a_server_and_continues_after_its_death() {
    let folder = temporary("task_session");
    let first = dies("task_session", "1", &folder);
    for expected in [
        "refused: 10:48: error[wrong_argument]: the argument `zip_code` is wrong: ",
        "result of weather-result: {\"temperature\":68,\"sky\":\"overcast\"}",
    ] {
        assert!(first.contains(expected), "no `{expected}` in\n{first}");
    }
    // It continues with the third reply, and repeats nothing.
    let second = run("task_session", &[], &folder);
    for expected in [
        "response: It is 68 degrees Fahrenheit and overcast in 94103: take a light sweater.",
        "result of new-york: {\"temperature\":5,\"sky\":\"rain\"}",
        "404 Not Found",
        "todo: [x] 5 Present them.",
        "result {\n    data ↦ {\n        temperature ↦ 5 •\n        sky ↦ rain\n    }\n} 🏷 new-york\n",
        "structures, valid: true",
    ] {
        assert!(second.contains(expected), "no `{expected}` in\n{second}");
    }
    for repeated in ["refused: ", "result of weather-result"] {
        assert!(!second.contains(repeated), "{second}");
    }
    // The conversation waits for another message.
    let third = run("task_session", &[], &folder);
    assert!(third.contains("valid: true") && !third.contains("asked: "), "{third}");
}

#[test]
fn durable_continues_after_its_death_and_is_answered_from_a_second_program() {
    let folder = temporary("durable");
    let printed = dies("durable", "1", &folder);
    assert!(printed.contains("plan: started, step 1"), "{printed}");

    // It continues in the middle of the chapters, and waits for somebody.
    let mut first = program("durable", &[], &folder).stdout(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(first.stdout.take().unwrap()).lines().map(Result::unwrap);
    let before: Vec<String> =
        lines.by_ref().take_while(|line| !line.starts_with("waits")).collect();
    assert!(!before.iter().any(|line| line.contains("plan: started, step 1")), "{before:#?}");
    assert!(before.iter().any(|line| line.contains("May the report go out? It has 4 chapters.")));

    let second = run("durable", &["yes"], &folder);
    assert!(second.contains("answered release#1@1 of report: released = true"), "{second}");
    let after: Vec<String> = lines.collect();
    assert!(first.wait().unwrap().success());
    assert!(after.iter().any(|line| line.contains("Published after 5 calls")), "{after:#?}");

    // A run that is over has its end at once.
    let third = run("durable", &[], &folder);
    assert!(third.contains("Published after 5 calls") && !third.contains("step"), "{third}");
}

#[test]
fn evals_are_reported_and_compared_and_pay_once() {
    let folder = temporary("evals");
    let printed = run("evals", &[], &folder);
    for expected in [
        "mails: process `Sorter`",
        "does not start (0 of 2): department 0.00, Some(Other) is not Some(Defect)",
        "sorter, urgent",
        "no change beyond chance",
    ] {
        assert!(printed.contains(expected), "no `{expected}` in\n{printed}");
    }
    let replies = || std::fs::read_to_string(folder.join("cot-evals.jsonl")).unwrap();
    let first = replies();
    assert_eq!(first.lines().count(), 48);
    run("evals", &[], &folder);
    assert_eq!(replies(), first, "no call was made again");
}
