//! Fills a SQLite file with varied runs, to look at the page: `cargo run -p cot-web --example sample_store -- FILE`.
//! With an address, such as `127.0.0.1:8080`, after the file, it also serves the page, and prints where.
//!
//! `desk-done` has retries and repairs, branches, items of which one fails, tools with an approval, and a sub-process; `desk-approval` and `desk`
//! are the same run while it waits for a person, `mail-1` to `mail-6` wait like `desk`, `desk-failed` one that fails, `desk-fork` a fork that
//! no program drives; `count` has 400 steps, and `queued` waits for a worker.

use std::{
    error::Error,
    time::{Duration, SystemTime},
};

use cot_core::{
    ItemError, Usage,
    model::{ModelReply, ModelRequest, ScriptedModel, ToolCall},
    prelude::*,
    store::{Fork, RunFilter, RunId, Status, Store, Submission},
};
use cot_sqlite::SqliteStore;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// What a customer wants.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
pub struct Request {
    /// One sentence.
    #[schemars(length(min = 1, max = 200))]
    pub summary: String,
    /// The articles that are mentioned, in the singular.
    pub articles: Vec<String>,
    /// From 1 (can wait) to 5 (now).
    #[schemars(range(min = 1, max = 5))]
    pub urgency: u8,
}

/// What is known of an article.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
pub struct Fact {
    /// The article.
    pub article: String,
    /// One sentence.
    pub text: String,
}

/// A text.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
pub struct Text {
    /// The text.
    #[schemars(length(min = 1, max = 1000))]
    pub text: String,
}

/// The decision about a letter.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
pub struct Decision {
    /// Whether the letter can be sent unchanged.
    pub approved: bool,
    /// What has to change, if it can't.
    #[schemars(length(max = 500))]
    pub remark: Option<String>,
}

/// Which article to look up.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
pub struct Article {
    /// The name, in the singular.
    #[schemars(length(min = 1, max = 40))]
    pub name: String,
}

cot_process! {
    /// Writes an answer, and improves it once.
    pub process Write {
        state: { input summary: String, answer: Text, rounds: u32 = 0 },
        history: none,

        task draft -> Text {
            title: "Write the answer",
            prompt: "Answer: ${state.summary}",
            update: { answer = output },
            next: review,
        }

        task review {
            title: "Judge the answer",
            prompt: "The answer after ${state.rounds} rounds:\n${state.answer.text}",
            transitions: {
                improve: "Something is missing in it" if state.rounds < 1,
                done: "It is right and complete",
            },
        }

        task improve -> Text {
            title: "Improve the answer",
            prompt: "Improve this answer:\n${state.answer.text}",
            update: { answer = output, rounds = state.rounds + 1 },
            next: review,
        }

        task done { end }
    }
}

cot_process! {
    /// Answers the mail of customers.
    pub process Desk {
        state: {
            /// The mail.
            input mail: String,
            request: Request,
            stock: Text,
            terms: Text,
            facts: Vec<Result<Fact, ItemError>> = vec![],
            answer: Text,
            decision: Decision,
        },
        intro: "You answer the mail of a shop for kitchen ware. Be short, and promise nothing that is not known. Never name a price that was \
                not looked up.\nThe mail:\n${quoted(&state.mail)}",
        goal: "Answer the mail so that the customer need not write again",
        history: none,
        max_steps: 60,
        tools: {
            price: price "Returns the price of an article in cents",
            refund: refund "Refunds an article" { effect: once, approve: person },
        },

        task read -> Request {
            title: "Understand the mail",
            prompt: "Say what the customer wants.",
            update: { request = output },
            on: { exhausted => give_up },
            next: search,
        }

        parallel search [stock, terms] => facts { title: "Look things up", join: all }

        task stock -> Text {
            title: "Is it in stock?",
            prompt: "Is it in stock: ${json(&state.request.articles)}",
            update: { stock = output },
            next: facts,
        }

        task terms -> Text {
            title: "Which terms apply?",
            prompt: "Which terms apply?",
            update: { terms = output },
            next: facts,
        }

        task facts -> Fact {
            title: "Collect facts",
            for_each: article in state.request.articles,
            prompt: "State a fact about ${quoted(&article)}.",
            max_retries: 1,
            collect: ok,
            update: facts,
            next: settle,
        }

        task settle -> Text {
            title: "Settle prices and refunds",
            prompt: "Look up the prices, and refund what has to be refunded.\n${state.stock.text} ${state.terms.text}",
            tools: [price, refund],
            update: { answer = output },
            on: { interrupted => give_up },
            next: compose,
        }

        task compose {
            title: "Compose the answer",
            process: Write with WriteState::new(state.request.summary.clone()),
            update: { answer = output.answer.unwrap_or(Text { text: String::new() }) },
            next: approve,
        }

        task approve -> Decision {
            title: "Have it approved",
            ask: "May this answer be sent?\n\n${state.answer.text}",
            timeout: 3d,
            update: { decision = output },
            on: { timeout => give_up },
            next: { sent if output.approved, settle },
        }

        task give_up { title: "Give up", fail: "the mail could not be understood" }
        task sent { title: "Sent", end }
    }
}

