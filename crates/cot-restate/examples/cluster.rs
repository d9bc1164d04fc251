//! A letter that a person approves, on nodes that may die at any time. Three commands, each in its own
//! terminal:
//!
//! ```sh
//! npx @restatedev/restate-server                                   # the server, on 8080 and 9070
//! cargo run -p cot-restate --example cluster -- node 9080          # a node
//! cargo run -p cot-restate --example cluster -- write letter-1     # a run: asks you, and tells its end
//! ```
//!
//! Kill the node, the server or the client with Ctrl-C at any moment and start it again: the letter
//! continues where it stopped. The model is scripted.

use std::{error::Error, io::Write, time::Duration};

use cot_core::{
    Models,
    model::{ModelRequest, ScriptedModel},
    prelude::*,
};
use cot_restate::{Answer, AnswerOutcome, RunResult, Start, Status, Workflow};
use reqwest::{Client, StatusCode};
use restate_sdk::prelude::{Endpoint, HttpServer};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

/// The addresses of the ingress and of the admin API.
const INGRESS: &str = "http://127.0.0.1:8080";
const ADMIN: &str = "http://127.0.0.1:9070";

/// What the letter is about.
const SUBJECTS: [&str; 3] = ["the parcel", "the weather", "the journey"];

/// A paragraph.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
pub struct Paragraph {
    /// Its text.
    #[schemars(length(min = 1, max = 500))]
    pub text: String,
}

/// What the person decides.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
pub struct Decision {
    /// Whether the letter may be sent as it is.
    pub approved: bool,
    /// What has to change, if it may not.
    #[schemars(length(max = 200))]
    pub remark: Option<String>,
}

cot_process! {
    /// Writes a letter, all paragraphs at once, and has a person approve it.
    pub process Letter {
        state: {
            input subjects: Vec<String>,
            paragraphs: Vec<Paragraph> = vec![],
            decision: Option<Decision> = None,
        },
        max_steps: 30,

        task write -> Paragraph {
            for_each: subject in state.subjects,
            prompt: "Write the paragraph of a letter about ${quoted(subject)}. ${remark(state)}",
            update: { paragraphs = output },
            next: rest,
        }

        task rest { wait: 2s, next: approve }

        task approve -> Decision {
            ask: "May this go out?\n\n${text(&state.paragraphs)}",
            timeout: 24h,
            update: { decision = Some(output) },
            on: { timeout => forgotten },
            next: { sent if output.approved, write },
        }

        task forgotten { fail: "nobody had the time to read it" }
        task sent { end }
    }
}

cot_restate::workflow! {
    /// Letters, whatever happens.
    pub struct LetterWorkflow runs Letter as "Letter";
}

/// The issues of the previous letter.
fn remark(state: &LetterState) -> String {
    let remark = state.decision.as_ref().and_then(|decision| decision.remark.as_deref());
    remark.map_or_else(String::new, |remark| format!("What was said of the last one: {remark}"))
}

fn text(paragraphs: &[Paragraph]) -> String {
    paragraphs.iter().map(|paragraph| &*paragraph.text).collect::<Vec<_>>().join("\n")
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["node", port] => node(port.parse()?).await,
        ["write", run] => write(run).await,
        _ => Err("say `node PORT` or `write RUN`".into()),
    }
}

/// Serves runs after registering the node.
async fn node(port: u16) -> Result<(), Box<dyn Error>> {
    let models = Models::new().model(ScriptedModel::from_fn(scripted));
    let letter = LetterWorkflow::from(Workflow::new(models)?);
    let endpoint = Endpoint::builder().bind(letter).build();
    let listener = cot_restate::listen(([127, 0, 0, 1], port).into())?;
    tokio::spawn(register(client()?, port));
    HttpServer::new(endpoint).serve(listener).await;
    Ok(())
}

