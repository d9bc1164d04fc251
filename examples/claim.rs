//! Checks a claim for expenses: a model reads the photo of a receipt, and decides about it by the rules in a
//! document. Prints what each prompt is made of, and how much of it a prompt cache can serve.
//!
//! `cargo run -p cot-examples --example claim` uses a scripted model, unless the environment names a real one. An argument is
//! the file of another photo.

use std::{
    env,
    error::Error,
    fs,
    iter::zip,
    sync::{Mutex, PoisonError},
};

use cot_core::{
    Usage,
    model::{
        AcceptedMedia, Document, Image, ModelExt, ModelReply, ModelRequest, OpenAiCompatible,
        Price, ScriptedModel,
    },
    prelude::*,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

/// What a receipt says.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
pub struct Receipt {
    /// The place.
    #[schemars(length(min = 1, max = 80))]
    pub place: String,
    /// The date, such as 2026-12-31.
    #[schemars(regex(pattern = "^[0-9]{4}-[0-9]{2}-[0-9]{2}$"))]
    pub date: String,
    /// The items, in the order of the receipt.
    #[schemars(length(min = 1, max = 50))]
    pub items: Vec<Item>,
    /// The total in cents.
    pub total: u32,
}

/// A line of a receipt.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Item {
    /// What was bought.
    pub name: String,
    /// The price in cents.
    pub cents: u32,
}

cot_process! {
    /// Checks a claim for expenses.
    pub process Claim {
        state: {
            /// The photo of the receipt.
            input photo: Image,
            /// The rules for expenses.
            input rules: Document,
            receipt: Receipt,
        },
        intro: "You check claims for expenses. The rules:\n${document(state.rules)}",
        history: none,
        budget: { calls: 6, cost: 0.05 },

        task read -> Receipt {
            title: "Read the receipt",
            prompt: "Copy what this receipt says:\n${image(state.photo)}",
            check: adds_up,
            update: receipt,
            next: decide,
        }

        task decide {
            title: "Decide about the claim",
            prompt: "Decide about this receipt:\n${json(state.receipt)}",
            transitions: {
                pay: "The rules cover all of it",
                ask: "A person has to decide",
                refuse: "The rules exclude it",
            },
        }

        task pay { end }
        task ask { end }
        task refuse { fail: "the rules exclude the receipt of ${state.receipt.place}" }
    }
}

fn adds_up(receipt: &Receipt, _: &ClaimState) -> Result<(), Issues> {
    let sum: u32 = receipt.items.iter().map(|item| item.cents).sum();
    if sum == receipt.total {
        return Ok(());
    }
    Err(Issues::at("$.total", format!("the items add up to {sum}")))
}

const RULES: &str = "\
# Expenses on journeys

1. Meals and drinks are paid up to 30.00 EUR a day, against a receipt.
2. A receipt shows the place, the date, each item and the total.
3. Alcohol is not paid. A person decides about receipts above the limit.
";

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    // Their types are checked here, before a run starts.
    let photo = match env::args().nth(1) {
        Some(file) => Image::from_bytes(fs::read(file)?)?,
        None => Image::from_bytes(include_bytes!("data/receipt.png"))?,
    };
    let rules = Document::from_bytes("text/markdown", RULES)?;
    let state = ClaimState::new(photo, rules.with_name("expenses.md"));

    let model = model()?.priced(Price::per_million(3.0, 15.0).cache_per_million(0.3, 3.75));
    let runner = Claim::runner().model(model).observe(|event, _| {
        println!("{event}");
        if let RunEvent::Prompt { request, .. } = event {
            request.media().iter().for_each(|media| println!("shows: {}", media.placeholder()));
            println!("{}", request.segments());
        }
    });
    let run = runner.run(state).await?;
    let Usage { input_tokens, cached_tokens, output_tokens, cost, .. } = run.usage;
    println!("used: {input_tokens} tokens, {cached_tokens} of them cached");
    println!("wrote: {output_tokens} tokens, {cost:.6} in all");
    Ok(())
}

/// The model of a server, if the environment names one. Otherwise replies that are written here.
fn model() -> Result<Box<dyn LanguageModel>, Box<dyn Error>> {
    Ok(match OpenAiCompatible::from_env() {
        // A server whose model reads text only refuses images itself.
        Some(server) => Box::new(server.accepts(AcceptedMedia::ALL).build()?),
        None => Box::new(script()),
    })
}

/// Its cache serves what a prompt has in common with the last one.
fn script() -> ScriptedModel {
    let last = Mutex::new(String::new());
    ScriptedModel::from_fn(move |request| {
        let prompt = [request.system().unwrap_or_default(), request.prompt()].concat();
        let mut last = last.lock().unwrap_or_else(PoisonError::into_inner);
        let cached =
            zip(prompt.bytes(), last.bytes()).take_while(|(now, then)| now == then).count();
        let usage = Usage::for_call(tokens(prompt.len()), 40).cached(tokens(cached), 0);
        *last = prompt;
        ModelReply::from(reply(request)).usage(usage)
    })
}

fn reply(request: &ModelRequest) -> serde_json::Value {
    if request.media().len() < 2 {
        return json!({ "intent": "pay the coffee", "goTo": "pay", "stepAfter": "nothing" });
    }
    let items = [("Coffee", 700), ("Cake", 450)]
        .map(|(name, cents)| json!({ "name": name, "cents": cents }));
    json!({ "place": "Cafe Roma", "date": "2026-03-04", "items": items, "total": 1150 })
}

fn tokens(bytes: usize) -> u64 {
    bytes as u64 / 4
}