/// Returns the price of an article.
async fn price(article: &Article) -> Result<u32, String> {
    match article.name.as_str() {
        "kettle" => Ok(3990),
        name => Err(format!("there is no {name}")),
    }
}

/// Refunds an article.
async fn refund(article: &Article) -> Result<String, String> {
    Ok(format!("{} is refunded", article.name))
}

cot_process! {
    /// Counts.
    pub process Count {
        state: { number: u32 = 0, word: Option<Text> = None },
        max_steps: 10_000,

        task count -> Text {
            prompt: "Say the number after ${state.number}.",
            update: { number = state.number + 1, word = Some(output) },
            next: { done if state.number >= 400, count },
        }

        task done { end }
    }
}

const MAIL: &str = "Hello,\nthe kettle that you sent is broken, and the lamp never came. I want my money back for the kettle. \
    And what does a new one cost?\nAnn";

/// The replies of the scripted model for the mail.
fn scripted(request: &ModelRequest) -> ModelReply {
    let prompt = request.prompt();
    let is_retry = prompt.contains("urgency");
    let usage = |reply: ModelReply| {
        let input = prompt.len() as u64 / 4;
        let call = Usage::for_call(input, reply.text.len() as u64 / 4 + 12);
        reply.usage(call.cached(input * 2 / 3, 0).reasoning(8).cost(0.000_4 + input as f64 * 2e-6))
    };
    let asks = |text: &str| prompt.contains(text);
    let json = |value: Value| ModelReply::from(value);
    usage(if asks("Say what the customer wants.") && !is_retry {
        ModelReply::new(
            "Let me see.\n```json\n{'summary': 'Refund of a broken kettle', articles: [\"kettle\", \"lamp\"], \"urgency\": \"very\",}\n```",
        )
    } else if asks("Say what the customer wants.") {
        ModelReply::new(
            "{\n  // as asked\n  'summary': \"Refund of a broken kettle, and the price of a new one\",\n  \"Articles\": [\"kettle\" \"lamp\", \"unicorn\"],\n  \"urgency\": \"4\",\n}",
        )
    } else if asks("Is it in stock") {
        json(json!({ "text": "The kettle is in stock, the lamp is not." }))
    } else if asks("Which terms apply") {
        json(json!({ "text": "A refund within 14 days, whatever the reason." }))
    } else if asks("State a fact about") && asks("unicorn") {
        ModelReply::new("There is no such article.")
    } else if asks("State a fact about") {
        json(
            json!({ "article": if asks("kettle") { "kettle" } else { "lamp" }, "text": "It is sold often." }),
        )
    } else if asks("Look up the prices") {
        settle(request)
    } else if asks("Judge the answer") || asks("The answer after") {
        let to = if asks("after 0 rounds") { "improve" } else { "done" };
        json(json!({ "intent": "The price is missing", "goTo": to, "stepAfter": "judge it again" }))
    } else {
        json(
            json!({ "text": "Dear Ann,\nthe kettle is refunded. A new one costs 39.90 euros.\nYours" }),
        )
    })
}