/// Registers the node as soon as the server is available.
async fn register(client: Client, port: u16) {
    let deployment = json!({ "uri": format!("http://127.0.0.1:{port}") });
    loop {
        let sent = client.post(format!("{ADMIN}/deployments")).json(&deployment).send().await;
        match sent.and_then(reqwest::Response::error_for_status) {
            Ok(_) => return say(format_args!("serving on port {port}; Ctrl-C ends it")),
            Err(error) => say(format_args!("not registered yet: {error}; is the server running?")),
        }
        tokio::time::sleep(Duration::from_secs(2)).await;
    }
}

/// An HTTP client that ignores proxies.
fn client() -> Result<Client, reqwest::Error> {
    Client::builder().no_proxy().build()
}

/// Starts or continues a run, and answers its questions.
async fn write(run: &str) -> Result<(), Box<dyn Error>> {
    let client = client()?;
    let run = format!("{INGRESS}/Letter/{run}");
    let start = Start::new(LetterState::new(SUBJECTS.map(str::to_owned).to_vec()));
    // A run that was started before is not started again.
    let sent = client.post(format!("{run}/run/send")).json(&start).send().await?;
    if sent.status() == StatusCode::NOT_FOUND {
        return Err("the server knows no node that writes letters: start one first".into());
    }
    sent.error_for_status()?;
    let mut asked = None;
    loop {
        let reply = client.post(format!("{run}/status")).send().await?;
        if reply.status() == StatusCode::NOT_FOUND {
            tokio::time::sleep(Duration::from_millis(100)).await;
            continue;
        }
        let status: Status = reply.error_for_status()?.json().await?;
        if asked.as_ref() != Some(&status.doing) {
            say(format_args!("{} at {}: {}", status.steps, status.task, json!(status.doing)));
            asked = Some(status.doing.clone());
        }
        match status {
            Status { doing: cot_restate::Activity::Ended, .. } => break,
            Status { question: Some(question), .. } => {
                say(format_args!("\n{}\n(yes, or what has to change)", question.text));
                answer(&client, &run, question.call).await?;
            }
            _ => tokio::time::sleep(Duration::from_millis(200)).await,
        }
    }
    let attach = run.replace("/Letter/", "/restate/workflow/Letter/") + "/attach";
    let ended: RunResult<LetterState> = client.get(attach).send().await?.json().await?;
    say(format_args!("{}, after {} calls", json!(ended.outcome), ended.usage.calls));
    match ended.outcome.why() {
        Some(why) => Err(why.into()),
        None => Ok(()),
    }
}

async fn answer(client: &Client, run: &str, call: String) -> Result<(), Box<dyn Error>> {
    let mut said = String::new();
    if std::io::stdin().read_line(&mut said)? == 0 {
        return Err("nobody is there to answer; start it again to go on".into());
    }
    let approved = said.trim() == "yes";
    let remark = (!approved).then(|| said.trim().to_owned());
    let answer = serde_json::to_value(Decision { approved, remark })?;
    let answer = Answer { call: Some(call), answer };
    let reply = client.post(format!("{run}/answer")).json(&answer).send().await?;
    let answered: AnswerOutcome = reply.error_for_status()?.json().await?;
    if let Some(issues) = answered.issues {
        say(issues);
    }
    Ok(())
}

/// The replies of the scripted model: about the subject, and shorter after a remark.
fn scripted(request: &ModelRequest) -> serde_json::Value {
    let question = request.prompt().rsplit("of a letter about").next().unwrap_or("");
    let is_there = |subject: &&str| question.contains(*subject);
    let subject = SUBJECTS.into_iter().find(is_there).unwrap_or("everything");
    match question.contains("What was said") {
        false => json!({ "text": format!("Thank you so much for writing about {subject}.") }),
        true => json!({ "text": format!("Thanks for {subject}!") }),
    }
}

fn say(what: impl std::fmt::Display) {
    // Errors are ignored, since the terminal may be closed.
    let _ = writeln!(std::io::stdout(), "{what}");
}
