//! A question that the model breaks into tasks and works through, with a function as a tool.
//!
//! `cargo run --example plan_execute`

use std::{error::Error, fmt, fs, sync::Arc};

use cot_core::{
    CotOutput, LanguageModel,
    model::ScriptedModel,
    plan_execute::{ChainOfThought, Context, Execute, Plan, Progress},
};
use cot_examples::{Arguments, say};
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
    let model: Arc<dyn LanguageModel> = Arc::from(arguments.model(script())?);
    let question = match &arguments.input {
        Some(file) => serde_json::from_str(&fs::read_to_string(file)?)?,
        None => QUESTION.to_owned(),
    };
    say("question", &question);

    let chain = ChainOfThought::new(Plan::new(Arc::clone(&model)), Execute::new(model))
        .tool("price", "The price of a thing in stock, in euros", price)
        .max_steps(20)
        .observe(print_progress);
    let mut context = Context::new(question);
    chain.run(&mut context).await?;
    say("answer", context.answer.as_deref().unwrap_or("none"));
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

/// Replies for runs without a real model: two failed calls that the model corrects.
fn script() -> ScriptedModel {
    let ask = |thing: &str, todos: &str| -> Value {
        json!({ "todos": todos, "action": "price", "arguments": { "thing": thing } })
    };
    let open = "- [ ] find the prices\n- [ ] add them up";
    ScriptedModel::new([
        json!({ "todos": open, "action": "continue" }),
        ask("Lamps", open),
        ask("lamp", open),
        ask("table", open),
        ask("desk", open),
        json!({
            "current": "find the prices", "result": "a lamp costs 40, a desk 310",
            "todos": "- [x] find the prices\n- [ ] add them up", "action": "continue",
        }),
        json!({
            "current": "add them up", "result": "3 * 40 + 310 = 430",
            "todos": "- [x] find the prices\n- [x] add them up", "action": "stop",
            "final": "They cost 430 euros.",
        }),
    ])
}
