//! The prompt cache of a real inference server: the tokens that it evaluates for a run, in the order of this
//! library and in the usual one.
//!
//! Runs only where `COT_LLAMA_URL` names a server (`tests/llama/server.sh start PORT` starts one and prints the
//! URL): `cargo test -p cot-examples --test caching -- --nocapture`.
#![expect(clippy::unwrap_used, reason = "a helper that fails is a failed test")]
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a measurement prints")]

use std::{sync::Arc, time::SystemTime};

use cot_core::{
    LanguageModel, Usage,
    model::{ModelRequest, OpenAiCompatible},
};
use cot_workloads::{
    builder,
    by_hand::{Layout, SYSTEM, by_hand},
};

#[tokio::test]
async fn the_server_evaluates_fewer_tokens_of_prompts_in_the_order_of_stability() {
    let Ok(url) = std::env::var("COT_LLAMA_URL") else {
        eprintln!("SKIPPED: COT_LLAMA_URL is not set; see tests/llama/server.sh");
        return;
    };
    let base_url = format!("{}/v1", url.trim_end_matches('/'));
    let model = OpenAiCompatible::builder(base_url, "random").build().unwrap();
    let state_first = run(&model, Layout::StateFirst).await;
    let stable_first = run(&model, Layout::StableFirst).await;
    let share = evaluated(&stable_first) as f64 / evaluated(&state_first) as f64;
    for (name, usage) in [("state first", &state_first), ("stable first", &stable_first)] {
        println!(
            "{name}: {} tokens of prompts, {} from the cache, {} evaluated",
            usage.input_tokens,
            usage.cached_tokens,
            evaluated(usage)
        );
    }
    println!("evaluated: {:.1} % of those of the usual order", share * 100.0);
    assert!(share <= 0.6);
}

/// Sends the prompts of a run, for which one token of a reply is enough. The prompts of the library are the same
/// as those by hand, which a test of `cot-workloads` asserts.
///
/// The system message begins with the time, so that the cache can't serve it from an earlier run.
async fn run(model: &OpenAiCompatible, layout: Layout) -> Usage {
    let mut prompts = Vec::new();
    by_hand(&builder::replies(), layout, |prompt| prompts.push(prompt.to_owned()));
    let time = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap();
    let system = format!("{}\n{SYSTEM}", time.as_nanos());
    let mut total = Usage::default();
    for prompt in prompts {
        let mut request = ModelRequest::new(prompt).with_system(system.clone());
        Arc::make_mut(&mut request.settings).max_tokens = Some(1);
        total += model.reply(&request).await.unwrap().usage;
    }
    total
}

fn evaluated(usage: &Usage) -> u64 {
    usage.input_tokens - usage.cached_tokens
}
