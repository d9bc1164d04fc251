//! A question that the model breaks into tasks and works through, with a function as a tool. The run is stored
//! in a SQLite file: kill the program at any time and start it again, and it resumes where it stood.
//!
//! ```sh
//! cargo run -p cot-examples --example plan_execute                  # answers the question; kill it and start it again
//! cargo run -p cot-examples --example plan_execute -- --die-after 3 # or let it die after three replies
//! ```
//!
//! `cargo run -p cot-cli -- runs show prices --store FILE` shows every reply and every call.

use std::{error::Error, fmt, fs, sync::Arc};

use cot_core::{
    CotOutput,
    model::{ModelRequest, ScriptedModel},
    plan_execute::{ChainLimits, ChainOfThought, Context, Execute, Plan, Progress},
    tools::ToolSet,
};
use cot_examples::{Arguments, Mortal, say};
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
    let arguments = Arguments::read()?;
    let file = std::env::temp_dir().join("cot-plan-execute.sqlite");
    say("store", file.display());
    let model = arguments.model(ScriptedModel::from_fn(scripted))?;
    let model = Arc::new(Mortal::new(model, arguments.die_after));
    let question = match &arguments.input {
        Some(file) => serde_json::from_str(&fs::read_to_string(file)?)?,
        None => QUESTION.to_owned(),
    };
    say("question", &question);

    let store = SqliteStore::open(&file)?;
    let chain = ChainOfThought::new(Plan::new(Arc::clone(&model)), Execute::new(model))
        .tools(ToolSet::new().tool("price", "The price of a thing in stock, in euros", price))
        .limits(ChainLimits { steps: 20, ..ChainLimits::default() })
        .configure(move |runner| runner.store(store.clone()).run_id("prices"))
        .observe(print_progress);
    let mut context = Context::new(question);
    chain.run(&mut context).await?;
    say("answer", context.answer.as_deref().unwrap_or("none"));
    say("used", format_args!("{} calls of the model", context.usage.calls));
    say("file", format_args!("remove {} to start again", file.display()));
    Ok(())
}

fn print_progress(progress: &Progress) {
    match progress {
        Progress::Planned { todos, action } => say("plan", format_args!("{action}\n{todos}")),
        Progress::Worked { step, current, result, todos, action } => {
            say("step", format_args!("{step}: {action}"));
            if !result.is_empty() {
                say("  worked", format_args!("{current}: {result}\n{todos}"));
            }
        }
        Progress::Calling { name, arguments } => say("calls", format_args!("{name} {arguments}")),
        Progress::Called { result: Ok(result), .. } => say("  gave", result),
        Progress::Called { result: Err(error), .. } => say("  failed", error),
        Progress::Ended { ending, .. } => say("ended", format_args!("{ending:?}")),
        _ => {}
    }
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
