//! The same twenty questions as a loop by hand: a request with a schema, a reply, and two more attempts.

#[path = "../../outputs.rs"]
mod outputs;

use std::{env, error::Error};

use outputs::*;
use reqwest::Client;
use schemars::{JsonSchema, schema_for};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::{Value, json};

struct Server {
    http: Client,
    url: String,
    product: String,
}

impl Server {
    /// Asks for one part of the plan, up to three times.
    async fn ask<T: JsonSchema + DeserializeOwned>(
        &self,
        prompt: &str,
    ) -> Result<T, Box<dyn Error>> {
        let schema = schema_for!(T).to_value();
        let mut prompt = format!(
            "You plan the launch of a product, one part at a time.\nA plan for the launch of {}\n{prompt}\n\
             Reply with JSON of this schema:\n{schema}",
            self.product
        );
        let mut attempt = 0;
        loop {
            attempt += 1;
            let reply = self.send(&prompt, &schema).await?;
            match serde_json::from_str(&reply) {
                Ok(output) => return Ok(output),
                Err(error) if attempt < 3 => {
                    prompt += &format!("\nThe last reply was wrong: {error}")
                }
                Err(error) => return Err(error.into()),
            }
        }
    }

    async fn send(&self, prompt: &str, schema: &Value) -> Result<String, Box<dyn Error>> {
        let body = json!({
            "model": "tiny",
            "messages": [{ "role": "user", "content": prompt }],
            "response_format": { "type": "json_schema", "json_schema": { "name": "output", "schema": schema } },
        });
        let url = format!("{}/chat/completions", self.url);
        let reply = self.http.post(url).json(&body).send().await?.error_for_status()?;
        let reply: Value = reply.json().await?;
        let text = reply.pointer("/choices/0/message/content").and_then(Value::as_str);
        Ok(text.ok_or("the reply has no text")?.to_owned())
    }
}

fn json<T: Serialize>(value: &T) -> Result<String, serde_json::Error> {
    serde_json::to_string_pretty(value)
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let url = env::args().nth(1).ok_or("the first argument is the base URL of a server")?;
    let server = Server { http: Client::new(), url, product: "a kettle".to_owned() };
    let audience: Audience = server.ask("Plan the audience of a kettle.").await?;
    let prompt =
        format!("Plan the problem of a kettle.\nThe part before it:\n{}", json(&audience)?);
    let problem: Problem = server.ask(&prompt).await?;
    let prompt = format!("Plan the promise of a kettle.\nThe part before it:\n{}", json(&problem)?);
    let promise: Promise = server.ask(&prompt).await?;
    let prompt = format!("Plan the rivals of a kettle.\nThe part before it:\n{}", json(&promise)?);
    let rivals: Rivals = server.ask(&prompt).await?;
    let prompt = format!("Plan the price of a kettle.\nThe part before it:\n{}", json(&rivals)?);
    let price: Price = server.ask(&prompt).await?;
    let prompt = format!("Plan the channel of a kettle.\nThe part before it:\n{}", json(&price)?);
    let channel: Channel = server.ask(&prompt).await?;
    let prompt = format!("Plan the message of a kettle.\nThe part before it:\n{}", json(&channel)?);
    let message: Message = server.ask(&prompt).await?;
    let prompt =
        format!("Plan the timeline of a kettle.\nThe part before it:\n{}", json(&message)?);
    let timeline: Timeline = server.ask(&prompt).await?;
    let prompt = format!("Plan the budget of a kettle.\nThe part before it:\n{}", json(&timeline)?);
    let budget: Budget = server.ask(&prompt).await?;
    let prompt = format!("Plan the risks of a kettle.\nThe part before it:\n{}", json(&budget)?);
    let risks: Risks = server.ask(&prompt).await?;
    let prompt = format!("Plan the metrics of a kettle.\nThe part before it:\n{}", json(&risks)?);
    let metrics: Metrics = server.ask(&prompt).await?;
    let prompt = format!("Plan the team of a kettle.\nThe part before it:\n{}", json(&metrics)?);
    let team: Team = server.ask(&prompt).await?;
    let prompt = format!("Plan the partners of a kettle.\nThe part before it:\n{}", json(&team)?);
    let partners: Partners = server.ask(&prompt).await?;
    let prompt = format!("Plan the legal of a kettle.\nThe part before it:\n{}", json(&partners)?);
    let legal: Legal = server.ask(&prompt).await?;
    let prompt = format!("Plan the support of a kettle.\nThe part before it:\n{}", json(&legal)?);
    let support: Support = server.ask(&prompt).await?;
    let prompt = format!("Plan the launch of a kettle.\nThe part before it:\n{}", json(&support)?);
    let launch: Launch = server.ask(&prompt).await?;
    let prompt = format!("Plan the feedback of a kettle.\nThe part before it:\n{}", json(&launch)?);
    let feedback: Feedback = server.ask(&prompt).await?;
    let prompt =
        format!("Plan the revision of a kettle.\nThe part before it:\n{}", json(&feedback)?);
    let revision: Revision = server.ask(&prompt).await?;
    let prompt =
        format!("Plan the forecast of a kettle.\nThe part before it:\n{}", json(&revision)?);
    let forecast: Forecast = server.ask(&prompt).await?;
    let prompt =
        format!("Plan the summary of a kettle.\nThe part before it:\n{}", json(&forecast)?);
    let summary: Summary = server.ask(&prompt).await?;
    println!("{summary:?}");
    Ok(())
}
