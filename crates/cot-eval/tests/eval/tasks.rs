//! Evals of one task.

use cot_core::{
    TaskEnd,
    eval::{Case, Eval, score},
    prelude::*,
    store::MemoryStore,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::process::Clerk;

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
struct Desk {
    #[serde(default)]
    folders: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Mail {
    text: String,
    lines: u32,
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
struct Folder {
    name: String,
}

cot_process! {
    /// Sorts a mail and answers it.
    process Office {
        state: Desk,
        max_retries: 1,

        task open {
            next: sort with Mail { text: "Invoice 7".to_owned(), lines: 1 },
        }

        task sort -> Folder {
            inputs: Mail,
            prompt: "Name the folder of this mail of ${inputs.lines} lines: ${inputs.text}",
            check: is_word,
            update: { folders[] = output.name },
            next: answer,
        }

        task answer -> Folder {
            prompt: "Answer. Folders: ${state.folders.join(\", \")}",
            next: done,
        }

        task done { end }
    }
}

fn is_word(output: &Folder, _: &Desk, _: &Mail) -> Result<(), Issues> {
    if output.name.contains(' ') { Err(Issues::at("name", "one word")) } else { Ok(()) }
}

const LINES: &str = r#"
{"name": "invoice", "inputs": {"text": "Invoice 7", "lines": 1}, "expected": "bills"}
{"name": "hello", "state": {"folders": ["bills"]}, "inputs": {"text": "Hello", "lines": 2}, "expected": "friends"}
"#;

const CSV: &str = "\
name,inputs.text,inputs.lines,state.folders,expected
invoice,Invoice 7,1,[],bills
hello,Hello,2,\"[\"\"bills\"\"]\",friends
";

fn clerk() -> Clerk {
    Clerk::new(&[
        ("2 lines: Hello", r#"{"name": "friends"}"#),
        ("1 lines: Invoice", r#"{"name": "two words"}"#),
        ("Answer. Folders: x", r#"{"name": "thanks"}"#),
    ])
}

#[tokio::test]
async fn a_task_runs_alone_with_the_inputs_of_each_case() {
    let cases = Case::<Desk, String, Mail>::from_json_lines(LINES).unwrap();
    assert_eq!(cases, Case::<Desk, String, Mail>::from_csv(CSV).unwrap());
    let clerk = clerk();
    let runner = Office::runner().model(clerk.clone()).store(MemoryStore::default());
    let report = Eval::for_task("sorting", OfficeTask::Sort, cases)
        .variant("small", runner)
        .score("folder", |trial| {
            score::equal(&trial.state().folders.last(), &Some(trial.expected()))
        })
        .score("output", |trial| trial.outputs().len() == 1)
        .score("next", |trial| {
            let end = &trial.task_run().unwrap().end;
            matches!(end, TaskEnd::Done { next: Some(OfficeTask::Answer), .. })
        })
        .score("inputs", |trial| trial.inputs::<Mail>().is_some_and(|mail| mail.lines == 2))
        .run()
        .await;
    let [invoice, hello] = &report.trials[..] else { panic!("{report:?}") };
    assert!(hello.passed && hello.why.is_none() && hello.run.is_none(), "{hello:?}");
    assert_eq!((hello.end.as_deref(), hello.usage.calls), (Some("sort"), 1));
    assert!(!invoice.passed, "{invoice:?}");
    assert!(invoice.why.as_deref().unwrap().contains("no attempt gave a valid reply"));
    assert_eq!(invoice.state, Some(json!({ "folders": [] })));
    assert_eq!(report.by_task("small").keys().copied().collect::<Vec<_>>(), ["sort"]);
    assert_eq!((clerk.calls(), report.paid.calls), (3, 3), "no other task was called");
}

#[tokio::test]
async fn a_task_without_inputs_needs_none() {
    let cases = Case::<Desk>::from_csv("name,state.folders\nx,\"[\"\"x\"\"]\"\n").unwrap();
    let report = Eval::for_task("answers", OfficeTask::Answer, cases)
        .variant("small", Office::runner().model(clerk()))
        .score("report", |trial| trial.report().is_none() && trial.why().is_none())
        .run()
        .await;
    assert_eq!(report.summary("small").passed, 1, "{report}");
}

#[tokio::test]
async fn inputs_that_do_not_fit_are_an_error_of_the_trial() {
    let error = |task, inputs: Value| async move {
        let case = Case::new("a", Desk::default()).with_inputs(inputs);
        let eval = Eval::for_task("wrong", task, vec![case]);
        let report = eval.variant("small", Office::runner().model(Clerk::bills())).run().await;
        assert_eq!((report.summary("small").errors, report.paid.calls), (1, 0));
        report.trials[0].error.clone().unwrap()
    };
    let wrong = error(OfficeTask::Sort, json!({ "text": "Hello" })).await;
    assert!(wrong.starts_with("the inputs of the case don't fit the task `sort`: "), "{wrong}");
    assert!(wrong.contains("lines"), "{wrong}");
    let null = error(OfficeTask::Sort, Value::Null).await;
    assert!(null.starts_with("the inputs of the case don't fit the task `sort`"), "{null}");
    let some = error(OfficeTask::Answer, json!(7)).await;
    assert_eq!(some, "the case has inputs, and the task `answer` takes none");
}

#[test]
fn wrong_inputs_are_named_with_their_place() {
    let csv = |text: &str| Case::<Desk, (), Mail>::from_csv(text).unwrap_err().to_string();
    assert_eq!(
        csv("name,inputs.text,inputs.lines\na,x,many"),
        "line 2, column 3: `inputs.lines`: invalid type: string \"many\", expected u32"
    );
    assert!(csv("name\na").starts_with("line 2, column 1: `inputs`: "), "{}", csv("name\na"));
    let json = |text: &str| Case::<Desk, (), Mail>::from_json_lines(text).unwrap_err().to_string();
    assert_eq!(json(r#"{"name":"a"}"#), "line 1, column 12: `inputs` is missing");
    assert_eq!(
        json(r#"{"name":"a","inputs":{"text":1,"lines":1}}"#),
        "line 1, column 30: invalid type: integer `1`, expected a string"
    );
    let state = Case::<Mail>::from_json_lines(r#"{"name":"a"}"#).unwrap_err();
    assert_eq!(state.to_string(), "line 1, column 12: `state` is missing");
}

cot_process! {
    /// Sorts several mails.
    process Pile {
        state: { input mails: Vec<String>, folders: Vec<Folder> },
        max_retries: 0,

        task sort -> Folder {
            for_each: mail in state.mails,
            max_concurrency: 1,
            prompt: "Name the folder of this mail: ${mail}",
            update: { folders = output },
            next: done,
        }

        task done { end }
    }
}

#[tokio::test]
async fn accepted_replies_count_by_item() {
    let clerk = Clerk::new(&[("Hello", r#"{"name": "friends"}"#), ("", "I do not know.")]);
    let pile = |name, mails: &[&str]| {
        Case::new(name, PileState::new(mails.iter().map(|mail| (*mail).to_owned()).collect()))
    };
    let cases =
        vec![pile("good", &["Hello 1", "Hello 2"]), pile("bad", &["Hello 3", "Bye", "Bye"])];
    let report = Eval::new("pile", cases).variant("small", Pile::runner().model(clerk)).run().await;
    let sort = |trial: usize| report.trials[trial].tasks["sort"];
    let figures = [0, 1].map(|trial| {
        let totals = sort(trial);
        (totals.visits, totals.accepted_replies, totals.failed_attempts, totals.usage.calls)
    });
    assert_eq!(figures, [(1, 2, 0, 2), (1, 1, 1, 2)]);
}
