//! A letter that a human must approve. The first start writes the letter, stores the run in a file and ends.
//! A later start resumes the run with the answer.
//!
//! ```sh
//! cargo run -p cot-examples --example approval              # writes the letter and asks for approval
//! cargo run -p cot-examples --example approval -- yes       # approves it
//! cargo run -p cot-examples --example approval -- "shorter" # or rejects it with a remark
//! ```

use std::{env, error::Error, fs, path::Path};

use cot_core::{
    ActiveRun, Directive, Machine, ResumeOptions, Snapshot,
    model::{ModelRequest, OpenAiCompatible, ScriptedModel},
    prelude::*,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

/// A letter.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
pub struct Letter {
    /// The text, without a signature.
    #[schemars(length(min = 1, max = 2000))]
    pub text: String,
}

/// The decision about a letter.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
pub struct Decision {
    /// Whether the letter can be sent unchanged.
    pub approved: bool,
    /// The required change, if the letter can't be sent.
    #[schemars(length(max = 500))]
    pub remark: Option<String>,
}

cot_process! {
    /// Writes a letter and asks a human to approve it.
    pub process Approval {
        state: {
            /// The recipient and the subject.
            input request: String,
            letter: Letter,
            remark: Option<String> = None,
        },
        intro: "You write letters. The request: ${quoted(&state.request)}",
        max_steps: 30,

        task write -> Letter {
            title: "Write the letter",
            prompt: remarks,
            update: { letter = output },
            next: approve,
        }

        task approve -> Decision {
            title: "Have it approved",
            ask: "May this letter be sent?\n\n${state.letter.text}",
            check: has_reason,
            update: { remark = output.remark },
            next: { sent if output.approved, write },
        }

        task sent { end }
    }
}

/// Requests the letter, with the remark about the previous one.
fn remarks(scope: &Scope<'_, Approval>) -> String {
    match &scope.state.remark {
        None => "Write the letter.".to_owned(),
        Some(remark) => format!("Write the letter again. The remark about the last one: {remark}"),
    }
}

/// A rejection must contain a remark.
fn has_reason(decision: &Decision, _: &ApprovalState) -> Result<(), Issues> {
    match decision {
        Decision { approved: false, remark: None } => {
            Err(Issues::at("remark", "is missing: say what has to change"))
        }
        _ => Ok(()),
    }
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let file = env::temp_dir().join("cot-approval.json");
    let runner = Approval::runner().model(model()?).observe(|event, _| println!("{event}"));
    let mut run = match saved(&file)? {
        Some(machine) => runner.start_machine(machine)?,
        None => {
            let request = "Thank Ada for the parcel.".to_owned();
            runner.start(ApprovalState::new(request))?
        }
    };
    let mut answer = env::args().nth(1);
    while !is_over(&mut run).await {
        let Some(said) = answer.take() else {
            return keep(&mut run, &file);
        };
        answer_question(&mut run, &said).await?;
    }
    let run = run.finish().await?;
    fs::remove_file(&file).or_else(|error| match error.kind() {
        std::io::ErrorKind::NotFound => Ok(()),
        _ => Err(error),
    })?;
    println!("letter: {}", run.state.letter.map_or_else(String::new, |letter| letter.text));
    Ok(())
}

/// Runs the machine until it ends or asks a human.
async fn is_over(run: &mut ActiveRun<Approval>) -> bool {
    while run.question().is_none() {
        if run.next().await.is_none() {
            return true;
        }
    }
    false
}

/// Loads the run of the last start, if it has not ended.
fn saved(file: &Path) -> Result<Option<Machine<Approval>>, Box<dyn Error>> {
    if !file.exists() {
        return Ok(None);
    }
    println!("resumes the run in {}", file.display());
    let snapshot = Snapshot::from_json(&fs::read_to_string(file)?)?;
    Ok(Some(Machine::resume(snapshot, ResumeOptions::new())?))
}

/// Stores the run in the file and prints its question.
fn keep(run: &mut ActiveRun<Approval>, file: &Path) -> Result<(), Box<dyn Error>> {
    fs::write(file, run.snapshot()?.to_json()?)?;
    if let Some(question) = run.question().as_ref().and_then(Directive::as_question) {
        println!("question: {}", question.text);
        println!("an answer is of this schema: {}", question.schema.json());
    }
    println!("saved in {}: start again with `yes` or a remark", file.display());
    Ok(())
}

/// Answers the question of the run.
async fn answer_question(run: &mut ActiveRun<Approval>, said: &str) -> Result<(), Box<dyn Error>> {
    let approved = said == "yes";
    let remark = (!approved).then(|| said.to_owned());
    let answered = run.handle().answer(&Decision { approved, remark });
    let (answered, ()) = tokio::join!(answered, async {
        while run.question().is_some() && run.next().await.is_some() {}
    });
    Ok(answered?)
}

/// The model of a server, if the environment names one. Otherwise replies that are written here.
fn model() -> Result<Box<dyn LanguageModel>, Box<dyn Error>> {
    Ok(match OpenAiCompatible::from_env() {
        Some(server) => Box::new(server.build()?),
        None => Box::new(script()),
    })
}

fn script() -> ScriptedModel {
    ScriptedModel::from_fn(|request: &ModelRequest| match request.prompt().contains("again") {
        true => json!({ "text": "Dear Ada, thank you!" }),
        false => {
            json!({ "text": "Dear Ada, thank you so much for the parcel, which arrived today." })
        }
    })
}
