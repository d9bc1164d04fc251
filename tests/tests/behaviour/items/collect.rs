//! For-each tasks that collect the items that fail.

use std::time::Duration;

use cot_core::{
    FunctionError, HaltReason, ItemError,
    model::{ModelReply, ScriptedModel},
    prelude::*,
};
use serde::{Deserialize, Serialize};
use serde_json::json;
use tokio::time::sleep;

use crate::drive::{Note, note};

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
struct Sheet {
    cells: Vec<String>,
    numbers: Vec<Result<u32, ItemError>>,
    notes: Vec<Result<Note, ItemError>>,
    parts: Vec<Result<Part, ItemError>>,
}

impl Sheet {
    fn new(cells: &[&str]) -> Self {
        Self { cells: cells.iter().map(|cell| (*cell).to_owned()).collect(), ..Self::default() }
    }
}

async fn number(_: &Sheet, cell: &str) -> Result<u32, FunctionError> {
    match cell {
        "panics" => panic!("no such cell"),
        "hangs" => sleep(Duration::from_secs(100)).await,
        "long" => return Err(FunctionError::new("x".repeat(100_000))),
        _ => {}
    }
    cell.parse().map_err(FunctionError::new)
}

cot_process! {
    process Sums {
        state: Sheet,
        timeout: 60s,

        task number -> u32 {
            for_each: cell in state.cells,
            run: number,
            timeout: 5s,
            collect: ok,
            update: numbers,
            next: done,
        }

        task done { end }
    }
}

#[tokio::test(start_paused = true)]
async fn items_that_fail_panic_or_hang_are_errors_beside_the_outputs() {
    let sheet = Sheet::new(&["1", "one", "panics", "hangs", "5", "long"]);
    let run = Sums::runner().run(sheet).await.unwrap();
    assert_eq!(run.outcome, SumsOutcome::Done);
    let reasons: Vec<Result<u32, (usize, &str)>> = run
        .state
        .numbers
        .iter()
        .map(|number| number.as_ref().copied().map_err(|error| (error.item, &*error.reason)))
        .collect();
    assert_eq!(
        reasons[..2],
        [Ok(1), Err((1, "the function failed: invalid digit found in string")),]
    );
    assert!(matches!(reasons[2], Err((2, why)) if why.contains("no such cell")), "{reasons:?}");
    assert_eq!(reasons[3], Err((3, "the task's time limit of 5s passed")));
    assert_eq!(reasons[4], Ok(5));
    assert!(matches!(reasons[5], Err((5, why)) if why.len() < 10_000));
}

#[tokio::test(start_paused = true)]
async fn limits_of_the_run_end_the_task_all_the_same() {
    let cells = ["hangs"].repeat(200);
    let run = Sums::runner().report(Sheet::new(&cells)).await.unwrap();
    let SumsOutcome::Halted(halt) = &run.outcome else { panic!("{:?}", run.outcome) };
    let HaltReason::ItemFailed(failed) = &halt.reason else { panic!("{halt}") };
    assert_eq!(failed.reason, HaltReason::RunTimeout(Duration::from_secs(60)));
    assert!(run.state.numbers.is_empty());
}

cot_process! {
    process Ask {
        state: Sheet,
        max_retries: 1,
        budget: { calls: 10 },

        task ask -> Note {
            for_each: cell in state.cells,
            full_prompt: "${cell}",
            collect: ok,
            update: notes,
            on: { budget => spent },
            next: done,
        }

        task spent { fail: "spent" }
        task done { end }
    }
}

fn model() -> ScriptedModel {
    ScriptedModel::from_fn(|request| match request.prompt().lines().next() {
        Some("bad") => ModelReply::new("?"),
        _ => note("good", 1).into(),
    })
}

#[tokio::test]
async fn items_of_models_are_collected_too() {
    let run = Ask::runner().model(model()).report(Sheet::new(&["a", "bad", "c"])).await.unwrap();
    let good = Note { text: "good".to_owned(), rank: 1 };
    let reason = "no attempt gave a valid reply".to_owned();
    assert_eq!(run.state.notes, [Ok(good.clone()), Err(ItemError { item: 1, reason }), Ok(good)]);
    assert_eq!(run.usage.calls, 4);
    let run = Ask::runner().model(model()).report(Sheet::new(&["bad"; 6])).await.unwrap();
    assert_eq!(run.outcome, AskOutcome::Spent("spent".to_owned()));
    assert!(run.usage.calls <= 10);
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
struct Part {
    cell: String,
    number: u32,
}

async fn parse(part: &Part) -> Result<u32, std::num::ParseIntError> {
    part.cell.parse()
}

cot_process! {
    process Cell {
        state: Part,
        task parse -> u32 { run: parse, update: number, next: { even if output % 2 == 0, odd } }
        task even { end }
        task odd { fail: "${state.cell} is odd" }
    }
}

cot_process! {
    process Cells {
        state: Sheet,

        task each {
            for_each: cell in state.cells,
            process: Cell with Part { cell: cell.clone(), number: 0 },
            collect: ok,
            update: parts,
            next: done,
        }

        task done { end }
    }
}

#[tokio::test]
async fn sub_processes_that_fail_are_errors_beside_the_final_states() {
    let run = Cells::runner().run(Sheet::new(&["2", "3", "x", "4"])).await.unwrap();
    let json = serde_json::to_value(&run.state.parts).unwrap();
    assert_eq!(
        json,
        json!([
            { "Ok": { "cell": "2", "number": 2 } },
            { "Err": { "item": 1, "reason": "the process Cell failed at its task `odd`: 3 is odd" } },
            { "Err": { "item": 2, "reason":
                "the process Cell failed at its task `parse`: the function failed: invalid digit found in string" } },
            { "Ok": { "cell": "4", "number": 4 } },
        ])
    );
    let error = run.state.parts[1].as_ref().unwrap_err();
    assert_eq!(error.to_string(), "item 1: the process Cell failed at its task `odd`: 3 is odd");
}