/// The calls of tools, then the text.
fn settle(request: &ModelRequest) -> ModelReply {
    match request.rounds.len() {
        0 => ModelReply::calling([
            ToolCall::new("price", json!({ "name": "kettle" })),
            ToolCall::new("price", json!({ "name": "unicorn" })),
        ]),
        1 => ModelReply::calling([ToolCall::new("refund", json!({ "name": "kettle" }))]),
        _ => json!({ "text": "A new kettle costs 3990 cents; the old one is refunded." }).into(),
    }
}

type Done = Result<(), Box<dyn Error>>;

/// Runs the desk until it waits, answering its questions as long as there are answers.
async fn desk(store: &SqliteStore, name: &str, answers: &[Value]) -> Done {
    let model = ScriptedModel::from_fn(scripted);
    let runner = Desk::runner().model(model).store(store.clone()).run_id(name);
    let mut run = runner.start(DeskState::new(MAIL.to_owned()))?;
    let mut answers = answers.iter();
    let mut last = None;
    while run.next().await.is_some() {
        if run.question().is_some() {
            let run_id: RunId = name.parse()?;
            let asking = store.run(&run_id).await?.map(|run| run.status);
            let Some(Status::Asking { key, .. }) = asking else { continue };
            if last.as_ref() == Some(&key) {
                continue;
            }
            let Some(answer) = answers.next() else { return Ok(()) };
            store.put_answer(&run_id, &key, answer.clone()).await?;
            last = Some(key);
        }
    }
    Ok(())
}

/// A model that never understands.
async fn halted(store: &SqliteStore) -> Done {
    let model = ScriptedModel::from_fn(|_| ModelReply::new("I can't do that."));
    let runner = Desk::runner().model(model).store(store.clone()).run_id("desk-failed");
    runner.report(DeskState::new("Mumble.".to_owned())).await?;
    Ok(())
}

async fn count(store: &SqliteStore) -> Done {
    let model = ScriptedModel::from_fn(|_| json!({ "text": "next" }));
    Count::runner()
        .model(model)
        .store(store.clone())
        .run_id("count")
        .run(CountState::new())
        .await?;
    Ok(())
}

#[tokio::main]
async fn main() -> Done {
    let file = std::env::args().nth(1).ok_or("which file?")?;
    let store = SqliteStore::open(&file)?;
    if store.runs(&RunFilter::default()).await?.is_empty() {
        fill(&store).await?;
    }
    let Some(address) = std::env::args().nth(2) else { return Ok(()) };
    let listener = tokio::net::TcpListener::bind(address).await?;
    let site = cot_web::Site::new(std::sync::Arc::new(store));
    println!("{}", site.address(listener.local_addr()?));
    site.serve(listener, std::future::pending()).await;
    Ok(())
}

async fn fill(store: &SqliteStore) -> Done {
    let approved = json!({ "approved": true });
    desk(store, "desk", std::slice::from_ref(&approved)).await?;
    for number in 1..=6 {
        desk(store, &format!("mail-{number}"), std::slice::from_ref(&approved)).await?;
    }
    desk(store, "desk-approval", &[]).await?;
    let remark = json!({ "approved": false, "remark": "Name the lamp too." });
    desk(store, "desk-done", &[approved.clone(), remark, approved.clone(), approved]).await?;
    halted(store).await?;
    count(store).await?;
    let now = SystemTime::now();
    Fork::new("desk-done".parse()?).at(3).create(store, &"desk-fork".parse()?, now).await?;
    let queued = Submission::new(
        "Desk",
        &DeskState::new("A new mail.".to_owned()),
        now + Duration::from_secs(1),
    )?;
    store.submit(queued.run_id("queued".parse()?)).await?;
    Ok(())
}
