//! Answers questions with a tool: the model decides what to look up, and when it knows enough.

use std::{collections::BTreeMap, env, error::Error};

use cot_core::{
    model::{ModelReply, OpenAiCompatible, ScriptedModel, ToolCall},
    prelude::*,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

/// An answer to a question.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, CotOutput)]
struct Answer {
    /// The answer, in one or two sentences.
    #[schemars(length(min = 1, max = 500))]
    text: String,
    /// Whether the tool has given all that the answer says.
    is_certain: bool,
}

/// An article to look up.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
struct Article {
    /// The name, such as `lamp`.
    name: String,
}

cot_process! {
    /// Answers a question about the stock of a shop.
    process Clerk {
        state: { input question: String, answer: Answer },
        context: Stock,
        tools: {
            look_up: look_up "Returns how many pieces of an article are in stock" { timeout: 10s },
        },
        max_steps: 10,

        task answer -> Answer {
            prompt: "Answer the question of a customer. Look up each article first.\n${quoted(state.question)}",
            tools: [look_up],
            max_tool_calls: 8,
            update: answer,
            next: { done if output.is_certain, unknown },
        }

        task done { end }
        task unknown { fail: "nobody knows the answer to: ${state.question}" }
    }
}

/// What the program gives to the functions of the process. A real shop has a pool of connections here.
struct Stock(BTreeMap<&'static str, u32>);

impl Stock {
    fn new() -> Self {
        Self(BTreeMap::from([("desk", 0), ("lamp", 3)]))
    }
}

async fn look_up(article: &Article, _: &ClerkState, cx: &Cx<'_, Clerk>) -> Result<u32, String> {
    let count = cx.app().0.get(article.name.as_str());
    count.copied().ok_or_else(|| format!("there is no article `{}`", article.name))
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let question = env::args().nth(1).unwrap_or_else(|| "Do you have a lamp?".to_owned());
    let runner = Clerk::runner(Stock::new()).model(model()?);
    let run = runner.observe(|event, _| println!("{event}")).run(ClerkState::new(question)).await?;
    println!("{}", run.state.answer.map(|answer| answer.text).unwrap_or_default());
    Ok(())
}

/// The model of a server, if the environment names one. Otherwise replies that are written here.
fn model() -> Result<Box<dyn LanguageModel>, Box<dyn Error>> {
    Ok(match OpenAiCompatible::from_env() {
        Some(server) => Box::new(server.build()?),
        None => Box::new(script()),
    })
}

fn script() -> ScriptedModel {
    let call =
        |name: &str| ModelReply::calling([ToolCall::new("look_up", json!({ "name": name }))]);
    let answer = json!({ "text": "Yes, there are three lamps.", "is_certain": true });
    ScriptedModel::new([call("lamps"), call("lamp"), answer.into()])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn an_unknown_article_is_told_to_the_model() {
        let runner = Clerk::runner(Stock::new()).model(script());
        let run = runner.run(ClerkState::new("Do you have a lamp?".to_owned())).await.unwrap();
        assert!(matches!(run.outcome, ClerkOutcome::Done));
        assert_eq!(run.usage.calls, 3);
    }

    #[tokio::test]
    async fn an_uncertain_answer_is_a_failure() {
        let guess = json!({ "text": "Perhaps.", "is_certain": false });
        let runner = Clerk::runner(Stock::new()).model(ScriptedModel::new([guess]));
        let failed = runner.run(ClerkState::new("Do you have time?".to_owned())).await.unwrap_err();
        assert!(failed.to_string().contains("nobody knows"), "{failed}");
    }
}
