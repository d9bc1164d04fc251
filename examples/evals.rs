//! Measures how well a model sorts the mails of a shop, with two goals, and says whether one of them is better.
//!
//! `cargo run -p cot-examples --example evals` uses a model of fixed rules, unless the environment names a real one.
//! The reports are written into the folder for temporary files, where `cot eval show` and `cot eval compare` read them,
//! and so are the replies: a second run pays nothing.

use std::{env, error::Error, fs};

use cot_core::{
    LanguageModel, Runner, Usage,
    eval::{Case, Comparison, Eval, ReplyCache, Report, score},
    model::{BoxFuture, ModelError, ModelReply, ModelRequest, OpenAiCompatible},
    prelude::*,
    progress::Progress,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

/// Where a mail belongs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, CotOutput)]
pub struct Sorted {
    /// The department that answers it.
    pub department: Department,
    /// Whether somebody is in danger, or the matter can't wait until tomorrow.
    pub is_urgent: bool,
}

/// A department of the shop.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Department {
    /// Invoices and payments.
    Billing,
    /// Parcels that are late or lost.
    Delivery,
    /// Something is broken.
    Defect,
    /// Anything else.
    Other,
}

cot_process! {
    /// Sorts one mail.
    pub process Sorter {
        state: { input mail: String, sorted: Sorted },
        goal: "Sort the mails of a shop",

        task sort -> Sorted {
            prompt: "Sort this mail:\n${quoted(state.mail)}",
            temperature: 0,
            update: { sorted = output },
            next: done,
        }

        task done { end }
    }
}

/// The cases. A file with such lines is read in the same way, and so is one of JSON Lines.
const MAILS: &str = r#"name,tags,state.mail,expected.department,expected.is_urgent
invoice twice,billing,"I was charged twice for order 4711. Please refund one of the payments.",billing,false
card declined,billing,"Your shop declines my card, though my bank says that it is fine.",billing,false
no receipt,billing,"I need a receipt for order 88 for my tax return.",billing,false
late parcel,delivery,"Order 12 should have been here on Monday. Where is it?",delivery,false
wrong door,delivery,"The parcel was left at the wrong house, and my neighbour has it.",delivery,false
needed tomorrow,delivery urgent,"The wedding is tomorrow and the dress has not been delivered yet!",delivery,true
cracked screen,defect,"The tablet came with a cracked screen.",defect,false
smoke,defect urgent,"The charger smells burnt and there was smoke. Is it dangerous?",defect,true
does not start,defect,"The coffee machine does not start, whatever I press.",defect,false
opening hours,other,"Is your shop in Lyon open on Sunday?",other,false
praise,other,"I just want to say thank you to the lady on the phone.",other,false
job,other,"Do you have a job for a student in August?",other,false
"#;

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let folder = env::temp_dir();
    let cache = ReplyCache::open(folder.join("cot-evals.jsonl"))?;
    let runner = |goal: &str| -> Result<Runner<Sorter>, Box<dyn Error>> {
        Ok(Sorter::runner().model(model()?).goal(goal))
    };
    let plain = eval(runner("Sort the mails of a shop")?, &cache).await?;
    let careful = eval(
        runner(
            "Sort the mails of a shop. Few mails are urgent: those with a danger or a deadline",
        )?,
        &cache,
    )
    .await?;
    for (name, report) in [("plain", &plain), ("careful", &careful)] {
        let file = folder.join(format!("cot-evals-{name}.json"));
        fs::write(&file, serde_json::to_string(report)?)?;
        println!("{}:\n\n{report}", file.display());
    }
    println!("From plain to careful:\n{}", Comparison::between(&plain, &careful));
    Ok(())
}

async fn eval(runner: Runner<Sorter>, cache: &ReplyCache) -> Result<Report, Box<dyn Error>> {
    let cases = Case::<SorterState, Sorted>::from_csv(MAILS)?;
    let bar = Progress::stderr().bar("mails");
    let eval = Eval::new("mails", cases)
        .variant("sorter", runner)
        .score("department", |trial| {
            let found = trial.state().sorted.as_ref().map(|sorted| sorted.department);
            score::equal(&found, &Some(trial.expected().department))
        })
        .metric("urgent", |trial| {
            let found = trial.state().sorted.as_ref().map(|sorted| sorted.is_urgent);
            score::equal(&found, &Some(trial.expected().is_urgent))
        })
        .repeats(2)
        .on_result(move |_, at| bar.set(at.done, at.total, format!("{} failed", at.failed)))
        .cache(cache.clone());
    Ok(eval.run().await)
}

/// The model of a server, if the environment names one. Otherwise replies that are written here.
fn model() -> Result<Box<dyn LanguageModel>, Box<dyn Error>> {
    Ok(match OpenAiCompatible::from_env() {
        Some(server) => Box::new(server.build()?),
        None => Box::new(Rules),
    })
}

/// A model that follows fixed rules.
struct Rules;

impl LanguageModel for Rules {
    fn reply<'a>(
        &'a self,
        request: &'a ModelRequest,
    ) -> BoxFuture<'a, Result<ModelReply, ModelError>> {
        let prompt = request.prompt();
        // The mail is in a fence, two lines below the sentence before it.
        let (_, after) = prompt.split_once("Sort this mail:\n").unwrap_or_default();
        let mail = after.lines().nth(1).unwrap_or_default();
        let has = |words: &[&str]| words.iter().any(|word| mail.contains(word));
        let department = match () {
            () if has(&["charged", "card", "receipt"]) => "billing",
            () if has(&["parcel", "Where is", "delivered"]) => "delivery",
            () if has(&["cracked", "smoke"]) => "defect",
            () => "other",
        };
        // Without the hint of the careful goal, it takes questions for urgent.
        let is_careful = prompt.contains("Few mails are urgent");
        let is_urgent = has(&["tomorrow", "smoke"]) || has(&["?"]) && !is_careful;
        let reply = json!({ "department": department, "is_urgent": is_urgent }).to_string();
        let usage = Usage::for_call(prompt.len() as u64 / 4, 12);
        Box::pin(async move { Ok(ModelReply::new(reply).usage(usage)) })
    }
}
