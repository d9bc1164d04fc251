//! Writes a letter, asks a person, and sends it once. The run is stored: kill the program at any time and start it
//! again, and it continues where it was.

use std::{
    env,
    error::Error,
    io::{self, Write as _},
    sync::Arc,
};

use cot_core::{
    Question,
    model::{OpenAiCompatible, ScriptedModel},
    prelude::*,
};
use cot_sqlite::SqliteStore;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

/// A letter.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, CotOutput)]
struct Letter {
    /// The text, without a signature.
    #[schemars(length(min = 1, max = 2000))]
    text: String,
}

/// What a person says of the letter.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
struct Decision {
    /// Whether the letter can be sent.
    approved: bool,
    /// What has to be different.
    comment: Option<String>,
}

cot_process! {
    /// Writes a letter that a person approves.
    process Letters {
        state: { input request: String, letter: Letter, comment: Option<String> = None },
        intro: "You write letters. The request:\n${quoted(state.request)}",
        max_steps: 30,

        task write -> Letter {
            prompt: "Write the letter. What has to be different from the last one, if there is one:\n\
                     ${quoted(state.comment.as_deref().unwrap_or_default())}",
            update: letter,
            next: approve,
        }

        task approve -> Decision {
            ask: "May this letter be sent?\n\n${state.letter.text}",
            update: { comment = output.comment },
            next: { send if output.approved, write },
        }

        task send -> String {
            run: send,
            // The call is announced in the store before it is made, and never made twice.
            effect: once,
            timeout: 30s,
            on: { interrupted => unknown },
            next: sent,
        }

        task sent { end }

        task unknown {
            fail: "the program died while it sent the letter: look whether it has arrived",
        }
    }
}

/// Sends the letter: put your own client here.
async fn send(state: &LettersState, _: &Cx<'_, Letters>) -> Result<String, io::Error> {
    println!("sent: {}", state.letter.as_ref().map_or("", |letter| &letter.text));
    Ok("sent".to_owned())
}

/// The run. A program that starts a run with this id resumes it.
const RUN: &str = "letter";

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let request = env::args().nth(1).unwrap_or_else(|| "Thank Ada for the parcel.".to_owned());
    let runner = Letters::runner().model(model()?).person(ask).store(SqliteStore::open("runs.db")?);
    let run = runner.run_id(RUN).run(LettersState::new(request)).await?;
    println!("{:?}", run.outcome);
    Ok(())
}

/// Asks the person at the terminal. An empty line approves; everything else is the comment.
async fn ask(question: Arc<Question>) -> Decision {
    let read = tokio::task::spawn_blocking(move || {
        println!("{}\n\nAn empty line approves, anything else says what to change:", question.text);
        let mut line = String::new();
        io::stdout().flush().and_then(|()| io::stdin().read_line(&mut line)).map(|_| line)
    });
    let line = read.await.ok().and_then(Result::ok).unwrap_or_default();
    let comment = Some(line.trim().to_owned()).filter(|line| !line.is_empty());
    Decision { approved: comment.is_none(), comment }
}

/// The model of a server, if the environment names one. Otherwise replies that are written here.
fn model() -> Result<Box<dyn LanguageModel>, Box<dyn Error>> {
    Ok(match OpenAiCompatible::from_env() {
        Some(server) => Box::new(server.build()?),
        None => Box::new(script()),
    })
}

fn script() -> ScriptedModel {
    ScriptedModel::from_fn(|request| match request.prompt().contains("shorter") {
        true => json!({ "text": "Thank you, Ada!" }),
        false => json!({ "text": "Dear Ada, thank you for the parcel. It has arrived." }),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_letter_is_written_again_until_it_is_approved() {
        let person = async |question: Arc<Question>| {
            let approved = question.text.contains("Thank you, Ada!");
            Decision { approved, comment: (!approved).then(|| "shorter".to_owned()) }
        };
        let runner = Letters::runner().model(script()).person(person);
        let run = runner.run(LettersState::new("Thank Ada.".to_owned())).await.unwrap();
        assert!(matches!(run.outcome, LettersOutcome::Sent));
        assert_eq!(run.state.letter.unwrap().text, "Thank you, Ada!");
    }
}
