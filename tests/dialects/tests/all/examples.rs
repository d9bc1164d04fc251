//! The replies that the examples ask for.

use std::sync::{Arc, Mutex};

use cot_core::{model::Dialect, prelude::*, testing::MonkeyModel};
use serde_json::Value;

use crate::{DIALECTS, assert_kept, rewritten, types::assert_decodable};

#[path = "../../../../examples/approval.rs"]
#[expect(dead_code, unreachable_pub, reason = "it is a program, used here as a module")]
mod approval;
#[path = "../../../../examples/by_hand.rs"]
#[expect(dead_code, unreachable_pub, reason = "it is a program, used here as a module")]
mod by_hand;
#[path = "../../../../examples/data_source.rs"]
#[expect(dead_code, unreachable_pub, reason = "it is a program, used here as a module")]
mod ds_builder;
#[path = "../../../../examples/research.rs"]
#[expect(dead_code, unreachable_pub, reason = "it is a program, used here as a module")]
mod research;
#[path = "../../../../examples/triage.rs"]
#[expect(dead_code, unreachable_pub, reason = "it is a program, used here as a module")]
mod triage;

/// The schemas that a process asks for when monkeys answer it.
fn asked<P: Process<Context = ()>>(state: impl Fn() -> P::State) -> Vec<Value> {
    let asked = Arc::new(Mutex::new(Vec::new()));
    for seed in 0..20 {
        let seen = Arc::clone(&asked);
        let runner =
            Runner::<P>::new().model(MonkeyModel::seeded(seed)).observe(move |event, _| {
                if let RunEvent::Prompt { request, .. } = event
                    && let Some(schema) = &request.schema
                {
                    let mut seen = seen.lock().unwrap();
                    if !seen.contains(&schema.json) {
                        seen.push(schema.json.clone());
                    }
                }
            });
        let runner = runner.max_steps(30).person(async |_| serde_json::json!({ "approved": true }));
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        // A monkey may run out of attempts: its schemas are seen all the same.
        drop(runtime.block_on(async { runner.run(state()).await }));
    }
    Arc::try_unwrap(asked).unwrap().into_inner().unwrap()
}

fn all() -> Vec<Value> {
    let game = || {
        let game = serde_json::json!({ "secret": 42, "low": 1, "high": 100, "guesses": [] });
        serde_json::from_value(game).unwrap()
    };
    let approval = || approval::ApprovalState::new("Thank Ada.".to_owned());
    let desk = || triage::Desk { ticket: "It is broken.".to_owned(), ..triage::Desk::default() };
    let write = || research::WriteState::new("Why?".to_owned(), Vec::new());
    let research = || research::ResearchState::new("Why?".to_owned());
    [
        asked::<approval::Approval>(approval),
        asked::<by_hand::Guessing>(game),
        asked::<ds_builder::DsBuilder>(ds_builder::BuilderState::default),
        asked::<research::Write>(write),
        asked::<research::Research>(research),
        asked::<triage::Triage>(desk),
    ]
    .concat()
}

#[test]
fn every_dialect_takes_what_the_examples_ask_for() {
    let all = all();
    assert!(all.len() > 10, "{}", all.len());
    for schema in all {
        for dialect in DIALECTS {
            assert_kept(dialect, &rewritten(dialect, &schema), &schema);
        }
    }
}

#[test]
fn engines_take_what_the_examples_ask_for() {
    for schema in all() {
        for dialect in [Dialect::Plain, Dialect::Vllm, Dialect::OpenAiStrict] {
            assert_decodable(&rewritten(dialect, &schema));
        }
    }
}

/// Writes the rewritten schemas into a folder, to be looked at by other tools.
#[test]
#[ignore = "writes files: COT_SCHEMAS=folder cargo test -p cot-dialect-tests -- --ignored"]
fn write_schemas() {
    let folder = std::path::PathBuf::from(std::env::var("COT_SCHEMAS").unwrap());
    let schemas = all().into_iter().chain(crate::types::common());
    for (index, schema) in schemas.enumerate() {
        for dialect in DIALECTS {
            let file = folder.join(format!("{index:02}-{dialect:?}.json"));
            std::fs::write(file, rewritten(dialect, &schema).to_string()).unwrap();
        }
    }
}
