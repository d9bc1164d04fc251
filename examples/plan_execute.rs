//! A question that the model breaks into tasks and works through, with a function as a tool. The run is stored
//! in a SQLite file: kill the program at any time and start it again, and it resumes where it stood.
//!
//! ```sh
//! cargo run -p cot-examples --example plan_execute         # answers the question; kill it and start it again
//! CRASH=1 cargo run -p cot-examples --example plan_execute # or let it die in the middle of its fourth call
//! ```
//!
//! `cargo run -p cot-cli -- runs show prices --store FILE` shows every reply and every call.

use std::{env, error::Error, fmt, process, sync::Arc};

use cot_core::{
    CotOutput, LanguageModel,
    model::{ModelRequest, OpenAiCompatible, ScriptedModel},
    plan_execute::{ChainLimits, ChainOfThought, Context, Execute, Plan, Progress},
    tools::ToolSet,
};
use cot_sqlite::SqliteStore;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

const QUESTION: &str = "What do three lamps and a desk cost?";

/// The things in stock with their prices in euros.
const STOCK: [(&str, u32); 3] = [("lamp", 40), ("desk", 310), ("chair", 120)];

/// Asks for the price of a thing.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
pub struct PriceOf {
    /// The name of the thing, in singular and lower case.
    #[schemars(regex(pattern = "^[a-z]+$"))]
    pub thing: String,
}

/// The thing is not in stock.
#[derive(Debug)]
pub struct Unknown(String);

impl fmt::Display for Unknown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let things = STOCK.map(|(thing, _)| thing).join(", ");
        write!(f, "there is no {} in stock; the stock has: {things}", self.0)
    }
}

impl Error for Unknown {}

async fn price(of: PriceOf) -> Result<u32, Unknown> {
    let found = STOCK.iter().find(|(thing, _)| *thing == of.thing);
    found.map(|(_, euros)| *euros).ok_or(Unknown(of.thing))
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let file = env::temp_dir().join("cot-plan-execute.sqlite");
    println!("store: {}", file.display());
    let model = Arc::new(model()?);
    let question = env::args().nth(1).unwrap_or_else(|| QUESTION.to_owned());
    println!("question: {question}");

    let store = SqliteStore::open(&file)?;
    let chain = ChainOfThought::new(Plan::new(Arc::clone(&model)), Execute::new(model))
        .tools(ToolSet::new().tool("price", "The price of a thing in stock, in euros", price))
        .limits(ChainLimits { steps: 20, ..ChainLimits::default() })
        .configure(move |runner| runner.store(store.clone()).run_id("prices"))
        .observe(print_progress);
    let mut context = Context::new(question);
    chain.run(&mut context).await?;
    println!("answer: {}", context.answer.as_deref().unwrap_or("none"));
    println!("{} calls of the model", context.usage.calls);
    println!("remove {} to start again", file.display());
    Ok(())
}

fn print_progress(progress: &Progress) {
    match progress {
        Progress::Planned { todos, action } => println!("plan: {action}\n{todos}"),
        Progress::Worked { step, current, result, todos, action } => {
            println!("step {step}: {action}");
            if !result.is_empty() {
                println!("{current}: {result}\n{todos}");
            }
        }
        Progress::Calling { name, arguments } => println!("calls {name} {arguments}"),
        Progress::Called { result: Ok(result), .. } => println!("result: {result}"),
        Progress::Called { result: Err(error), .. } => println!("failed: {error}"),
        Progress::Ended { ending, .. } => println!("ended: {ending:?}"),
        _ => {}
    }
}

/// The model of a server, if the environment names one. Otherwise replies that are written here.
fn model() -> Result<Box<dyn LanguageModel>, Box<dyn Error>> {
    Ok(match OpenAiCompatible::from_env() {
        Some(server) => Box::new(server.build()?),
        None => Box::new(ScriptedModel::from_fn(scripted)),
    })
}

/// The replies of the scripted model: two failed calls that it corrects. It depends on the request alone, so
/// that a program that starts again continues the same script.
fn scripted(request: &ModelRequest) -> Value {
    let open = "- [ ] find the prices\n- [ ] add them up";
    let ask = |thing: &str| -> Value {
        json!({ "todos": open, "action": "price", "arguments": { "thing": thing } })
    };
    let system = request.system().unwrap_or_default();
    let calls = system.matches(". tool `price` with").count();
    match (request.prompt().starts_with("Continue"), calls) {
        (true, 0) => ask("Lamps"),
        (true, 1) => ask("lamp"),
        (true, 2) if env::var_os("CRASH").is_some() => {
            println!("the program dies");
            process::abort()
        }
        (true, 2) => ask("table"),
        (true, 3) => ask("desk"),
        (true, _) if !system.contains("5. find the prices: ") => json!({
            "current": "find the prices", "result": "a lamp costs 40, a desk 310",
            "todos": "- [x] find the prices\n- [ ] add them up", "action": "continue",
        }),
        (true, _) => json!({
            "current": "add them up", "result": "3 * 40 + 310 = 430",
            "todos": "- [x] find the prices\n- [x] add them up", "action": "stop",
            "final": "They cost 430 euros.",
        }),
        _ => json!({ "todos": open, "action": "continue" }),
    }
}
